//! The formats: files of each, and what has to hold of whatever its reader is given.

use std::fmt::Display;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use craig_formula::dimacs::{self, Calls, Input};
use craig_formula::refutation::{RefutationFile, RefutationFormat};
use craig_hardware::aiger::{self, AigerModel};
use craig_hardware::{btor2, witness};
use craig_itp::Stop;
use craig_mc::Alone;
use craig_mc::engine::pdr;
use craig_model::Verdict;
use craig_program::line_up::LineUp;
use craig_solver::proof::check::{check_dag, check_leaves};
use craig_solver::proof::import::{import_drat, import_lrat, import_tracecheck};
use craig_solver::proof::{Encoding, ProofDag, ProofLog};
use craig_solver::{Answer, Cnf, Label, Lit, Options, Solver};

/// A format.
pub(super) struct Format {
    pub(super) name: &'static str,
    /// That of files with findings, by which they are read again.
    pub(super) extension: &'static str,
    /// Files that are read.
    pub(super) files: Vec<Vec<u8>>,
    /// Whether bytes are read, or else refused; what is wrong with either is the error.
    pub(super) read: fn(&[u8]) -> Result<bool, String>,
}

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        vec![$(include_bytes!(concat!("../../../../examples/", $name)).to_vec()),*]
    };
}

/// All formats.
pub(super) fn formats() -> Vec<Format> {
    let proofs = |format, encoding| vec![proof(format, encoding)];
    vec![
        Format {
            name: "aiger",
            extension: "aag",
            files: aiger_files(),
            read: aiger_file,
        },
        Format {
            name: "btor2",
            extension: "btor2",
            files: [examples!["memory.btor2"], vec![WORDS.to_vec()]].concat(),
            read: btor2_file,
        },
        Format {
            name: "dimacs",
            extension: "cnf",
            files: [
                examples!["pigeons_sat.cnf", "pigeons_unsat.cnf"],
                vec![b"p inccnf\n1 2 0\nc a call\na -1 0\n-2 3 -1 0\na 1 -3 0\n".to_vec()],
            ]
            .concat(),
            read: dimacs_file,
        },
        Format {
            name: "drat",
            extension: "drat",
            files: proofs(RefutationFormat::Drat, Encoding::Text),
            read: drat_file,
        },
        Format {
            name: "binary drat",
            extension: "bdrat",
            files: proofs(RefutationFormat::Drat, Encoding::Binary),
            read: drat_file,
        },
        Format {
            name: "lrat",
            extension: "lrat",
            files: proofs(RefutationFormat::Lrat, Encoding::Text),
            read: lrat_file,
        },
        Format {
            name: "binary lrat",
            extension: "blrat",
            files: proofs(RefutationFormat::Lrat, Encoding::Binary),
            read: lrat_file,
        },
        Format {
            name: "tracecheck",
            extension: "tc",
            files: proofs(RefutationFormat::Tracecheck, Encoding::Text),
            read: tracecheck_file,
        },
        Format {
            name: "witness",
            extension: "witness",
            files: vec![RUN.to_vec(), certificate()],
            read: witness_file,
        },
        Format {
            name: "c",
            extension: "c",
            files: vec![PROGRAM.to_vec(), FUNCTIONS.to_vec()],
            read: c_file,
        },
        Format {
            name: "smt",
            extension: "smt2",
            files: [examples!["interpolants.smt2"], vec![SCRIPT.to_vec()]].concat(),
            read: smt_file,
        },
        Format {
            name: "vmt",
            extension: "vmt",
            files: examples!["waiting.vmt"],
            read: vmt_file,
        },
        Format {
            name: "line-up",
            extension: "toml",
            files: vec![LineUp::DEFAULT.as_bytes().to_vec()],
            read: line_up,
        },
    ]
}

/// A refusal: its message is one line with something in it, and names the file.
fn refused(error: &impl Display, name: &str) -> Result<bool, String> {
    let message = error.to_string();
    if message.trim().is_empty() || message.contains('\n') || message.len() > 2000 {
        return Err(format!("message: {} bytes: {message:?}", message.len()));
    }
    match message.contains(name) {
        true => Ok(false),
        false => Err(format!("message: without the file: {message}")),
    }
}

