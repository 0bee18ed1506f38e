/* What the header says about misuse, and IPASIR-2's states and codes. */
#include <craig.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                                                 \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

static int says(void *solver, const char *part) {
    const char *error = craig_error(solver);
    return error && strstr(error, part);
}

static int null_pointers(void) {
    int result = 7, count = 0;
    ipasir2_option const *options = NULL;
    ipasir_add(NULL, 1);
    ipasir_assume(NULL, 1);
    ipasir_release(NULL);
    ipasir_set_terminate(NULL, NULL, NULL);
    ipasir_set_learn(NULL, NULL, 3, NULL);
    CHECK(ipasir_solve(NULL) == 0 && ipasir_val(NULL, 1) == 0 && ipasir_failed(NULL, 1) == 0);
    CHECK(craig_error(NULL) == NULL);
    CHECK(ipasir2_init(NULL) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_signature(NULL) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_release(NULL) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_options(NULL, &options, &count) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_solve(NULL, &result, NULL, 0) == IPASIR2_E_INVALID_ARGUMENT && result == 7);
    void *solver = ipasir_init();
    CHECK(ipasir2_solve(solver, NULL, NULL, 0) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_solve(solver, &result, NULL, 2) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_add(solver, NULL, 1, 0, NULL) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_set_option(solver, NULL, 1, 0) == IPASIR2_E_UNSUPPORTED_OPTION);
    CHECK(craig_set_option(solver, NULL, "1") == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(craig_trace_proof(solver, NULL, "drat", 0) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(craig_set_tracer(solver, NULL, NULL) == IPASIR2_E_INVALID_ARGUMENT);
    ipasir_release(solver);
    return 0;
}

static int wrong_literals(void) {
    void *solver = ipasir_init();
    CHECK(craig_error(solver) == NULL);
    ipasir_assume(solver, INT_MIN);
    CHECK(says(solver, "-2147483648 is no literal"));
    CHECK(ipasir_solve(solver) == 0 && ipasir_solve(solver) == 10);
    ipasir_assume(solver, 0);
    CHECK(ipasir_solve(solver) == 0 && ipasir_solve(solver) == 10);
    CHECK(ipasir_val(solver, INT_MIN) == 0 && ipasir_val(solver, 0) == 0);
    ipasir_add(solver, 1);
    CHECK(ipasir_solve(solver) == 0 && says(solver, "not ended by 0"));
    ipasir_add(solver, 0);
    CHECK(ipasir_solve(solver) == 10 && ipasir_val(solver, -1) == 1);
    ipasir_add(solver, INT_MAX);
    ipasir_add(solver, 0);
    CHECK(ipasir_solve(solver) == 0 && ipasir_solve(solver) == 0 && ipasir_val(solver, 1) == 0);
    ipasir_release(solver);
    return 0;
}

static int wrong_order(void) {
    void *solver = ipasir_init();
    CHECK(ipasir_val(solver, 1) == 0 && says(solver, "no model"));
    CHECK(ipasir_failed(solver, 1) == 0);
    ipasir_add(solver, 1);
    ipasir_add(solver, 0);
    ipasir_assume(solver, -1);
    CHECK(ipasir_solve(solver) == 20 && ipasir_failed(solver, -1) == 1);
    CHECK(ipasir_failed(solver, 1) == 0 && ipasir_val(solver, 1) == 0);
    CHECK(ipasir_solve(solver) == 10 && ipasir_failed(solver, -1) == 0);
    CHECK(craig_set_option(solver, "vivify", "false") == IPASIR2_E_INVALID_STATE);
    CHECK(craig_trace_proof(solver, "never", "drat", 0) == IPASIR2_E_INVALID_STATE);
    CHECK(craig_close_proof(solver) == IPASIR2_E_INVALID_STATE);
    ipasir_release(solver);
    return 0;
}

static int n_refused;

static int call_again(void *solver) {
    int result = 0;
    ipasir_add(solver, 1);
    n_refused += says(solver, "callback") && ipasir_solve(solver) == 0;
    n_refused += ipasir2_solve(solver, &result, NULL, 0) == IPASIR2_E_INVALID_STATE;
    n_refused += ipasir2_release(solver) == IPASIR2_E_INVALID_STATE;
    ipasir_release(solver);
    return 1;
}

static int callbacks(void) {
    void *solver = ipasir_init();
    for (int lit = 1; lit < 4; lit++) ipasir_add(solver, lit);
    ipasir_add(solver, 0);
    ipasir_set_terminate(solver, solver, call_again);
    CHECK(ipasir_solve(solver) == 0 && n_refused == 3);
    ipasir_set_terminate(solver, NULL, NULL);
    CHECK(ipasir_solve(solver) == 10);
    ipasir_release(solver);
    return 0;
}

static ipasir2_option const *find(void *solver, const char *name) {
    ipasir2_option const *options = NULL;
    int count = 0;
    if (ipasir2_options(solver, &options, &count)) return NULL;
    for (int i = 0; i < count; i++)
        if (!strcmp(options[i].name, name)) return options + i;
    return NULL;
}

static int sum_fixed;

static void fixed(void *data, int32_t lit) {
    (void)data;
    sum_fixed += lit;
}

static void export_clause(void *data, int32_t const *clause, int32_t len, void *proofmeta) {
    (void)clause;
    if (len > 0 && !proofmeta) ++*(int *)data;
}

static int options(void) {
    void *solver = NULL;
    int result = 0, n_exported = 0;
    CHECK(ipasir2_init(&solver) == IPASIR2_E_OK);
    ipasir2_option const *vivify = find(solver, "vivify"), *seed = find(solver, "seed");
    ipasir2_option const *conflicts = find(solver, "ipasir.limits.conflicts");
    ipasir2_option const *phase = find(solver, "ipasir.phase.initial");
    CHECK(vivify && seed && conflicts && phase && !find(solver, "nothing"));
    CHECK(vivify->min == 0 && vivify->max == 1 && vivify->max_state == IPASIR2_S_CONFIG);
    CHECK(ipasir2_set_option(solver, vivify, 0, 0) == IPASIR2_E_OK);
    CHECK(ipasir2_set_option(solver, vivify, 2, 0) == IPASIR2_E_INVALID_OPTION_VALUE);
    CHECK(ipasir2_set_option(solver, seed, 7, 0) == IPASIR2_E_OK);
    ipasir2_option copy = *seed;
    CHECK(ipasir2_set_option(solver, &copy, 7, 0) == IPASIR2_E_UNSUPPORTED_OPTION);
    CHECK(craig_set_option(solver, "nothing", "1") == IPASIR2_E_UNSUPPORTED_OPTION && says(solver, "vivify"));
    CHECK(craig_set_option(solver, "stable", "maybe") == IPASIR2_E_INVALID_OPTION_VALUE && says(solver, "false..=true"));
    CHECK(ipasir2_set_export(solver, &n_exported, -1, export_clause) == IPASIR2_E_OK);
    CHECK(ipasir2_set_export(solver, &n_exported, -2, export_clause) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_set_fixed(solver, NULL, fixed) == IPASIR2_E_OK);
    CHECK(ipasir2_set_delete(solver, NULL, NULL) == IPASIR2_E_UNSUPPORTED);
    CHECK(ipasir2_set_import(solver, NULL, NULL) == IPASIR2_E_UNSUPPORTED);
    int32_t clauses[5][2] = {{1, 2}, {1, -2}, {-1, 3}, {-1, -3}, {4, 4}}, four = -4, wrong[2] = {5, 0};
    CHECK(ipasir2_set_option(solver, phase, -1, 6) == IPASIR2_E_OK);
    CHECK(ipasir2_add(solver, clauses[4], 2, 1, NULL) == IPASIR2_E_OK);
    CHECK(ipasir2_set_option(solver, seed, 8, 0) == IPASIR2_E_INVALID_STATE);
    CHECK(ipasir2_add(solver, wrong, 2, 0, NULL) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_solve(solver, &result, &four, 1) == IPASIR2_E_OK && result == 20 && sum_fixed == 4);
    CHECK(ipasir2_failed(solver, -4, &result) == IPASIR2_E_OK && result == 1);
    CHECK(ipasir2_failed(solver, 5, &result) == IPASIR2_E_INVALID_ARGUMENT);
    CHECK(ipasir2_value(solver, 4, &result) == IPASIR2_E_INVALID_STATE);
    CHECK(ipasir2_solve(solver, &result, NULL, 0) == IPASIR2_E_OK && result == 10);
    CHECK(ipasir2_value(solver, -4, &result) == IPASIR2_E_OK && result == 4);
    CHECK(ipasir2_set_option(solver, conflicts, 0, 0) == IPASIR2_E_OK);
    for (int i = 0; i < 4; i++) CHECK(ipasir2_add(solver, clauses[i], 2, 0, NULL) == IPASIR2_E_OK);
    CHECK(ipasir2_value(solver, 4, &result) == IPASIR2_E_INVALID_STATE);
    CHECK(ipasir2_solve(solver, &result, NULL, 0) == IPASIR2_E_OK && result == 0);
    CHECK(ipasir2_set_option(solver, conflicts, -1, 0) == IPASIR2_E_OK);
    CHECK(ipasir2_solve(solver, &result, NULL, 0) == IPASIR2_E_OK && result == 20);
    CHECK(n_exported > 0);
    CHECK(ipasir2_release(solver) == IPASIR2_E_OK);
    return 0;
}

int main(void) {
    return null_pointers() || wrong_literals() || wrong_order() || callbacks() || options();
}
