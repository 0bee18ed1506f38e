//! The partitions of `get-interpolants`: a sequence, or a tree in SMTInterpol's notation, in which a subtree in parentheses
//! belongs to the next partition behind it.

use crate::syntax::{Id, Script, SyntaxError};

/// A node of a tree of partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The names of its assertions.
    pub(crate) names: Vec<(String, Id)>,
    pub(crate) children: Vec<usize>,
}

/// An open list: its items left, the last partition in it, and the subtrees since.
struct Open<'a> {
    list: Id,
    left: &'a [Id],
    last: Option<usize>,
    subtrees: Vec<usize>,
}

/// The partitions of a list without its first item, children first; the last is the root.
pub(crate) fn parts(script: &Script<'_>, command: Id) -> Result<Vec<Part>, SyntaxError> {
    let mut parts: Vec<Part> = Vec::new();
    let mut open = vec![Open {
        list: command,
        left: &script.items(command)[1..],
        last: None,
        subtrees: Vec::new(),
    }];
    while let Some(list) = open.last_mut() {
        let Some((&item, left)) = list.left.split_first() else {
            let expected = "expected partitions: NAME or (and NAME..), and subtrees of them in parentheses before one";
            match list.last {
                Some(last) if list.subtrees.is_empty() => {
                    open.pop();
                    if let Some(outer) = open.last_mut() {
                        outer.subtrees.push(last);
                    }
                    continue;
                }
                _ => return Err(script.error(list.list, expected)),
            }
        };
        list.left = left;
        match names(script, item)? {
            Some(names) => {
                let mut children = std::mem::take(&mut list.subtrees);
                // The order of the command.
                children.extend(list.last);
                children.sort_unstable();
                list.last = Some(parts.len());
                parts.push(Part { names, children });
            }
            None => open.push(Open {
                list: item,
                left: script.items(item),
                last: None,
                subtrees: Vec::new(),
            }),
        }
    }
    match parts.len() {
        0 | 1 => Err(script.error(command, "expected two or more partitions")),
        _ => Ok(parts),
    }
}

/// The names of a partition; `None` of a subtree.
fn names(script: &Script<'_>, item: Id) -> Result<Option<Vec<(String, Id)>>, SyntaxError> {
    if let Some(name) = script.symbol(item) {
        return Ok(Some(vec![(name.to_owned(), item)]));
    }
    let items = script.items(item);
    let is_conjunction = items.first().and_then(|&head| script.symbol(head)) == Some("and");
    if items.is_empty() {
        return Err(script.error(
            item,
            "expected the name of an assertion, or a list of names",
        ));
    }
    if !is_conjunction {
        return Ok(None);
    }
    let name = |&item: &Id| {
        let name = script.symbol(item).map(|name| (name.to_owned(), item));
        name.ok_or_else(|| script.error(item, "expected the name of an assertion"))
    };
    items[1..]
        .iter()
        .map(name)
        .collect::<Result<_, _>>()
        .map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each partition with its children.
    fn shape(text: &str) -> Result<String, String> {
        let script = Script::read(text, "f").unwrap();
        let parts = parts(&script, script.commands[0]).map_err(|error| error.to_string())?;
        let part = |part: &Part| {
            let names: Vec<&str> = part.names.iter().map(|(name, _)| name.as_str()).collect();
            format!("{}{:?}", names.join("+"), part.children)
        };
        Ok(parts.iter().map(part).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn sequences_and_trees_are_read() {
        assert_eq!(shape("(g A B C)").unwrap(), "A[] B[0] C[1]");
        assert_eq!(shape("(g A (B) C)").unwrap(), "A[] B[] C[0, 1]");
        assert_eq!(
            shape("(g A B (C D) E)").unwrap(),
            "A[] B[0] C[] D[2] E[1, 3]"
        );
        assert_eq!(
            shape("(g (and A B) ((C) D) E)").unwrap(),
            "A+B[] C[] D[1] E[0, 2]"
        );
    }

    #[test]
    fn other_lists_are_refused() {
        for text in [
            "(g)",
            "(g A)",
            "(g A (B))",
            "(g A () B)",
            "(g A (and (B)) C)",
        ] {
            assert!(shape(text).is_err(), "{text}: {:?}", shape(text));
        }
    }
}
