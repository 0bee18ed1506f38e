"""The solver, beside all assignments and beside PySAT."""

import copy
import os
import signal
import threading
import time
import unittest

import craig
from problems import models, pigeons, random_clauses, satisfies

try:
    from pysat.solvers import Solver as PySat
except ImportError:
    PySat = None


def propagated(clauses, assumptions):
    """The literals that follow by unit propagation; none at all if they contradict each other."""
    true = set(assumptions)
    while True:
        if any(-literal in true for literal in true):
            return None
        before = len(true)
        for clause in clauses:
            left = {literal for literal in clause if -literal not in true}
            if not left:
                return None
            if len(left) == 1:
                true |= left
        if len(true) == before:
            return true


class Answers(unittest.TestCase):
    def test_they_are_those_of_all_assignments(self):
        verdicts = set()
        for seed in range(60):
            clauses = random_clauses(seed, n_vars=6, n_clauses=26)
            expected = list(models(clauses, 6))
            with craig.Solver(bootstrap_with=clauses, with_proof=seed % 2 == 0) as solver:
                answer = solver.solve()
                self.assertEqual(answer, bool(expected))
                self.assertEqual(solver.get_status(), answer)
                if answer:
                    self.assertTrue(satisfies(solver.get_model(), clauses))
                    self.assertIsNone(solver.get_core())
                    found = sorted(model[:6] for model in solver.enum_models())
                    self.assertEqual(found, sorted(expected))
                else:
                    self.assertIsNone(solver.get_model())
            verdicts.add(answer)
        self.assertEqual(verdicts, {True, False})

    def test_cores_are_assumptions_that_contradict_the_clauses(self):
        n_cores = 0
        for seed in range(40):
            clauses = random_clauses(seed, n_vars=6, n_clauses=14)
            assumptions = [1, -2, 3, -4, 5, -6]
            with craig.Solver(bootstrap_with=clauses) as solver:
                if solver.solve(assumptions):
                    continue
                core = solver.get_core()
            self.assertTrue(set(core) <= set(assumptions))
            self.assertEqual(list(models(clauses + [[literal] for literal in core], 6)), [])
            n_cores += 1
        self.assertGreater(n_cores, 10)

    @unittest.skipIf(PySat is None, "PySAT is not installed")
    def test_calls_give_what_pysat_gives(self):
        for seed in range(40):
            clauses = random_clauses(seed)
            with PySat(name="g4", bootstrap_with=clauses, with_proof=False) as theirs:
                with craig.Solver(name="g4", bootstrap_with=clauses, with_proof=False) as ours:
                    for assumptions in ([], [1, -2], [3, 4, -5]):
                        self.assertEqual(ours.solve(assumptions=assumptions), theirs.solve(assumptions=assumptions))
                        self.assertEqual(ours.get_status(), theirs.get_status())
                        self.assertEqual(ours.get_model() is None, theirs.get_model() is None)
                    self.assertEqual(ours.nof_vars(), theirs.nof_vars())
                    self.assertEqual(ours.accum_stats().keys(), theirs.accum_stats().keys())
                    count = lambda solver: len(list(solver.enum_models()))
                    self.assertEqual(count(ours), count(theirs))

    @unittest.skipIf(PySat is None, "PySAT is not installed")
    def test_every_call_of_pysat_is_there_or_refused_by_name(self):
        known = {name for name in dir(PySat) if not name.startswith("_")}
        missing = known - set(dir(craig.Solver))
        self.assertEqual(missing, set())


    def test_propagation_is_that_of_clauses_one_by_one(self):
        for seed in range(60):
            clauses = random_clauses(seed, n_vars=7, n_clauses=12) + [[1, -2], [2, -3, -3], [-4]] * (seed % 2)
            assumptions = [[3], [5, -6], [7, 1, -7]][seed % 3]
            with craig.Solver(bootstrap_with=clauses) as solver:
                holds, implied = solver.propagate(assumptions)
                self.assertEqual(solver.propagate(assumptions), (holds, implied))
            alone, together = propagated(clauses, []), propagated(clauses, assumptions)
            self.assertEqual(holds, together is not None)
            if holds:
                self.assertEqual(set(implied), together - alone)
        with craig.Solver(bootstrap_with=[[-9]]) as solver:
            self.assertEqual(solver.propagate([9]), (False, []))
            self.assertEqual(solver.propagate([20]), (True, [20]))
            solver.add_clause([])
            self.assertEqual(solver.propagate(), (False, []))

    def test_models_are_projected(self):
        with craig.Solver(bootstrap_with=[[1, 2, 3], [-1, 4]]) as solver:
            found = sorted(solver.enum_models(assumptions=[1], projection=[4, 2]))
        self.assertEqual(found, [[4, -2], [4, 2]])
        with craig.Solver(bootstrap_with=[[1]]) as solver:
            self.assertRaises(ValueError, list, solver.enum_models(projection=[3]))

    @unittest.skipIf(PySat is None, "PySAT is not installed")
    def test_the_names_of_pysat_are_there(self):
        import pysat.solvers
        from craig import solvers

        theirs = {name for name, one in vars(pysat.solvers).items() if isinstance(one, type) and not name.startswith("_")}
        local = {name for name in theirs if vars(pysat.solvers)[name].__module__ == "pysat.solvers"}
        self.assertLessEqual(local, set(solvers.__all__))
        for kind, names in vars(pysat.solvers.SolverNames).items():
            if isinstance(names, tuple):
                self.assertEqual(getattr(solvers.SolverNames, kind), names)


