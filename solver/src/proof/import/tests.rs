use std::io::Read;

use craig_aig::Random;

use super::*;
use crate::Cnf;
use crate::proof::check::CheckError;
use crate::proof::check::{check_dag, check_leaves};
use crate::proof::example::{lits, random_cnf, refute};
use crate::proof::lrat::LratWriter;
use crate::proof::tracecheck::TracecheckWriter;
use crate::proof::{Encoding, ProofDag};

/// Delivers one byte at a time, so that every position is the end of a buffer once.
struct Dripping<'a>(&'a [u8]);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.len().min(buffer.len()).min(1);
        buffer[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

fn lrat(cnf: &Cnf, seed: u64, encoding: Encoding) -> Option<Vec<u8>> {
    let mut writer = LratWriter::new(Vec::new(), encoding, cnf.n_clauses() as u32);
    refute(cnf, &mut Random::new(seed), &mut writer)?;
    Some(writer.finish().unwrap())
}

fn assert_refutes(dag: &ProofDag, cnf: &Cnf) {
    assert!(dag.is_refutation());
    assert_eq!(check_dag(dag), Ok(()));
    assert_eq!(check_leaves(dag, cnf), Ok(()));
}

#[test]
fn what_the_writers_write_is_read_back() {
    let mut random = Random::new(3);
    let mut n_refuted = 0;
    for round in 0..300 {
        let n_vars = 3 + round % 8;
        let cnf = random_cnf(&mut random, n_vars, 5 * n_vars);
        let seed = random.below(1 << 30) as u64 + 1;
        let Some(text) = lrat(&cnf, seed, Encoding::Text) else {
            continue;
        };
        n_refuted += 1;
        let binary = lrat(&cnf, seed, Encoding::Binary).unwrap();
        let checked = check_lrat(&cnf, &text[..]).unwrap();
        assert_eq!(check_lrat(&cnf, Dripping(&binary)).unwrap(), checked);
        let dag = import_lrat(&cnf, Dripping(&text)).unwrap();
        assert_refutes(&dag, &cnf);
        assert_eq!(import_lrat(&cnf, &binary[..]).unwrap(), dag);

        let mut writer = TracecheckWriter::new(Vec::new());
        refute(&cnf, &mut Random::new(seed), &mut writer);
        let trace = writer.finish().unwrap();
        assert_refutes(&import_tracecheck(&cnf, Dripping(&trace)).unwrap(), &cnf);
        let shuffled = shuffle(&mut random, &String::from_utf8(trace).unwrap());
        assert_refutes(&import_tracecheck(&cnf, shuffled.as_bytes()).unwrap(), &cnf);
    }
    assert!(n_refuted > 150);
}

/// Puts the lines and the antecedents of each line into another order.
fn shuffle(random: &mut Random, trace: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in trace.lines() {
        let numbers: Vec<&str> = line.split(' ').collect();
        let middle = numbers[1..].iter().position(|&word| word == "0").unwrap() + 2;
        let mut antecedents = numbers[middle..numbers.len() - 1].to_vec();
        for index in (1..antecedents.len()).rev() {
            antecedents.swap(index, random.below(index + 1));
        }
        let mut words = numbers[..middle].to_vec();
        words.extend(antecedents);
        words.push("0");
        let position = random.below(lines.len() + 1);
        lines.insert(position, words.join(" "));
    }
    lines.join("\n")
}

/// Changes bytes at random: reading terminates, and every accepted proof is valid.
#[test]
fn damaged_files_are_errors_or_proofs() {
    let mut random = Random::new(11);
    let cnf = random_cnf(&mut random, 6, 40);
    let mut files: Vec<Vec<u8>> = [Encoding::Text, Encoding::Binary]
        .into_iter()
        .map(|encoding| lrat(&cnf, 5, encoding).unwrap())
        .collect();
    let mut writer = TracecheckWriter::new(Vec::new());
    refute(&cnf, &mut Random::new(5), &mut writer);
    files.push(writer.finish().unwrap());
    let mut n_errors = 0;
    for round in 0..6000 {
        let mut file = files[round % 3].clone();
        for _ in 0..1 + random.below(4) {
            let position = random.below(file.len());
            match random.below(4) {
                0 => file[position] = random.below(256) as u8,
                1 => file[position] = b"0123456789- ad*\n"[random.below(16)],
                2 => file.insert(position, b"0123456789- ad*\n"[random.below(16)]),
                _ => file.truncate(position),
            }
            if file.is_empty() {
                break;
            }
        }
        let _ = check_lrat(&cnf, &file[..]);
        for imported in [
            import_lrat(&cnf, &file[..]),
            import_tracecheck(&cnf, &file[..]),
        ] {
            match imported {
                Ok(dag) => assert_refutes(&dag, &cnf),
                Err(_) => n_errors += 1,
            }
        }
    }
    assert!(n_errors > 6000);
}

fn small() -> Cnf {
    let mut cnf = Cnf::new();
    for clause in [&[1, 2][..], &[-1, 2], &[1, -2], &[-1, -2], &[2, -2, 1]] {
        cnf.add_clause(&lits(clause));
    }
    cnf
}

fn error(result: Result<ProofDag, ImportError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn errors_name_the_place() {
    let cnf = small();
    let lrat = |text: &str| error(import_lrat(&cnf, text.as_bytes()));
    assert_eq!(
        lrat("6 2 0 1 2 0\n7 x"),
        "line 2, column 3: expected a number, found 'x'"
    );
    assert_eq!(
        lrat("6 2 0 1 2 0\n7 -1"),
        "line 2, column 5: expected a number, found the end of the file"
    );
    assert!(
        lrat("6 3 0 1 2 0\n")
            .starts_with("line 1, column 4: the formula has no variable for literal 3")
    );
    assert!(
        lrat("6 2 0 -1 2 0\n").starts_with("line 1, column 9: a RAT step, which is no resolution")
    );
    assert_eq!(
        lrat("c comment\n5 2 0 1 2 0\n"),
        "line 2, column 12: clause 5 must have a larger number than those before it"
    );
    assert_eq!(
        lrat("6 2 0 1 7 0\n"),
        "line 1, column 12: there is no clause 7 here"
    );
    assert_eq!(
        lrat("6 2 0 1 99999999999999999999 0\n"),
        "line 1, column 27: expected a number of 64 bits, found '9'"
    );
    assert_eq!(
        lrat("6 2 0 1 4294967296 0\n"),
        "line 1, column 19: clause numbers lie between 1 and 4294967295"
    );
    assert_eq!(
        lrat("6 2 0 1 2 0\n"),
        "the proof never derives the empty clause"
    );
    assert_eq!(
        lrat("6 2 0 1 0\n7 0 6 4 0"),
        "line 1, column 10: step 6: the hints lead to no conflict"
    );
    let binary = |bytes: &[u8]| error(import_lrat(&cnf, bytes));
    assert_eq!(
        binary(&[b'a', 12, 4, 0, 2, 4, 0, b'x']),
        "byte 7: expected 'a' or 'd', found 'x'"
    );
    assert!(
        binary(&[b'a', 12, 4, 0, 2, 5, 0])
            .starts_with("byte 6: a RAT step, which is no resolution")
    );
    assert_eq!(
        binary(&[
            b'a', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
        ]),
        "byte 10: expected a number of at most nine bytes, found byte 0xff"
    );
    let trace = |text: &str| error(import_tracecheck(&cnf, text.as_bytes()));
    assert_eq!(
        trace("1 1 2 0 0\n1 1 0 0"),
        "line 2, column 2: clause 1 is there already"
    );
    assert_eq!(
        trace("1 2 0 0\n2 0 1 0"),
        "line 1, column 8: clause 1 has no antecedents and is no clause of the formula"
    );
    assert_eq!(
        trace("1 1 0 2 0\n2 0 1 0"),
        "clause 2 is derived from itself"
    );
    assert_eq!(
        trace("2 0 1 0"),
        "line 1, column 8: there is no clause 1 here"
    );
    assert_eq!(
        trace("1 * 0\n"),
        "line 1, column 6: step 1: there are no antecedents"
    );
}

#[test]
fn hints_may_be_superfluous_or_in_disorder() {
    let cnf = small();
    let text = "c superfluous, satisfied and tautological hints\n\
                6 2 0 4 5 1 2 0\n\
                7 1 -1 0 0\n\
                6 d 3 0\n\
                8 -2 0 7 3 4 0\n\
                9 0 8 6 1 0\n";
    let dag = import_lrat(&cnf, text.as_bytes()).unwrap();
    assert_refutes(&dag, &cnf);
    assert_eq!(dag.n_steps(), 3);
    // Two units in the wrong order.
    let text = "6 2 0 1 2 0\n7 0 4 3 6 0\n";
    let dag = import_lrat(&cnf, text.as_bytes()).unwrap();
    assert_refutes(&dag, &cnf);
    assert_eq!(dag.n_steps(), 3);
    assert!(check_lrat(&cnf, text.as_bytes()).is_err());
    // The strict checker applies deletions.
    let deleted = "6 2 0 1 2 0\n6 d 3 0\n7 0 6 3 4 0\n";
    assert!(import_lrat(&cnf, deleted.as_bytes()).is_ok());
    assert!(matches!(
        check_lrat(&cnf, deleted.as_bytes()),
        Err(ImportError::Step {
            error: CheckError::UnknownClause { step: 7, clause: 3 },
            ..
        })
    ));
}

#[test]
fn traces_may_leave_resolvents_open() {
    let cnf = small();
    let text = "1 1 2 0 0\n2 -1 2 0 0\n3 1 -2 0 0\n4 -1 -2 0 0\n5 * 1 2 0\n6 * 3 4 5 0\n";
    let dag = import_tracecheck(&cnf, text.as_bytes()).unwrap();
    assert_refutes(&dag, &cnf);
    assert!(matches!(
        import_tracecheck(&cnf, &text.as_bytes()[..text.len() - 12]),
        Err(ImportError::NoRefutation)
    ));
}

#[test]
fn a_formula_with_the_empty_clause_needs_no_steps() {
    let mut cnf = small();
    cnf.add_labelled_clause(&[], 9);
    let dag = import_lrat(&cnf, &b""[..]).unwrap();
    assert_refutes(&dag, &cnf);
    assert_eq!(check_lrat(&cnf, &b""[..]).unwrap(), 0);
    assert_refutes(&import_tracecheck(&cnf, &b"1 0 0"[..]).unwrap(), &cnf);
}
