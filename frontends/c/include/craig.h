/* Annotations of loops and functions, as CBMC has them. craig reads them; for compilers they are nothing.

     while (condition)
       __CPROVER_loop_invariant(expression)
     { .. }

     int f(int a)
       __CPROVER_requires(expression)
       __CPROVER_ensures(expression about __CPROVER_return_value and __CPROVER_old(expression))
     { .. }

   and __CPROVER_decreases(measure, ..) of a loop, __CPROVER_assigns(lvalue, ..) of both.

   What they mean: docs/c-support.md. */
#ifndef CRAIG_H
#define CRAIG_H
#if !defined(__CRAIG__) && !defined(__CPROVER) && !defined(__CPROVER__)
#define __CPROVER_loop_invariant(...)
#define __CPROVER_decreases(...)
#define __CPROVER_requires(...)
#define __CPROVER_ensures(...)
#define __CPROVER_assigns(...)
#define __CPROVER_frees(...)
#endif
#endif
