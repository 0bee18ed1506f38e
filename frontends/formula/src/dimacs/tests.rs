use std::io::Read;

use proptest::prelude::*;

use super::*;

fn parse(text: &[u8]) -> Result<Cnf, String> {
    let mut input = decompress(text).map_err(|error| error.to_string())?;
    read(&mut input, "f.cnf").map_err(|error| error.to_string())
}

fn clauses(cnf: &Cnf) -> Vec<Vec<i32>> {
    cnf.iter()
        .map(|(clause, _)| clause.iter().map(|lit| lit.to_dimacs()).collect())
        .collect()
}

#[test]
fn comments_and_line_ends_may_stand_anywhere() {
    let text = b"c first\np  cnf\t4 3 \r\n1 -2\nc between\n 3 0 -1 0\n0\nc last";
    let cnf = parse(text).unwrap();
    assert_eq!(clauses(&cnf), [vec![1, -2, 3], vec![-1], vec![]]);
    assert_eq!(cnf.n_vars(), 3);
    assert_eq!(parse(b"p cnf 2 1\n1 2 0\n%\n0\n\n").unwrap().n_clauses(), 1);
    assert_eq!(parse(b"p cnf 0 0").unwrap().n_clauses(), 0);
}

#[test]
fn malformed_files_get_line_and_column() {
    let table: &[(&[u8], &str)] = &[
        (
            b"",
            "f.cnf:1:1: expected the header \"p cnf VARIABLES CLAUSES\" but the file ends",
        ),
        (b"c only\n", "f.cnf:2:1: expected the header"),
        (
            b"1 2 0\n",
            "f.cnf:1:1: expected the header \"p cnf VARIABLES CLAUSES\" but found \"1\"",
        ),
        (
            b"p dnf 1 1\n",
            "f.cnf:1:3: expected the header \"p cnf VARIABLES CLAUSES\" but found \"dnf\"",
        ),
        (
            b"p cnf 1\n",
            "f.cnf:1:8: expected the number of clauses but found the end of the line",
        ),
        (
            b"p cnf x 1\n",
            "f.cnf:1:7: expected the number of variables but found \"x\"",
        ),
        (
            b"p cnf -1 1\n",
            "f.cnf:1:7: expected the number of variables but found \"-1\"",
        ),
        (
            b"p cnf 9999999999 1\n1 0\n",
            "f.cnf:1:7: 9999999999 variables are more than the 1073741824 that are supported",
        ),
        (
            b"p cnf 2 1\n1 3 0\n",
            "f.cnf:2:3: the literal 3 exceeds the 2 variables",
        ),
        (
            b"p cnf 2 1\n1 -99999999999999999999999 0\n",
            "f.cnf:2:3: the literal -1099511627776 exceeds the 2 variables",
        ),
        (
            b"p cnf 2 1\n1 0\n2 0\n",
            "f.cnf:3:1: there are more clauses than the 1",
        ),
        (
            b"p cnf 2 2\n1 0\n",
            "f.cnf:3:1: the file ends after 1 of the 2 clauses",
        ),
        (
            b"p cnf 2 4000000000\n1 0\n",
            "f.cnf:3:1: the file ends after 1 of the 4000000000 clauses",
        ),
        (
            b"p cnf 2 1\n1 2",
            "f.cnf:2:4: the file ends within a clause",
        ),
        (
            b"p cnf 2 1\n1 x2 0\n",
            "f.cnf:2:3: expected a literal or 0 but found \"x2\"",
        ),
        (
            b"p cnf 2 1\n1 2x 0\n",
            "f.cnf:2:3: expected a literal or 0 but found \"2x\"",
        ),
        (
            b"p cnf 2 1\n1 - 2 0\n",
            "f.cnf:2:3: expected a literal or 0 but found \"-\"",
        ),
        (
            b"p cnf 2 1\n1 %\n0\n",
            "f.cnf:2:3: expected a literal or 0 but found \"%\"",
        ),
        (
            b"p cnf 1000000000 1\n1000000000 0\n",
            "uses variable 1000000000 but has just 1 literals",
        ),
        (b"\x1f\x8bnot really", "f.cnf: can't be read"),
        (b"\xfd7zXZ\x00not really", "f.cnf: can't be read"),
    ];
    let mut wrong = String::new();
    for (text, expected) in table {
        let found = parse(text).map(|cnf| clauses(&cnf));
        if !found.as_ref().is_err_and(|found| found.contains(expected)) {
            let text = String::from_utf8_lossy(text);
            wrong += &format!("expected {expected:?} of {text:?} but found {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[cfg(feature = "compressed")]
#[test]
fn compressed_files_are_read_like_plain_ones() {
    let text = b"p cnf 3 2\n1 -2 0\n3 0\n";
    let plain = clauses(&parse(text).unwrap());
    let mut gz = Vec::new();
    flate2::read::GzEncoder::new(&text[..], flate2::Compression::default())
        .read_to_end(&mut gz)
        .unwrap();
    assert_eq!(clauses(&parse(&gz).unwrap()), plain);
    assert!(parse(&gz[..gz.len() - 6]).is_err(), "cut off");
    let mut xz = Vec::new();
    liblzma::read::XzEncoder::new(&text[..], 6)
        .read_to_end(&mut xz)
        .unwrap();
    assert_eq!(clauses(&parse(&xz).unwrap()), plain);
    assert!(parse(&xz[..xz.len() - 6]).is_err(), "cut off");
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(lists in prop::collection::vec(
        prop::collection::vec((1..50_i32).prop_flat_map(|n| prop_oneof![Just(n), Just(-n)]), 0..6), 0..20,
    )) {
        let mut cnf = Cnf::new();
        for list in &lists {
            let lits: Vec<_> = list.iter().map(|&n| craig_solver::Lit::from_dimacs(n.into()).unwrap()).collect();
            cnf.add_clause(&lits);
        }
        let mut text = Vec::new();
        write(&cnf, &mut text).unwrap();
        prop_assert_eq!(clauses(&parse(&text).unwrap()), lists);
    }

    #[test]
    fn mutated_files_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 1..6),
    ) {
        let mut bytes = b"c x\np cnf 4 3\n1 -2 0\nc y\n-3 4\n0 2 0\n%\n0\n".to_vec();
        for (position, byte, inserts) in edits {
            let position = position.index(bytes.len());
            if inserts { bytes.insert(position, byte) } else { bytes[position] = byte }
        }
        if let Ok(cnf) = parse(&bytes) {
            let mut text = Vec::new();
            write(&cnf, &mut text).unwrap();
            prop_assert_eq!(clauses(&parse(&text).unwrap()), clauses(&cnf));
        }
    }
}
