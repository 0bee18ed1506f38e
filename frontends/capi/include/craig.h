/* libcraig: a proof-producing incremental SAT solver.
 *
 * IPASIR, IPASIR-2 and what these have no function for: options by name, errors as text, proofs.
 *
 * Literals are numbers other than 0, -N being the negation of N, up to N = 2^30. Memory is proportional to the largest
 * number in use.
 *
 * Threads: different solvers may be used at the same time, one solver by one thread at a time. Callbacks are called
 * in the thread that makes the call.
 *
 * Misuse is refused, and craig_error tells what was wrong with the last refused call of a solver:
 *   - a null pointer as a solver, a text or a place for a result;
 *   - a number that is no literal, INT_MIN among them. A clause or assumption that has one can't be what was meant:
 *     after such a clause no call of ipasir_solve has an answer, after such an assumption the next one has none;
 *   - any function but ipasir_signature, ipasir2_options and craig_error from a callback of the solver. To release
 *     the solver there is refused, too;
 *   - a failure inside the library: the solver refuses everything from then on but to be released.
 * What can't be detected is undefined: pointers that are not null but wrong, a solver that was released, a solver that two
 * threads use at a time, and a callback that does not return (longjmp, C++ exceptions). */
#ifndef CRAIG_H
#define CRAIG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- IPASIR ------------------------------------------------------------------------------------------------------ */

/* Name and version of the library. */
const char *ipasir_signature(void);

/* A new solver; null if there is no memory. */
void *ipasir_init(void);

/* Releases a solver; null is ignored. */
void ipasir_release(void *solver);

/* Adds a literal to the clause that is open, or ends it with 0. */
void ipasir_add(void *solver, int lit_or_zero);

/* Assumes a literal in the next call of ipasir_solve. */
void ipasir_assume(void *solver, int lit);

/* 10 if there is a model, 20 if there is none under the assumptions, 0 if the search was ended before, or the call
 * refused: a clause is open, or something that was added is no literal. */
int ipasir_solve(void *solver);

/* If the last call of ipasir_solve returned 10: lit if it is true in the model, -lit if it is false, 0 if it does not
 * matter. Else 0. The values stay until the next call of ipasir_solve, whatever is added. */
int ipasir_val(void *solver, int lit);

/* If the last call of ipasir_solve returned 20: 1 if lit is one of the assumptions that can't hold together, else 0. */
int ipasir_failed(void *solver, int lit);

/* Sets a callback that is called about once per millisecond of a search, and ends it if it does not return 0. A null
 * pointer removes it. */
void ipasir_set_terminate(void *solver, void *data, int (*terminate)(void *data));

/* Sets a callback that gets the clauses learned from conflicts that have at most max_length literals, ended by 0. The
 * clauses of the application imply them. A null pointer removes it. */
void ipasir_set_learn(void *solver, void *data, int max_length, void (*learn)(void *data, int32_t *clause));

/* ---- IPASIR-2, as in its draft ----------------------------------------------------------------------------------- */

#ifndef INTERFACE_IPASIR2_H_
#define INTERFACE_IPASIR2_H_

typedef enum ipasir2_errorcode {
    IPASIR2_E_OK = 0,
    IPASIR2_E_UNKNOWN = 1,
    IPASIR2_E_UNSUPPORTED,
    IPASIR2_E_UNSUPPORTED_ARGUMENT,
    IPASIR2_E_UNSUPPORTED_OPTION,
    IPASIR2_E_INVALID_STATE,
    IPASIR2_E_INVALID_ARGUMENT,
    IPASIR2_E_INVALID_OPTION_VALUE
} ipasir2_errorcode;

typedef enum ipasir2_state {
    IPASIR2_S_CONFIG = 0,
    IPASIR2_S_INPUT = 1,
    IPASIR2_S_SAT,
    IPASIR2_S_UNSAT,
    IPASIR2_S_SOLVING
} ipasir2_state;

typedef struct ipasir2_option {
    char const *name;
    int64_t min;
    int64_t max;
    ipasir2_state max_state;
    int tunable;
    int indexed;
    void const *handle;
} ipasir2_option;

