//! Computed pointers: into arrays of scalars and records, through bytes, numbers, tables, members and other
//! pointers.

use super::arrays::{Array, Elements};
use super::expression::Place;
use super::lines::Item;
use super::program::Generator;

impl Generator<'_> {
    /// An array of records, whose members are places.
    pub(crate) fn record_array(&mut self) -> Option<String> {
        let fits = |k: &usize| {
            let mut members = self.records[*k].members.iter();
            members.all(|member| member.elements == 1 || member.elements == 4)
        };
        let fitting: Vec<usize> = (0..self.records.len()).filter(fits).collect();
        let record = *fitting.get(self.expressions.rng.usize(..fitting.len().max(1)))?;
        let name = self.fresh("a");
        for member in self.members_of(record, &format!("{name}[@].")) {
            self.add_global(Place {
                elements: 4,
                ..member
            });
        }
        let tag = self.records[record].tag.clone();
        let value = self.records[record].initialiser.clone();
        self.arrays.push(Array {
            name: name.clone(),
            elements: Elements::Record(record),
        });
        Some(format!("static {tag} {name}[4] = {{[1] = {value}}};"))
    }

    fn index_text(&mut self) -> String {
        let value = self.expressions.integer(1).text;
        format!("(int)({value} & 3)")
    }

    /// A block with a pointer into an array, and accesses through it.
    pub(crate) fn computed_pointer(&mut self) -> Vec<Item> {
        if self.arrays.is_empty() {
            return self.assignment();
        }
        let n = self.arrays.len();
        let Array { name: a, elements } = self.arrays[self.expressions.rng.usize(..n)].clone();
        let same: Vec<String> = (self.arrays.iter())
            .filter(|other| other.elements == elements)
            .map(|other| other.name.clone())
            .collect();
        let b = same[self.expressions.rng.usize(..same.len())].clone();
        let ty = match elements {
            Elements::Of(ty) => ty.name().to_string(),
            Elements::Record(record) => self.records[record].tag.clone(),
        };
        let [i, j, k] = [0; 3].map(|_| self.index_text());
        let q = self.fresh("q");
        let choice = self.below(13);
        let lines: Vec<String> = match choice {
            0 => vec![format!("{ty} *{q} = &{a}[{i}];")],
            1 => vec![format!("{ty} *{q} = {i} + {a};")],
            2 => vec![format!(
                "{ty} *{q} = ({ty} *)((char *){a} + sizeof({ty}) * {i});"
            )],
            3 => vec![
                format!("unsigned long n{q} = (unsigned long){a};"),
                format!("{ty} *{q} = ({ty} *)(n{q} + sizeof({ty}) * {i});"),
            ],
            4 => vec![
                format!("{ty} *t{q}[2] = {{{a} + {i}, {a} + {j}}};"),
                format!("{ty} *{q} = t{q}[{k} & 1];"),
            ],
            5 => vec![
                format!("struct {{ char n; {ty} *p; }} h{q} = {{3, {a} + {i}}}, c{q} = h{q};"),
                format!("{ty} *{q} = c{q}.p;"),
            ],
            6 => vec![
                format!("{ty} *r{q} = {a} + {i}, **l{q} = &r{q};"),
                format!("{ty} *{q} = *l{q};"),
            ],
            7 => vec![
                format!("union {{ {ty} *p; unsigned long n; }} u{q};"),
                format!("u{q}.p = {a}; u{q}.n += sizeof({ty}) * {i};"),
                format!("{ty} *{q} = u{q}.p;"),
            ],
            8 => vec![
                format!("void *v{q} = {a} + {i};"),
                format!("{ty} *{q} = v{q};"),
            ],
            9 => vec![format!("{ty} *{q} = {k} & 1 ? {a} + {i} : {b} + {j};")],
            10 => vec![format!("{ty} *{q} = {a} + 4;"), format!("{q} -= 1 + {i};")],
            11 => vec![
                format!("{ty} *r{q} = {a} + {i}, *{q};"),
                format!("memcpy(&{q}, &r{q}, sizeof {q});"),
            ],
            _ => vec![
                format!("long d{q} = (char *)({a} + {i}) - (char *){a};"),
                format!("{ty} *{q} = ({ty} *)(d{q} + (char *){a});"),
            ],
        };
        let mut items: Vec<Item> = lines.into_iter().map(Item::Line).collect();
        let within_a = choice != 9 || a == b;
        let places = self.expressions.places.len();
        let own = match elements {
            Elements::Of(ty) => vec![Place::scalar(format!("(*{q})"), ty)],
            Elements::Record(record) => self.members_of(record, &format!("{q}->")),
        };
        for _ in 0..1 + self.below(3) {
            let place = own[self.expressions.rng.usize(..own.len())].clone();
            let line = match self.below(6) {
                0 if within_a => format!("mix({q} - {a});"),
                1 if within_a => format!("mix({q} < {a} + {});", self.index_text()),
                2 => format!("mix({q} == &{a}[{}]);", self.index_text()),
                3 if within_a => format!("{q} = {a} + (({q} - {a} + {}) & 3);", self.index_text()),
                4 => {
                    let text = self.expressions.reference(&place, 0);
                    Self::mixed(&place, &text)
                }
                _ => {
                    let text = self.expressions.reference(&place, 0);
                    format!("{text} = {};", self.argument(place.ty))
                }
            };
            items.push(Item::Line(line));
        }
        self.expressions.places.truncate(places);
        vec![Item::block("{", items)]
    }
}