fn written<E: Display>(result: Result<(), E>) -> Result<(), String> {
    result.map_err(|error| format!("writing: {error}"))
}

fn equal(first: &[u8], again: &[u8]) -> Result<bool, String> {
    match first == again {
        true => Ok(true),
        false => Err("again: what is written is read as something else".to_owned()),
    }
}

fn drat_file(bytes: &[u8]) -> Result<bool, String> {
    refutation(bytes, |cnf, bytes| {
        import_drat(cnf, bytes, || false).map_err(|it| it.to_string())
    })
}

fn lrat_file(bytes: &[u8]) -> Result<bool, String> {
    refutation(bytes, |cnf, bytes| {
        import_lrat(cnf, bytes).map_err(|it| it.to_string())
    })
}

fn tracecheck_file(bytes: &[u8]) -> Result<bool, String> {
    refutation(bytes, |cnf, bytes| {
        import_tracecheck(cnf, bytes).map_err(|it| it.to_string())
    })
}

fn aiger_files() -> Vec<Vec<u8>> {
    examples![
        "several.aag",
        "counter_safe.aag",
        "requests.aag",
        "pipeline_safe.aig",
    ]
}

fn aiger_file(bytes: &[u8]) -> Result<bool, String> {
    let circuit = match aiger::read(bytes, "input") {
        Ok(circuit) => circuit,
        Err(error) => return refused(&error, "input"),
    };
    let (mut first, mut binary, mut again) = (Vec::new(), Vec::new(), Vec::new());
    written(aiger::write_ascii(&circuit, &mut first))?;
    written(aiger::write_binary(&circuit, &mut binary))?;
    let read = aiger::read(&binary, "binary").map_err(|error| format!("again: {error}"))?;
    written(aiger::write_ascii(&read, &mut again))?;
    equal(&first, &again)
}

const WORDS: &[u8] = b"1 sort bitvec 8
2 sort bitvec 1
3 input 1 x
4 zero 1
5 state 1 s
6 init 1 5 4
7 add 1 5 3
8 next 1 5 7
9 constd 1 200
10 ugt 2 5 9
11 slice 2 3 7 7
12 and 2 10 -11
13 bad 12 over
14 constraint -11
15 sort bitvec 16
16 concat 15 3 5
17 output 16 both
";

fn btor2_file(bytes: &[u8]) -> Result<bool, String> {
    let circuit = match btor2::read(bytes, "input") {
        Ok(circuit) => circuit,
        Err(error) => return refused(&error, "input"),
    };
    let (mut first, mut again) = (Vec::new(), Vec::new());
    written(btor2::write(&circuit, &mut first))?;
    let read = btor2::read(&first, "first").map_err(|error| format!("again: {error}"))?;
    written(btor2::write(&read, &mut again))?;
    equal(&first, &again)
}

fn dimacs_file(bytes: &[u8]) -> Result<bool, String> {
    let Ok(mut input) = dimacs::decompress(bytes) else {
        return Ok(false);
    };
    let formula = match dimacs::read_input(&mut input, "input") {
        Ok(Input::Formula(formula, _)) => formula,
        // Each call is about the clauses that were read before it, and about variables that the formula has.
        Ok(Input::Calls(Calls { cnf, calls })) => {
            let is_known = |lit: &Lit| lit.var().index() < cnf.n_vars();
            let is_right = calls.iter().all(|call| {
                call.n_clauses <= cnf.n_clauses() && call.assumptions.iter().all(is_known)
            }) && calls.is_sorted_by_key(|call| call.n_clauses);
            let wrong = || "a call that is not about the formula".to_owned();
            return is_right.then_some(true).ok_or_else(wrong);
        }
        Err(error) => return refused(&error, "input"),
    };
    let mut text = Vec::new();
    written(dimacs::write(&formula, &mut text))?;
    let again =
        dimacs::read(&mut text.as_slice(), "again").map_err(|error| format!("again: {error}"))?;
    match formula.iter().eq(again.iter()) {
        true => Ok(true),
        false => Err("again: another formula".to_owned()),
    }
}

