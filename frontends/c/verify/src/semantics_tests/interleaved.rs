//! Arguments that are read before another operand whose call comes before their own call (C11 6.5.2.2p10).

use super::holds;

#[test]
fn arguments_may_be_read_before_other_operands() {
    let declarations = "int v, w; int set(void) { v = 1; w = 1; return 0; } int both(int x) { return w * 10 + x; }
        int only(int x) { return x; } int pair(int a, int b) { return b; } int up(void) { return ++v; } int *p = &v;
        int deep(int x) { return only(x) + 0 * w; }";
    for (body, claim, right) in [
        // Both before, both behind, or the argument before and the call behind.
        (
            "int r = set() + both(v);",
            "r == 0 || r == 10 || r == 11",
            's',
        ),
        ("int r = set() + both(v);", "r != 10", 'u'),
        ("int r = both(v) + set();", "r != 10", 'u'),
        ("int r = both(v) + set();", "r != 1", 's'),
        ("int r = pair(set(), both(v));", "r != 10", 'u'),
        (
            "int r = pair(set(), both(v));",
            "r == 0 || r == 10 || r == 11",
            's',
        ),
        ("int r = set() + both(*p + 2);", "r != 12", 'u'),
        ("int r = set() - (long)both(v * 1);", "r != -10", 'u'),
        ("int t[2] = { set(), both(v) };", "t[1] != 10", 'u'),
        ("int r = set() + deep(v);", "r == 0 || r == 1", 's'),
        // A call that does not depend on the other operand has no order with it.
        ("int r = set() + only(v);", "r == 0 || r == 1", 's'),
        // A read beside the call may come before it or behind it.
        ("int r = (up(), v) + up();", "r == 3", '?'),
        ("int r = set() + (both(2) + v);", "r < 14", '?'),
    ] {
        assert_eq!(holds(declarations, body, claim), right, "{body} {claim}");
    }
}
