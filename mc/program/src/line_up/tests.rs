//! The tables of line-ups, and errors in them.

use super::*;

fn names(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| &entry.name[..]).collect()
}

fn own_names(line_up: &ProgramLineUp) -> Vec<&str> {
    line_up
        .entries
        .iter()
        .map(|entry| &entry.name[..])
        .collect()
}

#[test]
fn threads_choose_from_the_default() {
    let line_up = LineUp::default();
    let circuit = |threads| line_up.for_circuit(threads, 0);
    let few = ["pdr", "gla", "avy", "imc", "sim", "sim, guided", "kind"];
    assert_eq!(names(&circuit(0)), few);
    for threads in [1, 2, 3] {
        let entries = circuit(threads);
        assert_eq!(names(&entries), few);
        let at_once = |entry: &Entry| entry.turns.map(|turns| turns.at_once);
        assert!(entries.iter().all(|entry| at_once(entry) == Some(threads)));
    }
    let four = circuit(4);
    assert_eq!(
        names(&four),
        [
            "pdr",
            "gla",
            "pdr, plain",
            "kind",
            "sim",
            "sim, guided",
            "avy",
            "imc"
        ]
    );
    let at_once = four
        .iter()
        .map(|entry| entry.turns.map(|turns| turns.at_once));
    let shared = [Some(1); 5];
    assert!(at_once.eq([None; 3].into_iter().chain(shared)));
    for (threads, n_entries) in [(5, 5), (8, 8), (16, 16), (usize::MAX, 20)] {
        assert_eq!(circuit(threads).len(), n_entries);
    }
    // Strides of 1, 10, 65 and doubling ones, and both models.
    let sixteen = circuit(16);
    for name in ["bmc", "bmc, 10", "bmc, 65", "kind, long"] {
        assert!(names(&sixteen).contains(&name), "{name}");
    }
    let mut all = circuit(usize::MAX);
    let n_all = all.len();
    all.sort_unstable_by(|left, right| left.name.cmp(&right.name));
    all.dedup_by(|left, right| left.name == right.name);
    assert_eq!(all.len(), n_all, "an entry comes twice");
    let original = sixteen.iter().filter(|entry| entry.original);
    assert_eq!(original.count(), 1);
    let loops = |threads| line_up.for_program(threads, 0);
    assert_eq!(own_names(&loops(1)), ["pdr", "imc"]);
    assert_eq!(own_names(&loops(9)), ["pdr", "imc", "kind", "isb"]);
}

#[test]
fn entries_say_which_model_they_search() {
    let text = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\noriginal = \
                true\n[[circuit.entry]]\nengine = \"pdr\"\n[loop]\n[[loop.entry]]\nengine = \"pdr\"\n";
    let entries = LineUp::parse(text).unwrap().for_circuit(2, 0);
    let original: Vec<bool> = entries.iter().map(|entry| entry.original).collect();
    assert_eq!(original, [true, false]);
}