/// Four pigeons in three holes: contradictory, but not without any of its clauses.
static FORMULA: LazyLock<Cnf> = LazyLock::new(|| {
    let sits =
        |pigeon: i64, hole: i64| Lit::from_dimacs(1 + pigeon * 3 + hole).expect("it is not 0");
    let mut cnf = Cnf::new();
    let mut add = |clause: &[Lit]| {
        let label = Label::try_from(cnf.n_clauses()).expect("there are few");
        cnf.add_labelled_clause(clause, label);
    };
    for pigeon in 0..4 {
        add(&[0, 1, 2].map(|hole| sits(pigeon, hole)));
    }
    for hole in 0..3 {
        for one in 0..4 {
            for other in 0..one {
                add(&[!sits(one, hole), !sits(other, hole)]);
            }
        }
    }
    cnf
});

/// A refutation of the formula.
fn proof(format: RefutationFormat, encoding: Encoding) -> Vec<u8> {
    let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
    for (clause, label) in FORMULA.iter() {
        solver.add_labelled_clause(clause, label);
    }
    assert_eq!(
        solver.solve(&[]),
        Answer::Unsatisfiable,
        "there are too many pigeons"
    );
    let root = solver.refutation().expect("there are no assumptions");
    let dag = solver.proof().trim(root);
    let mut bytes = Vec::new();
    let file = RefutationFile {
        format,
        encoding,
        output: &mut bytes,
    };
    file.write(&FORMULA, &dag)
        .expect("a vector takes all bytes");
    bytes
}

/// What is taken for a refutation is one, and none of a formula with models.
fn refutation(
    bytes: &[u8],
    import: fn(&Cnf, &[u8]) -> Result<ProofDag, String>,
) -> Result<bool, String> {
    let mut satisfiable = Cnf::new();
    satisfiable.reserve_vars(FORMULA.n_vars());
    for (clause, label) in FORMULA.iter().skip(1) {
        satisfiable.add_labelled_clause(clause, label);
    }
    if import(&satisfiable, bytes).is_ok() {
        return Err("wrong: a refutation of a formula that has a model".to_owned());
    }
    match import(&FORMULA, bytes) {
        Err(message) => refused(&message, ""),
        Ok(dag) => {
            let checked = check_dag(&dag).and_then(|()| check_leaves(&dag, &FORMULA));
            checked.map_err(|error| format!("step: {error}"))?;
            match dag.is_refutation() {
                true => Ok(true),
                false => Err("end: it does not end in the empty clause".to_owned()),
            }
        }
    }
}

const COUNTER: &[u8] = include_bytes!("../../../../examples/counter_safe.aag");
const RUN: &[u8] = b"1\nb0\n0000\n1\n0\n1\nx\n.\n";

static CIRCUIT: LazyLock<AigerModel> =
    LazyLock::new(|| aiger::read(COUNTER, "model").expect("it is a circuit"));

/// A witness circuit for the counter.
fn certificate() -> Vec<u8> {
    let model = &CIRCUIT.model;
    let outcome = pdr::check(model, 0, &pdr::Options::default(), Alone::new().control());
    let Verdict::Safe(certificate) = outcome.verdict else {
        unreachable!("the counter is safe");
    };
    let mut bytes = Vec::new();
    witness::write_certificate(&certificate, &CIRCUIT, aiger::Encoding::Ascii, &mut bytes)
        .expect("a vector takes all bytes");
    bytes
}

fn witness_file(bytes: &[u8]) -> Result<bool, String> {
    let model = &*CIRCUIT;
    let mut text = Vec::new();
    let ascii = aiger::Encoding::Ascii;
    match witness::read(bytes, "input", model) {
        Err(error) => return refused(&error, "input"),
        Ok(witness::Witness::Trace(file)) => {
            let run = file.prefix(file.bads[0], file.inputs.len());
            written(witness::write_trace(&run, &mut text))?;
        }
        Ok(witness::Witness::Certificate(certificate)) => {
            written(witness::write_certificate(
                &certificate,
                model,
                ascii,
                &mut text,
            ))?;
        }
        Ok(witness::Witness::Liveness(certificate)) => {
            written(witness::write_liveness_certificate(
                &certificate,
                model,
                ascii,
                &mut text,
            ))?;
        }
    }
    let again = witness::read(&text, "again", model);
    again
        .map(|_| true)
        .map_err(|error| format!("again: {error}"))
}

