/* Prints the essential variables of a formula in DIMACS, one a line: those that every partial assignment that satisfies
 * all clauses gives a value. Variable v has two rails: 2v-1, "v is true", and 2v, "v is false". */
#include <craig.h>
#include <stdio.h>
#include <stdlib.h>

static int rail(int lit) { return lit > 0 ? 2 * lit - 1 : -2 * lit; }

static int n_polls, n_learned;

static int poll(void *data) {
    (void)data;
    n_polls++;
    return 0;
}

static void learn(void *data, int32_t *clause) {
    int length = 0;
    while (clause[length]) length++;
    if (length == 0 || length > *(int *)data) exit(3);
    n_learned++;
}

int main(int n_arguments, char **arguments) {
    int n_vars, n_clauses, lit, longest = 5;
    FILE *file = n_arguments == 2 ? fopen(arguments[1], "r") : NULL;
    if (!file || fscanf(file, "p cnf %d %d", &n_vars, &n_clauses) != 2) return 2;
    void *solver = ipasir_init();
    ipasir_set_terminate(solver, NULL, poll);
    ipasir_set_learn(solver, &longest, longest, learn);
    while (fscanf(file, "%d", &lit) == 1) ipasir_add(solver, lit ? rail(lit) : 0);
    fclose(file);
    for (int v = 1; v <= n_vars; v++) {
        ipasir_add(solver, -rail(v));
        ipasir_add(solver, -rail(-v));
        ipasir_add(solver, 0);
    }
    char *is_free = calloc((size_t)n_vars + 1, 1);
    for (int v = 1; v <= n_vars; v++) {
        if (is_free[v]) continue;
        ipasir_assume(solver, -rail(v));
        ipasir_assume(solver, -rail(-v));
        int answer = ipasir_solve(solver);
        if (answer == 20) {
            if (!ipasir_failed(solver, -rail(v)) && !ipasir_failed(solver, -rail(-v)) && v > 1) return 4;
            printf("%d\n", v);
        } else if (answer == 10) {
            /* Whatever has no value in this model is not essential. */
            for (int w = v; w <= n_vars; w++)
                is_free[w] |= ipasir_val(solver, rail(w)) < 0 && ipasir_val(solver, rail(-w)) < 0;
            if (!is_free[v]) return 5;
        } else {
            return 6;
        }
    }
    fprintf(stderr, "%s: %d polls, %d learned\n", ipasir_signature(), n_polls, n_learned);
    free(is_free);
    ipasir_release(solver);
    return 0;
}
