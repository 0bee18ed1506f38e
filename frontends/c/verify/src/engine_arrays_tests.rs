//! One engine for programs on large arrays: who decides, and that no error is lost.

use std::time::{Duration, Instant};

use craig_mc::Alone;
use craig_mc::engine::options::{Settings, Value};
use craig_model::Stop;
use craig_program::engine::{ARRAYS, BLOCKS};
use craig_program::line_up::StageName;
use craig_program::registry;

use crate::options::{Engine, Options};
use crate::portfolio::{decide, refusal};
use crate::report::{Decider, ENGINE};
use crate::tests::{letter, program};
use craig_c_lang::types::DataModel;
use craig_verify::{INVARIANTS, ProgramSearch};

/// The pattern of figure 2 of Jhala and McMillan (2007), on an array that no automaton has all cells of.
const FIGURE_2: &str = "int nondet(void); void reach_error(void); int a[100000];
    int main(void) {
        int x = nondet(), y = nondet(), z;
        if (x < 0 || x >= 100000) return 0;
        a[x] = y; y = y + 1; z = nondet();
        if (z != x) return 0;
        if (a[z] != y - 1) reach_error();
    }";

/// Writes of 0 at any index, in a loop without a bound.
const REPEATED: &str = "int nondet(void); void reach_error(void); int a[100000];
    int main(void) {
        while (nondet()) {
            int x = nondet();
            if (x < 0 || x >= 100000) return 0;
            if (a[x] != 0) reach_error();
            a[x] = nondet() * 0;
        }
    }";

fn chosen(words: &[(&'static str, &'static str)]) -> Settings {
    let mut settings = Settings::default();
    for &(option, word) in words {
        let option = [&BLOCKS, &ARRAYS].into_iter().find(|it| it.name == option);
        settings.set(option.unwrap(), Value::Word(word.to_owned()));
    }
    settings
}

fn options(engine: &str, settings: &Settings, only: bool) -> Options {
    let found = registry::ENGINES.iter().find(|it| it.name == engine);
    Options {
        engine: Engine::Model,
        program_search: Some(ProgramSearch::new(found.unwrap(), settings)),
        only,
        ..Options::default()
    }
}

fn decided(text: &str, engine: &str, settings: &Settings, only: bool) -> (char, Decider) {
    let program = program(text, DataModel::Lp64);
    let alone = Alone::until(Stop::new().with_deadline(Instant::now() + Duration::from_secs(60)));
    let options = options(engine, settings, only);
    let (verdict, decider) = decide(&program, &options, alone.control());
    assert!(verdict.is_ok(), "{verdict:?}");
    (letter(&verdict), decider)
}

#[test]
fn engines_for_programs_prove_facts_about_large_arrays() {
    for engine in ["predabs", "impact", "rse", "annotate"] {
        for text in [FIGURE_2, REPEATED] {
            let (found, decider) = decided(text, engine, &Settings::default(), false);
            assert_eq!(found, 's', "{engine}: {text}");
            assert_eq!(decider.phase, StageName::EngineElements.name());
            // On a slow machine, the time that the engine has alone may be too short.
            assert!(
                [engine, INVARIANTS].contains(&decider.engine),
                "{decider:?}"
            );
        }
    }
}

/// A large array that the proof is not about does not keep an engine from its own automaton.
#[test]
fn cells_have_a_turn_before_elements() {
    let text = "int nondet(void); void reach_error(void); int table[1000];
        int main(void) {
            int held = 0; table[nondet() & 511] = 1;
            while (nondet()) { if (held) reach_error(); held = 1; table[3] = 2; held = 0; }
        }";
    let (found, decider) = decided(text, "impact", &Settings::default(), false);
    assert_eq!(
        (found, decider.engine, decider.phase),
        ('s', "impact", ENGINE)
    );
}

/// An engine that decides alone gets the cells, unless elements are asked for.
#[test]
fn an_engine_alone_follows_elements_only_if_asked() {
    let (found, decider) = decided(FIGURE_2, "predabs", &Settings::default(), true);
    assert_eq!((found, decider.phase), ('?', ENGINE));
    let settings = chosen(&[("arrays", "elements")]);
    let (found, decider) = decided(FIGURE_2, "predabs", &settings, true);
    assert_eq!(found, 's');
    assert_eq!(decider.phase, StageName::EngineElements.name());
    let (found, _) = decided(FIGURE_2, "predabs", &chosen(&[("arrays", "cells")]), false);
    assert_eq!(found, '?');
}

