//! Tests of unrolling: warnings.

use super::*;
use craig_mc::Alone;

/// A proof that nothing but the assumptions makes possible says so.
#[test]
fn what_assumptions_exclude_is_said() {
    let said = |body: &str| {
        let text = format!(
            "int nondet_int(void); int main(void) {{ int n = nondet_int(); {body} __CPROVER_assert(n > 3, \"\"); return 0; }}"
        );
        let program = crate::tests::program(&text, craig_c_lang::types::DataModel::Lp64);
        let limits = (&Unwinding::default(), &Stages::NONE);
        match check(&program, limits, Alone::new().control()) {
            Ok(Found::Safe(safety)) => safety.text.contains("warning"),
            found => panic!("{body}: {found:?}"),
        }
    };
    assert!(said("__CPROVER_assume(n > 5 && n < 5);"));
    assert!(said("__CPROVER_assume(n * n == 3);"));
    assert!(!said("__CPROVER_assume(n > 5);"));
    assert!(!said("if (n < 9) __builtin_abort();"));
}