ipasir2_errorcode ipasir2_signature(char const **signature);
ipasir2_errorcode ipasir2_init(void **solver);
/* IPASIR2_E_INVALID_STATE from a callback of the solver, which then lives on. */
ipasir2_errorcode ipasir2_release(void *solver);

/* The options: all of the solver's (craig sat --set help lists them with their texts), which can be set before the first
 * clause, and ipasir.limits.conflicts and ipasir.phase.initial. Yes and no are 1 and 0. */
ipasir2_errorcode ipasir2_options(void *solver, ipasir2_option const **options, int *count);
/* option has to be a row of the array that ipasir2_options returns, not a copy of one. */
ipasir2_errorcode ipasir2_set_option(void *solver, ipasir2_option const *option, int64_t value, int64_t index);

/* Clauses that may be forgotten are kept, too; proofmeta is ignored. A clause with a number that is no literal is refused
 * as a whole, and the solver goes on without it. */
ipasir2_errorcode ipasir2_add(void *solver, int32_t const *clause, int32_t len, int32_t forgettable, void *proofmeta);
ipasir2_errorcode ipasir2_solve(void *solver, int *result, int32_t const *literals, int32_t len);
ipasir2_errorcode ipasir2_value(void *solver, int32_t lit, int32_t *result);
ipasir2_errorcode ipasir2_failed(void *solver, int32_t lit, int *result);

/* Setters can't be called from a callback: IPASIR2_E_INVALID_STATE. */
ipasir2_errorcode ipasir2_set_terminate(void *solver, void *data, int (*callback)(void *data));
/* max_length is the largest length, -1 is none; proofmeta is null. */
ipasir2_errorcode ipasir2_set_export(void *solver, void *data, int max_length,
                                     void (*callback)(void *data, int32_t const *clause, int32_t len, void *proofmeta));
/* Called at the end of each search for each literal that is new. */
ipasir2_errorcode ipasir2_set_fixed(void *solver, void *data, void (*callback)(void *data, int32_t fixed));
/* Not supported: IPASIR2_E_UNSUPPORTED. For deletions there is craig_set_tracer. */
ipasir2_errorcode ipasir2_set_delete(void *solver, void *data,
                                     void (*callback)(void *data, int32_t const *clause, int32_t len, void *proofmeta));
ipasir2_errorcode ipasir2_set_import(void *solver, void *data, void (*callback)(void *data));

#endif

/* The name of ipasir2_value in earlier drafts. */
ipasir2_errorcode ipasir2_val(void *solver, int32_t lit, int32_t *result);

/* ---- More -------------------------------------------------------------------------------------------------------- */

/* Functions that return an int return an ipasir2_errorcode: 0 if they have done what they should. */

/* Why the last refused call was refused; null if none was. Valid until another call of the solver is refused. */
const char *craig_error(void *solver);

/* Sets an option of the solver, as in craig_set_option(solver, "vivify", "false"), before the first clause. */
int craig_set_option(void *solver, const char *name, const char *value);

/* Writes the proof to a file, as "drat" or "lrat", in text or binary; to be called before the first clause. Clauses are
 * numbered in the order in which they are added. LRAT has no numbers for clauses that are added after a search: then
 * craig_close_proof fails. A search under assumptions derives the clause of the negated failed assumptions. */
int craig_trace_proof(void *solver, const char *path, const char *format, int binary);

/* Ends proof and tracer. 0 if the file was written, all of it. To release a solver ends its proof, too. */
int craig_close_proof(void *solver);

/* Takes the steps of a proof; a null pointer takes nothing. All clauses, those of the application and the derived ones, are
 * numbered from 1 on in one sequence. The antecedents of a derived clause imply it by unit propagation in their order. */
typedef struct craig_tracer {
    void (*original)(void *data, uint64_t id, const int32_t *literals, size_t n_literals);
    void (*derived)(void *data, uint64_t id, const int32_t *literals, size_t n_literals, const uint64_t *antecedents,
                    size_t n_antecedents);
    void (*deleted)(void *data, uint64_t id, const int32_t *literals, size_t n_literals);
} craig_tracer;

/* Gives the proof to the application; to be called before the first clause. The tracer is copied. */
int craig_set_tracer(void *solver, void *data, const craig_tracer *tracer);

#ifdef __cplusplus
}
#endif

#endif
