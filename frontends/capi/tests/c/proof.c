/* proof FORMULA FILE FORMAT TRACED: decides a formula in DIMACS, writes its proof to FILE, and what the tracer gets to
 * TRACED in LRAT. */
#include <craig.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t last;

static void original(void *data, uint64_t id, const int32_t *literals, size_t n_literals) {
    (void)data;
    (void)literals;
    (void)n_literals;
    last = id;
}

static void derived(void *data, uint64_t id, const int32_t *literals, size_t n_literals, const uint64_t *antecedents,
                    size_t n_antecedents) {
    fprintf(data, "%" PRIu64, id);
    for (size_t i = 0; i < n_literals; i++) fprintf(data, " %d", literals[i]);
    fprintf(data, " 0");
    for (size_t i = 0; i < n_antecedents; i++) fprintf(data, " %" PRIu64, antecedents[i]);
    fprintf(data, " 0\n");
    last = id;
}

static void deleted(void *data, uint64_t id, const int32_t *literals, size_t n_literals) {
    (void)literals;
    (void)n_literals;
    fprintf(data, "%" PRIu64 " d %" PRIu64 " 0\n", last, id);
}

int main(int n_arguments, char **arguments) {
    const craig_tracer tracer = {original, derived, deleted};
    int n_vars, n_clauses, lit;
    if (n_arguments != 5) return 2;
    FILE *file = fopen(arguments[1], "r"), *traced = fopen(arguments[4], "w");
    if (!file || !traced || fscanf(file, "p cnf %d %d", &n_vars, &n_clauses) != 2) return 2;
    void *solver = ipasir_init();
    if (craig_trace_proof(solver, arguments[2], "frat", 0) != IPASIR2_E_UNSUPPORTED_ARGUMENT) return 3;
    if (craig_trace_proof(solver, arguments[2], arguments[3], 0) || craig_set_tracer(solver, traced, &tracer)) return 4;
    while (fscanf(file, "%d", &lit) == 1) ipasir_add(solver, lit);
    fclose(file);
    int answer = ipasir_solve(solver);
    int closed = craig_close_proof(solver);
    ipasir_release(solver);
    fclose(traced);
    return closed ? 5 : answer;
}
