//! Makes a failing program smaller while it still fails.

use super::lines::Item;

/// Tries smaller variants, from large cuts to small ones, until none of them fails.
pub(crate) fn shrink(mut items: Vec<Item>, mut fails: impl FnMut(&[Item]) -> bool) -> Vec<Item> {
    loop {
        let mut changed = false;
        let mut k = 0;
        while let Some(variant) = variant(&items, k) {
            if variant != items && fails(&variant) {
                items = variant;
                changed = true;
            } else {
                k += 1;
            }
        }
        if !changed {
            return items;
        }
    }
}

/// The variant with this number: first the removals, then the blocks replaced by their bodies, then the
/// expressions cut.
fn variant(items: &[Item], number: usize) -> Option<Vec<Item>> {
    let n = count(items);
    let (kind, at) = (number / n.max(1), number % n.max(1));
    let mut left = at;
    match kind {
        0 => Some(edit(items, &mut left, &mut |_| Some(Vec::new()))),
        1 => Some(edit(items, &mut left, &mut |item| match item {
            Item::Block { body, .. } => Some(body.clone()),
            Item::Line(_) => None,
        })),
        _ => {
            let mut number = number - 2 * n;
            for at in 0..n {
                let mut variants = Vec::new();
                edit(items, &mut at.clone(), &mut |item| {
                    let (Item::Line(text) | Item::Block { head: text, .. }) = item;
                    variants = cuts(text);
                    None
                });
                if number < variants.len() {
                    let text = variants.swap_remove(number);
                    return Some(edit(items, &mut at.clone(), &mut |item| {
                        Some(vec![match item {
                            Item::Line(_) => Item::Line(text.clone()),
                            Item::Block { body, tail, .. } => Item::Block {
                                head: text.clone(),
                                body: body.clone(),
                                tail: tail.clone(),
                            },
                        }])
                    }));
                }
                number -= variants.len();
            }
            None
        }
    }
}

fn count(items: &[Item]) -> usize {
    items
        .iter()
        .map(|item| match item {
            Item::Line(_) => 1,
            Item::Block { body, .. } => 1 + count(body),
        })
        .sum()
}

/// The items with the one of this number, in the order of the text, replaced; `None` keeps it.
fn edit(
    items: &[Item],
    number: &mut usize,
    replace: &mut impl FnMut(&Item) -> Option<Vec<Item>>,
) -> Vec<Item> {
    let mut result = Vec::new();
    for item in items {
        let here = *number == 0;
        *number = number.wrapping_sub(1);
        if here && let Some(replacement) = replace(item) {
            result.extend(replacement);
            continue;
        }
        match item {
            Item::Line(_) => result.push(item.clone()),
            Item::Block { head, body, tail } => result.push(Item::Block {
                head: head.clone(),
                body: edit(body, number, replace),
                tail: tail.clone(),
            }),
        }
    }
    result
}

/// The text with one parenthesised part replaced by a number or by a subexpression.
fn cuts(text: &str) -> Vec<String> {
    let mut variants = Vec::new();
    let mut open = Vec::new();
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => {
                if let Some(start) = open.pop() {
                    parts.push((start, at + 1));
                }
            }
            _ => {}
        }
    }
    // Outermost parts first: they remove most.
    parts.sort_by_key(|&(start, end)| std::cmp::Reverse(end - start));
    for &(start, end) in &parts {
        let mut push = |part: &str| {
            if part.len() < end - start {
                variants.push(format!("{}{part}{}", &text[..start], &text[end..]));
            }
        };
        push("0");
        push("1");
        for &(inner_start, inner_end) in &parts {
            if inner_start > start && inner_end < end {
                push(&text[inner_start..inner_end]);
            }
        }
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_cut() {
        let items = vec![
            Item::Line("a = (1 + (2 * 3));".into()),
            Item::block(
                "if (x) {",
                vec![Item::Line("bad((4 + 5));".into()), Item::Line("b;".into())],
            ),
        ];
        let fails = |items: &[Item]| {
            let mut text = String::new();
            super::super::lines::write(items, 0, &mut text);
            text.contains("bad")
        };
        // `bad(..)` is the argument list itself, which may be cut to a number.
        let shrunk = shrink(items, fails);
        assert_eq!(shrunk.len(), 1);
        assert!(matches!(&shrunk[0], Item::Line(text) if text.len() <= "bad0;".len()));
    }
}