/// Passes of the reduction that a table for programs leaves out.
#[test]
fn programs_skip_passes() {
    let text = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\n[loop]\nskip-passes = [\"signals\", \
                \"latches\"]\n[[loop.entry]]\nengine = \"avy\"\n";
    let line_up = LineUp::parse(text).unwrap();
    let own = line_up.for_program(2, 0);
    assert_eq!(own_names(&own), ["avy"]);
    let expected = Passes::ALL.without("signals").without("latches");
    assert_eq!(own.passes, expected);
    let wrong = text.replace("\"latches\"", "\"latch\"");
    let error = LineUp::parse(&wrong).unwrap_err();
    assert!(
        error
            .message
            .starts_with("`skip-passes`: expected a list of"),
        "{error}"
    );
}

/// Tables for programs may have engines for automata, that for circuits may not.
#[test]
fn engines_for_automata_are_for_programs() {
    let circuit = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\n";
    let own = "[loop]\n[[loop.entry]]\nengine = \"pdr\"\n[[loop.entry]]\nengine = \
               \"impact\"\nsimplify = true\nturn = 50\n";
    let line_up = LineUp::parse(&[circuit, own].concat()).unwrap();
    let found = line_up.for_program(2, 0);
    assert_eq!(own_names(&found), ["pdr", "impact"]);
    let kinds = found.entries.iter().map(ProgramEntry::is_for_automata);
    assert_eq!(kinds.collect::<Vec<_>>(), [false, true]);
    for (wrong, expected) in [
        (
            [&circuit.replacen("\"imc\"", "\"impact\"", 1), own].concat(),
            "`engine`: expected one of `bmc`",
        ),
        (
            [circuit, &own.replacen("[loop]", "[event-loop]", 1)].concat(),
            "`event-loop`: expected one of `circuit`, `program`, `loop`",
        ),
        (
            [circuit, &own.replacen("[loop]", "[loop]\nlemmas = 250", 1)].concat(),
            "`lemmas`: expected one of `at-least`",
        ),
    ] {
        let error = LineUp::parse(&wrong).unwrap_err();
        assert!(error.message.contains(expected), "{error}");
    }
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let good = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\n[loop]\n[[loop.entry]]\nengine = \
                \"pdr\"\n";
    assert!(LineUp::parse(good).is_ok());
    for (from, to, line, expected) in [
        ("[circuit]", "[circuit", 1, "expected TOML"),
        (
            "\"imc\"",
            "\"imac\"",
            3,
            "`engine`: expected one of `bmc`, `imc`",
        ),
        (
            "\"imc\"",
            "\"imc\"\nsystm = \"mcmillan\"",
            4,
            "`systm`: expected one of `system`",
        ),
        (
            "\"imc\"",
            "\"imc\"\nsystem = 3",
            4,
            "`system`: expected one of `mcmillan`",
        ),
        (
            "\"imc\"",
            "\"imc\"\nmax-depth = -3",
            4,
            "`max-depth`: expected a whole number",
        ),
        (
            "\"imc\"",
            "\"imc\"\nfirst-turn = 20",
            2,
            "expected a key `turn`",
        ),
        (
            "\"imc\"",
            "\"imc\"\nthreads-to = 3",
            1,
            "expected an entry for 4 threads",
        ),
        (
            "\"imc\"",
            "\"imc\"\nturn = 0",
            4,
            "`turn`: expected a whole number, at least 1",
        ),
        (
            "\"imc\"",
            "\"imc\"\noriginal = 1",
            4,
            "`original`: expected `true` or `false`",
        ),
        (
            "\"imc\"",
            "\"imc\"\nthreads-from = 2",
            1,
            "expected an entry for 1 threads",
        ),
        (
            "[circuit]",
            "[circuit]\nat-least = 0",
            2,
            "`at-least`: expected a whole number, at",
        ),
        (
            "[circuit]",
            "[circuits]",
            1,
            "`circuits`: expected one of `circuit`",
        ),
        ("engine = \"pdr\"", "seed = 1", 5, "expected a key `engine`"),
        (
            "engine = \"pdr\"",
            "engine = \"pdr\"\npdr-without = \"turns\"",
            7,
            "a list of some of",
        ),
    ] {
        let error = LineUp::parse(&good.replacen(from, to, 1)).unwrap_err();
        assert!(error.message.contains(expected), "{error}");
        assert_eq!(error.line, line, "{error}");
    }
}

/// The text that a build without the feature `bdd` has as its default names nothing that needs decision diagrams.
#[test]
fn the_default_without_diagrams_is_a_line_up() {
    let text = include_str!("line_up.toml");
    assert!(!text.contains("\"bdd\""));
    let own = LineUp::parse_over(text, None).expect("it is valid");
    let [own, all] = [own, LineUp::default()].map(|line_up| line_up.for_circuit(64, 0));
    let others = names(&all).into_iter().filter(|&name| name != "bdd");
    assert_eq!(names(&own), others.collect::<Vec<_>>());
}

/// The rows of the default: every stage has one, and a text that repeats them is the default again.
#[test]
fn the_default_has_every_stage() {
    let line_up = LineUp::default();
    assert_eq!(LineUp::parse(LineUp::DEFAULT), Ok(line_up.clone()));
    for name in StageName::ALL {
        let (own, other) = match name.of() {
            StageOf::Circuit => (&line_up.circuit_stages, &line_up.program_stages),
            StageOf::Program => (&line_up.program_stages, &line_up.circuit_stages),
        };
        assert!(own.has(name) && !other.has(name), "{}", name.name());
        let set: Vec<Amount> = own.row(name).amounts.into_keys().collect();
        let mut all = name.amounts().to_vec();
        all.sort_unstable();
        assert_eq!(set, all, "{}", name.name());
    }
    let operators = line_up.circuit_stages.get(StageName::Operators).unwrap();
    assert_eq!(
        (operators.share, operators.cap),
        (40, Some(Duration::from_secs(600)))
    );
    let run = line_up.program_stages.get(StageName::Run).unwrap();
    assert_eq!(run.duration(Condition::Rest), Duration::from_secs(5));
}

/// Every amount is read from its row, and is that of the default where a row, or a text, does not set it.
#[test]
fn amounts_are_read_back() {
    let entries = "[[circuit.entry]]\nengine = \"imc\"\n[loop]\n[[loop.entry]]\nengine = \"pdr\"\n";
    let default = LineUp::default();
    for name in StageName::ALL {
        let table = match name.of() {
            StageOf::Circuit => "circuit",
            StageOf::Program => "program",
        };
        let stages = |line_up: &LineUp| match name.of() {
            StageOf::Circuit => line_up.circuit_stages.clone(),
            StageOf::Program => line_up.program_stages.clone(),
        };
        let read = |rows: &str| {
            let rows = match rows {
                "" => "stage = []\n".to_owned(),
                rows => format!("[[{table}.stage]]\nstage = \"{}\"\n{rows}", name.name()),
            };
            let own = match name.of() {
                StageOf::Circuit => format!("[circuit]\n{rows}{entries}"),
                StageOf::Program => format!("[program]\n{rows}[circuit]\n{entries}"),
            };
            stages(&LineUp::parse(&own).expect(&own)).row(name)
        };
        for &amount in name.amounts() {
            let usual = stages(&default).row(name).amount(amount);
            let other = usual + 1;
            let set = read(&format!("{} = {other}\n", amount.name()));
            assert_eq!(
                set.amount(amount),
                other,
                "{} {}",
                name.name(),
                amount.name()
            );
            for &amount in name.amounts().iter().filter(|&&one| one != amount) {
                assert_eq!(
                    set.amount(amount),
                    stages(&default).row(name).amount(amount)
                );
            }
            assert_eq!(read("").amount(amount), usual);
        }
    }
}

/// What comes before the engines of a line-up only is a matter of the rows.
#[test]
fn rows_say_what_comes_before_an_engine_that_is_named() {
    let engines = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\n[loop]\n[[loop.entry]]\nengine = \"pdr\"\n";
    let parsed = |row: &str| LineUp::parse(&format!("[[program.stage]]\n{row}\n{engines}"));
    let is_for_named = |row: &str| {
        let stages = parsed(row).unwrap().program_stages;
        (
            stages.for_named().has(StageName::Domains),
            stages.has(StageName::Domains),
        )
    };
    assert_eq!(is_for_named("stage = \"domains\""), (false, true));
    assert_eq!(
        is_for_named("stage = \"domains\"\nfor-named = true"),
        (true, true)
    );
    let error = parsed("stage = \"unfolded\"\nfor-named = true").unwrap_err();
    assert!(
        error
            .message
            .contains("`for-named`: expected one of `stage`"),
        "{error}"
    );
    let left_out = StageName::ALL.into_iter().filter(|&name| {
        let default = LineUp::default().program_stages;
        default.has(name) && !default.for_named().has(name)
    });
    assert!(
        left_out.eq(StageName::ALL
            .into_iter()
            .filter(|name| name.may_leave_named()))
    );
}

/// No amounts make a time that is out of range.
#[test]
fn shares_of_rounds_grow_up_to_a_limit() {
    let mut row = Stage::new(StageName::Rounds);
    let seconds = |row: &Stage, round| row.in_round(round).as_secs();
    assert_eq!([0, 1, 5].map(|round| seconds(&row, round)), [1, 2, 32]);
    row.amounts = [(Amount::First, u32::MAX), (Amount::Growth, u32::MAX)].into();
    assert_eq!(seconds(&row, u32::MAX), 1 << 30);
}

/// A text without rows has the default ones, one with an empty list none, and one with some rows has only these.
#[test]
fn rows_of_stages_replace_the_default_ones() {
    let engines = "[[circuit.entry]]\nengine = \"imc\"\n[loop]\n[[loop.entry]]\nengine = \"pdr\"\n";
    let stages = |first: &str| LineUp::parse(&[first, engines].concat()).unwrap();
    let default = LineUp::default();
    let without = stages("[circuit]\n");
    assert_eq!(without.circuit_stages, default.circuit_stages);
    let programs = default.program_stages.without(StageName::Signals);
    assert_eq!(without.program_stages, programs);
    let none = stages("[program]\nstage = []\n[circuit]\nstage = []\n");
    assert_eq!(
        [none.circuit_stages, none.program_stages],
        [Stages::NONE; 2]
    );
    let one =
        stages("[circuit]\n[[circuit.stage]]\nstage = \"isomorphic\"\nshare = 7\ncap = 300\n");
    assert!(!one.circuit_stages.has(StageName::FirstSteps));
    let own = one.circuit_stages.get(StageName::Isomorphic).unwrap();
    assert_eq!((own.share, own.cap), (7, Some(Duration::from_millis(300))));
    assert_eq!(one.program_stages, programs);
}

#[test]
fn errors_in_rows_of_stages_name_the_line_and_what_was_expected() {
    let good = "[circuit]\n[[circuit.stage]]\nstage = \"search-together\"\nshare = 7\n[[circuit.entry]]\nengine = \
                \"imc\"\n[loop]\n[[loop.entry]]\nengine = \"pdr\"\n";
    assert!(LineUp::parse(good).is_ok());
    for (from, to, line, expected) in [
        (
            "search-together",
            "explicit",
            3,
            "`stage`: expected one of `rounds`, `induction`, `reduce-together`",
        ),
        (
            "stage = \"search-together\"",
            "cap = 1",
            2,
            "expected a key `stage`",
        ),
        (
            "share = 7",
            "share = 0",
            4,
            "`share`: expected percents, from 1 to 100",
        ),
        (
            "share = 7",
            "share = 101",
            4,
            "`share`: expected percents, from 1 to 100",
        ),
        (
            "share = 7",
            "cap = 0",
            4,
            "`cap`: expected a whole number, at least 1",
        ),
        (
            "share = 7",
            "shares-to = 0",
            4,
            "`shares-to`: expected a whole number, at least 1",
        ),
        (
            "share = 7",
            "shares-to = 4294967296",
            4,
            "`shares-to`: expected at most 4294967295",
        ),
        (
            "stage = \"search-together\"\nshare = 7",
            "stage = \"slices\"\nfirst-share = 101",
            4,
            "`first-share`: expected percents, from 1 to 100",
        ),
        (
            "share = 7",
            "nodes-to = 9",
            4,
            "`nodes-to`: expected one of `stage`, `share`, `cap`, `bads-from`",
        ),
        (
            "share = 7",
            "[[circuit.stage]]\nstage = \"search-together\"",
            4,
            "there is another row for `search-together`",
        ),
        (
            "[loop]",
            "[program]\nentry = 3\n[loop]",
            8,
            "`entry`: expected one of `stage`",
        ),
        (
            "[[circuit.stage]]\nstage = \"search-together\"\nshare = 7\n",
            "stage = 3\n",
            2,
            "`stage`: expected a list of tables",
        ),
    ] {
        let error = LineUp::parse(&good.replacen(from, to, 1)).unwrap_err();
        assert!(error.message.contains(expected), "{error}");
        assert_eq!(error.line, line, "{error}");
    }
}
