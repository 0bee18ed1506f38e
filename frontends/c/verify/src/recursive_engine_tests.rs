//! Who decides recursive programs where one engine is asked for.

use craig_mc::Alone;
use craig_model::Stop;
use std::time::{Duration, Instant};

use craig_mc::engine::options::{Settings, Value};
use craig_program::line_up::StageName;
use craig_program::registry;

use crate::options::{Engine, Options};
use crate::portfolio::{decide, refusal};
use crate::report::{Decider, ENGINE};
use crate::tests::program;
use crate::verdict::Found;
use craig_c_lang::types::DataModel;
use craig_verify::ProgramSearch;

/// A tail call: as a loop it returns 7.
const TAIL: &str = "int nondet_int(void); void reach_error(void);\n\
    int f(int n) { if (n <= 0) return 7; return f(n - 1); }\n\
    int main(void) { if (f(nondet_int()) != 7) reach_error(); }";

/// Whatever the functions return, the program is safe.
const MUTUAL: &str = "int nondet_int(void); void reach_error(void); int odd(int n);\n\
    int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n\
    int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n\
    int main(void) { int x = 1; even(nondet_int()); if (x != 1) reach_error(); }";

/// It is safe because of what the function returns.
const DOUBLED: &str = "unsigned nondet_uint(void); void reach_error(void);\n\
    unsigned f(unsigned n) { if (n == 0) return 0; return f(n - 1) + 2; }\n\
    int main(void) { if (f(nondet_uint()) % 2) reach_error(); }";

fn options(name: &str, settings: &Settings, only: bool) -> Options {
    let engine = registry::ENGINES.iter().find(|engine| engine.name == name);
    let engine = engine.expect("the engine is registered");
    Options {
        engine: Engine::Model,
        program_search: Some(ProgramSearch::new(engine, settings)),
        only,
        ..Options::default()
    }
}

/// Whether it is proved, and by whom.
fn decided(text: &str, engine: &str, only: bool) -> (bool, Decider) {
    let program = program(text, DataModel::Lp64);
    let alone = Alone::until(Stop::new().with_deadline(Instant::now() + Duration::from_secs(60)));
    let control = alone.control();
    let options = options(engine, &Settings::default(), only);
    let (verdict, decider) = decide(&program, &options, control);
    assert!(!matches!(verdict, Ok(Found::Unsafe(_)) | Err(_)));
    (matches!(verdict, Ok(Found::Safe(_))), decider)
}

/// The engine gets the program with its tail calls as loops before summaries are searched, and the report says that it did.
#[test]
fn what_has_helped_an_engine_is_named() {
    let (is_safe, decider) = decided(TAIL, "impact", false);
    assert!(is_safe);
    let expected = Decider::of("impact", StageName::EngineTailCalls);
    assert_eq!(decider, expected);
    for text in [MUTUAL, DOUBLED] {
        let (is_safe, decider) = decided(text, "impact", false);
        assert!(is_safe);
        assert_eq!(decider.phase, StageName::EngineProcedures.name());
        assert_eq!(decider.engine, crate::procedures::NAME);
    }
}

/// An engine that decides alone gets the program itself, whose calls it can't inline.
#[test]
fn an_engine_alone_has_no_help() {
    for text in [TAIL, MUTUAL, DOUBLED] {
        let (is_safe, decider) = decided(text, "impact", true);
        assert!(!is_safe);
        assert_eq!((decider.engine, decider.phase), ("impact", ENGINE));
    }
}

/// Lazy annotation of calls has none of the options of locations; without recursion they apply.
#[test]
fn options_of_locations_are_refused_for_calls() {
    let engine = registry::ENGINES.iter().find(|it| it.name == "annotate");
    let fuel = (engine.unwrap().options.iter()).find(|option| option.name == "fuel");
    let mut settings = Settings::default();
    settings.set(fuel.unwrap(), Value::Number(3));
    let refused = |text: &str, settings: &Settings| {
        let program = program(text, DataModel::Lp64);
        refusal(&program, &options("annotate", settings, false))
    };
    let reason = refused(DOUBLED, &settings).expect("it is refused");
    assert!(reason.starts_with("`--fuel` is for"), "{reason}");
    assert_eq!(refused(DOUBLED, &Settings::default()), None);
    let plain = "void reach_error(void); int main(void) { if (0) reach_error(); }";
    assert_eq!(refused(plain, &settings), None);
}
