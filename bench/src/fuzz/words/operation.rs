//! The operators of BTOR2: random uses of them, and their values.

use craig_aig::Random;

use super::{Kind, Node, Sort};

const SAME_WIDTH: &[&str] = &[
    "and", "nand", "nor", "or", "xnor", "xor", "rol", "ror", "sll", "sra", "srl", "add", "mul",
    "sdiv", "udiv", "smod", "srem", "urem", "sub",
];
const COMPARISONS: &[&str] = &[
    "eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte", "saddo", "uaddo",
    "sdivo", "smulo", "umulo", "ssubo", "usubo",
];

/// An operation on earlier nodes; none if they have not the sorts that it needs.
pub(super) fn operation(nodes: &[Node], random: &mut Random) -> Option<Node> {
    let word = |random: &mut Random| {
        let all: Vec<usize> = (0..nodes.len())
            .filter(|&node| matches!(nodes[node].sort, Sort::Word(_)))
            .collect();
        (all[random.below(all.len())], random.below(4) == 0)
    };
    let like = |sort: Sort, random: &mut Random| {
        let all: Vec<usize> = (0..nodes.len())
            .filter(|&node| nodes[node].sort == sort)
            .collect();
        let is_word = matches!(sort, Sort::Word(_));
        (!all.is_empty()).then(|| {
            (
                all[random.below(all.len())],
                is_word && random.below(4) == 0,
            )
        })
    };
    let width = |node: usize| nodes[node].sort.bits();
    let one_of = |names: &[&'static str], random: &mut Random| names[random.below(names.len())];
    let a = word(random);
    let (sort, name, arguments, numbers) = match random.below(12) {
        0 => (
            nodes[a.0].sort,
            one_of(&["not", "inc", "dec", "neg"], random),
            vec![a],
            vec![],
        ),
        1 => (
            Sort::Word(1),
            one_of(&["redand", "redor", "redxor"], random),
            vec![a],
            vec![],
        ),
        2..5 => {
            let b = like(nodes[a.0].sort, random)?;
            (
                nodes[a.0].sort,
                one_of(SAME_WIDTH, random),
                vec![a, b],
                vec![],
            )
        }
        5..7 => {
            let b = like(nodes[a.0].sort, random)?;
            (
                Sort::Word(1),
                one_of(COMPARISONS, random),
                vec![a, b],
                vec![],
            )
        }
        7 => {
            let [a, b] = [like(Sort::Word(1), random)?, like(Sort::Word(1), random)?];
            (
                Sort::Word(1),
                one_of(&["iff", "implies"], random),
                vec![a, b],
                vec![],
            )
        }
        8 => {
            let b = word(random);
            let width = width(a.0) + width(b.0);
            if width > 6 {
                return None;
            }
            (Sort::Word(width), "concat", vec![a, b], vec![])
        }
        9 => match random.below(3) {
            0 => {
                let low = random.below(width(a.0) as usize) as u32;
                let high = low + random.below((width(a.0) - low) as usize) as u32;
                (
                    Sort::Word(high - low + 1),
                    "slice",
                    vec![a],
                    vec![high, low],
                )
            }
            kind => {
                let more = random.below(3) as u32;
                let name = if kind == 1 { "uext" } else { "sext" };
                (Sort::Word(width(a.0) + more), name, vec![a], vec![more])
            }
        },
        10 => {
            let condition = like(Sort::Word(1), random)?;
            let then = (random.below(nodes.len()), false);
            let sort = nodes[then.0].sort;
            (
                sort,
                "ite",
                vec![condition, then, like(sort, random)?],
                vec![],
            )
        }
        _ => {
            let arrays: Vec<usize> = (0..nodes.len())
                .filter(|&node| matches!(nodes[node].sort, Sort::Array(..)))
                .collect();
            if arrays.is_empty() {
                return None;
            }
            let array = arrays[random.below(arrays.len())];
            let Sort::Array(index, element) = nodes[array].sort else {
                return None;
            };
            let at = like(Sort::Word(index), random)?;
            match random.below(3) {
                0 => (
                    Sort::Word(element),
                    "read",
                    vec![(array, false), at],
                    vec![],
                ),
                1 => {
                    let other = arrays[random.below(arrays.len())];
                    if nodes[other].sort != nodes[array].sort {
                        return None;
                    }
                    let name = one_of(&["eq", "neq"], random);
                    (
                        Sort::Word(1),
                        name,
                        vec![(array, false), (other, false)],
                        vec![],
                    )
                }
                _ => {
                    let value = like(Sort::Word(element), random)?;
                    (
                        nodes[array].sort,
                        "write",
                        vec![(array, false), at, value],
                        vec![],
                    )
                }
            }
        }
    };
    Some(Node {
        sort,
        kind: Kind::Operation(name, arguments, numbers),
    })
}

/// The value of an operation, of which only the bits of its sort count (BTOR2; division by zero as in SMT-LIB).
pub(super) fn value_of(name: &str, arguments: &[(u64, Sort)], numbers: &[u32]) -> u64 {
    let (a, width) = (arguments[0].0, arguments[0].1.bits());
    let b = arguments.get(1).map_or(0, |&(value, _)| value);
    let all = (1_u64 << width) - 1;
    let signed = |value: u64, width: u32| (value as i64) << (64 - width) >> (64 - width);
    let (sa, sb) = (signed(a, width), signed(b, width));
    let least = -(1_i64 << (width - 1));
    let fits = |value: i64| value >= least && value < -least;
    let bit = u64::from;
    match name {
        "not" => !a,
        "inc" => a.wrapping_add(1),
        "dec" => a.wrapping_sub(1),
        "neg" => a.wrapping_neg(),
        "redand" => bit(a == all),
        "redor" => bit(a != 0),
        "redxor" => bit(a.count_ones() % 2 == 1),
        "and" => a & b,
        "nand" => !(a & b),
        "nor" => !(a | b),
        "or" => a | b,
        "xnor" => !(a ^ b),
        "xor" => a ^ b,
        "rol" => {
            let by = b % u64::from(width);
            a << by | a >> (u64::from(width) - by)
        }
        "ror" => {
            let by = b % u64::from(width);
            a >> by | a << (u64::from(width) - by)
        }
        "sll" => {
            if b < u64::from(width) {
                a << b
            } else {
                0
            }
        }
        "srl" => {
            if b < u64::from(width) {
                a >> b
            } else {
                0
            }
        }
        "sra" => (sa >> b.min(63)) as u64,
        "add" => a.wrapping_add(b),
        "sub" => a.wrapping_sub(b),
        "mul" => a.wrapping_mul(b),
        "udiv" => a.checked_div(b).unwrap_or(all),
        "urem" => a.checked_rem(b).unwrap_or(a),
        "sdiv" => match b {
            0 => {
                if sa < 0 {
                    1
                } else {
                    all
                }
            }
            _ => (sa / sb) as u64,
        },
        "srem" => {
            if b == 0 {
                a
            } else {
                (sa % sb) as u64
            }
        }
        "smod" => match b {
            0 => a,
            _ => {
                let rest = sa % sb;
                let is_other = rest != 0 && (rest < 0) != (sb < 0);
                (if is_other { rest + sb } else { rest }) as u64
            }
        },
        "eq" | "iff" => bit(a == b),
        "neq" => bit(a != b),
        "implies" => bit(a == 0 || b == 1),
        "sgt" => bit(sa > sb),
        "ugt" => bit(a > b),
        "sgte" => bit(sa >= sb),
        "ugte" => bit(a >= b),
        "slt" => bit(sa < sb),
        "ult" => bit(a < b),
        "slte" => bit(sa <= sb),
        "ulte" => bit(a <= b),
        "saddo" => bit(!fits(sa + sb)),
        "uaddo" => bit(a + b > all),
        "sdivo" => bit(sa == least && sb == -1),
        "smulo" => bit(!fits(sa * sb)),
        "umulo" => bit(a * b > all),
        "ssubo" => bit(!fits(sa - sb)),
        "usubo" => bit(a < b),
        "concat" => a << arguments[1].1.bits() | b,
        "slice" => a >> numbers[1],
        "uext" => a,
        "sext" => sa as u64,
        "ite" => {
            if a == 1 {
                b
            } else {
                arguments[2].0
            }
        }
        "read" | "write" => {
            let Sort::Array(_, element) = arguments[0].1 else {
                unreachable!("the first argument is an array")
            };
            let at = b as u32 * element;
            let mask = (1_u64 << element) - 1;
            match arguments.get(2) {
                None => a >> at & mask,
                Some(&(value, _)) => a & !(mask << at) | value << at,
            }
        }
        other => unreachable!("{other} is no operator"),
    }
}