/// Stores at any index in three rounds; an error needs three elements, of which one is 0 from the start.
const FEW: &str = "unsigned nondet(void); void reach_error(void); unsigned a[5000]; struct { unsigned k, v; } b[1000];
    int main(void) {
        for (unsigned n = 0; n < 3; n++) {
            unsigned i = nondet() % 5000, j = nondet() % 5000, k = nondet() % 1000;
            unsigned old = a[j];
            a[i] = old + 3; b[k].k = a[i];
            if (a[i] != old + 3 || b[k].k != a[i]) reach_error();
            if (LAST) reach_error();
        }
    }";

/// An error that depends on more elements than have prophecy indices is found, and refuted, by the elements at the last indices.
#[test]
fn few_accesses_at_any_index_cost_by_their_number() {
    let last = [
        (
            "n == 2 && i != j && b[j % 1000].k == 3 && old == 6 && a[k] == 0 && k + 2000 == i",
            'u',
        ),
        (
            "n == 2 && i != j && b[j % 1000].k == 3 && old == 9 && a[k] == 0 && k + 2000 == i",
            's',
        ),
    ];
    for (number, (condition, expected)) in last.into_iter().enumerate() {
        let text = FEW.replace("LAST", condition);
        let (engine, settings) = (
            ["impact", "annotate"][number],
            chosen(&[("arrays", "elements")]),
        );
        let (found, decider) = decided(&text, engine, &settings, false);
        assert_eq!(found, expected, "{condition}");
        assert_eq!(decider.phase, StageName::EngineElements.name());
    }
}

/// Fills all elements, and checks each.
const FILLED: &str = "void reach_error(void); int a[100000];
    int main(void) {
        for (int i = 0; i < 100000; i++) a[i] = 7;
        for (int i = 0; i < 100000; i++) if (a[i] != 7) reach_error();
    }";

/// The maximum of elements that are inputs: few enough that all rounds would fit into one step.
const MAXIMUM: &str = "int nondet(void); void reach_error(void); int a[100];
    int main(void) {
        for (int i = 0; i < 100; i++) a[i] = nondet();
        int most = a[0];
        for (int i = 1; i < 100; i++) if (a[i] > most) most = a[i];
        for (int i = 0; i < 100; i++) if (a[i] > most) reach_error();
    }";

/// Paths with fewer rounds than the first loop has are refuted by its bound: what holds of all elements comes from invariants.
#[test]
fn engines_for_programs_prove_loops_over_all_elements() {
    for engine in ["predabs", "annotate"] {
        let (found, decider) = decided(FILLED, engine, &Settings::default(), false);
        assert_eq!((found, decider.engine), ('s', INVARIANTS));
        assert_eq!(decider.phase, StageName::EngineElements.name());
    }
    let (found, _) = decided(MAXIMUM, "impact", &Settings::default(), false);
    assert_eq!(found, 's');
}

/// One element that is stored differently is found, or at least not proved away.
#[test]
fn errors_in_large_arrays_are_not_lost() {
    let wrong = FIGURE_2.replace("a[z] != y - 1", "a[z] != y");
    let (found, _) = decided(&wrong, "impact", &Settings::default(), false);
    assert_eq!(found, 'u');
    let few = "void reach_error(void);
        int main(void) {
            int x[100];
            for (int i = 0; i < 100; i++) { x[i] = i == 3 ? 1 : 7; if (i > 4 && x[3] != 7) reach_error(); }
        }";
    for engine in ["predabs", "impact", "rse", "annotate"] {
        let (found, _) = decided(few, engine, &Settings::default(), false);
        assert_eq!(found, 'u', "{engine}");
    }
}

#[test]
fn elements_over_basic_blocks_are_refused() {
    let program = program(FIGURE_2, DataModel::Lp64);
    let refused = |words: &[(&'static str, &'static str)]| {
        refusal(&program, &options("impact", &chosen(words), false))
    };
    let reason = refused(&[("arrays", "elements"), ("blocks", "basic")]);
    assert!(reason.is_some_and(|reason| reason.starts_with("`--arrays elements`")));
    assert_eq!(refused(&[("arrays", "elements")]), None);
    assert_eq!(refused(&[("blocks", "basic")]), None);
}