const PROGRAM: &[u8] = b"extern int nondet(void);
extern void reach_error(void);
struct pair { int first; unsigned char rest[4]; };
static struct pair all[3] = {{1, {2, 3}}, {.first = 7}};
int main(void) {
    int sum = 0, i;
    for (i = 0; i < 3; i++) {
        switch (all[i].first) {
        case 1: sum += all[i].rest[1] << 2; break;
        default: sum -= nondet() % 5; continue;
        }
    }
    int *p = &sum;
    if (*p == 12 && !(sum & 0x3u)) reach_error();
    return sum ? 1 : 0;
}
";
const FUNCTIONS: &[u8] = b"typedef unsigned long size_t;
typedef int (*order)(const void *, const void *);
union both { float f; unsigned u; };
enum colour { RED, GREEN = 5, BLUE };
static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline long twice(long x) { return x < 0 ? -2 * x : x + x; }
int main(int argc, char **argv) {
    union both it = { .f = 1.5f };
    order by = less;
    int v[2] = { 3, BLUE };
    size_t n = sizeof(v) / sizeof *v;
    do { v[n - 1] = (int)twice(v[0]) ^ (int)it.u; } while (--n);
    if (by(&v[0], &v[1]) > 100 || argc < 0) goto out;
    __CPROVER_assert(v[0] != 0 || argv == (char **)0, \"note\\n\");
out:
    return v[1] ? 'a' : L'b';
}
";

fn c_file(bytes: &[u8]) -> Result<bool, String> {
    // The command reads text; what is none is refused before.
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Ok(false);
    };
    match craig_c::count_properties(text, &craig_c::Options::default()) {
        Ok(_) => Ok(true),
        Err(message) => refused(&message, ""),
    }
}

const SCRIPT: &[u8] = b"(set-logic QF_ABV)
(set-option :produce-unsat-cores true)
(declare-fun m () (Array (_ BitVec 3) (_ BitVec 4)))
(declare-const i (_ BitVec 3))
(define-fun two ((x (_ BitVec 4))) (_ BitVec 4) (bvadd x #b0010))
(push 1)
(assert (! (= (select (store m i #x3) #b001) (two #x5)) :named a))
(assert (or (= i #b001) (distinct ((_ extract 2 0) (two #xf)) i)))
(check-sat)
(get-value (i (select m i)))
(pop 1)
(assert (let ((y (bvmul #x3 #x7))) (bvult y #x2)))
(check-sat)
";

fn vmt_file(bytes: &[u8]) -> Result<bool, String> {
    let circuit = match craig_smt::vmt::read(bytes, "input") {
        Ok(circuit) => circuit,
        Err(error) => return refused(&error, "input"),
    };
    let mut lines = Vec::new();
    btor2::write(&circuit, &mut lines).map_err(|error| error.to_string())?;
    match btor2::read(&lines, "input") {
        Ok(_) => Ok(true),
        Err(error) => Err(format!("the circuit is none: {error}")),
    }
}

fn smt_file(bytes: &[u8]) -> Result<bool, String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Ok(false);
    };
    // Long searches are no matter of the reader.
    let n_polls = AtomicUsize::new(0);
    let stop = Stop::when(move || n_polls.fetch_add(1, Ordering::Relaxed) > 500);
    match craig_smt::run(
        text,
        "input",
        &craig_smt::Options::default(),
        &stop,
        &mut |_| {},
    ) {
        Ok(_) => Ok(true),
        Err(craig_smt::Failure::Input(error)) => refused(&error, "input"),
        Err(craig_smt::Failure::Stopped) => Ok(false),
        Err(error) => Err(format!("internal: {error}")),
    }
}

fn line_up(bytes: &[u8]) -> Result<bool, String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Ok(false);
    };
    match LineUp::parse(text) {
        Ok(_) => Ok(true),
        Err(error) => refused(&error, ""),
    }
}