class Limits(unittest.TestCase):
    def test_a_budget_is_for_the_next_call(self):
        with craig.Solver(bootstrap_with=pigeons(7, 6)) as solver:
            solver.conf_budget(5)
            self.assertIsNone(solver.solve_limited())
            self.assertIsNone(solver.get_status())
            self.assertIs(solver.solve_limited(), False)

    def test_another_thread_interrupts(self):
        with craig.Solver(bootstrap_with=pigeons(12, 11)) as solver:
            timer = threading.Timer(0.2, solver.interrupt)
            timer.start()
            self.assertIsNone(solver.solve_limited(expect_interrupt=True))
            timer.join()
            solver.conf_budget(10)
            self.assertIsNone(solver.solve_limited())
            solver.clear_interrupt()
            self.assertIs(solver.solve_limited(assumptions=[-literal for literal in range(1, 12)]), False)

    def test_a_search_leaves_the_interpreter_to_others(self):
        solver = craig.Solver(bootstrap_with=pigeons(12, 11))
        thread = threading.Thread(target=solver.solve_limited)
        thread.start()
        # The clauses are already in the solver: if it held the interpreter, this would not go on.
        time.sleep(0.1)
        with self.assertRaisesRegex(RuntimeError, "another thread"):
            solver.add_clause([1])
        solver.interrupt()
        thread.join(timeout=60)
        self.assertFalse(thread.is_alive())

    def test_a_signal_handler_that_raises_ends_the_search(self):
        class Alarm(Exception):
            pass

        def ring(number, frame):
            raise Alarm

        before = signal.signal(signal.SIGALRM, ring)
        try:
            with craig.Solver(bootstrap_with=pigeons(12, 11)) as solver:
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                self.assertRaises(Alarm, solver.solve)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


class Refusals(unittest.TestCase):
    def test_what_is_no_literal_adds_nothing(self):
        with craig.Solver() as solver:
            self.assertRaisesRegex(ValueError, "0 is no literal", solver.append_formula, [[1], [2, 0]])
            self.assertEqual((solver.nof_clauses(), solver.nof_vars()), (0, 0))
            self.assertRaises(ValueError, solver.add_clause, [1 << 31])

    @unittest.skipUnless(os.path.exists("/proc/meminfo"), "the system does not tell how much memory is free")
    def test_a_number_for_which_there_is_no_memory_ends_no_interpreter(self):
        with craig.Solver(bootstrap_with=[[1, 2]]) as solver:
            largest = 1 << 30
            free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
            if free > 140 * largest:
                self.skipTest("there is memory for all variables")
            for call in (solver.add_clause, solver.solve, solver.set_phases, lambda one: solver.append_formula([[3], one])):
                self.assertRaisesRegex(MemoryError, "variable 1073741824", call, [-largest])
            self.assertEqual((solver.nof_vars(), solver.nof_clauses(), solver.solve()), (2, 1, True))

    def test_what_it_lacks_is_named(self):
        with craig.Solver() as solver:
            for call in (lambda: solver.get_activities(), lambda: solver.dec_budget(3)):
                self.assertRaisesRegex(NotImplementedError, "craig's solver has no", call)

    def test_options_are_those_of_the_search(self):
        self.assertRaisesRegex(TypeError, "eliminate", craig.Solver, eliminat=True)
        self.assertRaisesRegex(ValueError, "seed=-1", craig.Solver, seed=-1)
        self.assertRaisesRegex(NameError, "minisat99", craig.Solver, "minisat99")
        with craig.Solver(bootstrap_with=[[1], [-1, 2]], eliminate=True, seed=3) as solver:
            self.assertTrue(solver.solve())

    def test_arguments_of_other_kinds(self):
        self.assertRaisesRegex(TypeError, "bootstrap_with", craig.Solver, [[1, 2]])
        for text in ("formula.cnf", b"p cnf 1 1"):
            self.assertRaisesRegex(TypeError, "CNF", craig.Solver, bootstrap_with=text)
        for wrong in (["1"], [1.5], [None], 5):
            with craig.Solver() as solver:
                self.assertRaises(TypeError, solver.add_clause, wrong)
                self.assertRaises(TypeError, solver.solve, wrong)

    def test_a_solver_is_shown_and_copied(self):
        solver = craig.Solver(bootstrap_with=[[1, -3], [2]])
        self.assertEqual(repr(solver), "<craig.Solver: 3 variables, 2 clauses>")
        for other in (copy.copy(solver), copy.deepcopy(solver)):
            other.add_clause([-2])
            self.assertEqual((other.solve(), solver.solve()), (False, True))
        solver.delete()
        self.assertEqual(repr(solver), "<craig.Solver: deleted>")

    def test_deleting_ends_a_search(self):
        solver = craig.Solver(bootstrap_with=pigeons(12, 11))
        answers = []
        thread = threading.Thread(target=lambda: answers.append(solver.solve_limited()))
        thread.start()
        while "searching" not in repr(solver):
            time.sleep(0.01)
        time.sleep(0.05)
        solver.delete()
        thread.join(60)
        self.assertEqual(answers, [None])

    def test_a_deleted_solver_is_none(self):
        solver = craig.Solver()
        solver.delete()
        self.assertRaisesRegex(ValueError, "deleted", solver.solve)

    def test_a_clone_goes_its_own_way(self):
        with craig.Solver(bootstrap_with=[[1, 2]]) as solver:
            copy = solver.clone()
            copy.append_formula([[-1], [-2]])
            self.assertEqual((copy.solve(), solver.solve()), (False, True))
