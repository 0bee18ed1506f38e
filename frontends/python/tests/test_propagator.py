"""Propagators of users: a bound on a count, by clauses during the search, against the clauses of that bound."""

import itertools
import random
import unittest

from craig import Error, Solver
from craig.propagator import Propagator

try:
    from pysat.engines import BooleanEngine
except ImportError:
    BooleanEngine = None


class AtMost(Propagator):
    """At most ``bound`` of some literals are true."""

    def __init__(self, literals, bound, is_lazy=False):
        super().__init__()
        self.literals = literals
        self.bound = bound
        self.is_lazy = is_lazy
        self.trail = []
        self.starts = []
        self.clauses = []
        self.n_models = 0

    def on_assignment(self, lit, fixed=False):
        assert lit not in self.trail and -lit not in self.trail
        assert fixed == (not self.starts)
        self.trail.append(lit)

    def on_new_level(self):
        self.starts.append(len(self.trail))

    def on_backtrack(self, to):
        if to < len(self.starts):
            del self.trail[self.starts[to] :]
            del self.starts[to:]

    def full(self):
        """The literals that are true, if there must not be more."""
        true = [one for one in self.literals if one in self.trail]
        return true[: self.bound] if len(true) >= self.bound else None

    def propagate(self):
        full = self.full()
        open_ones = [-one for one in self.literals if full and one not in full and -one not in self.trail]
        return open_ones

    def provide_reason(self, lit):
        return [lit, *(-one for one in self.full())]

    def check_model(self, model):
        self.n_models += 1
        true = [one for one in self.literals if one in model]
        if len(true) > self.bound:
            self.clauses.append([-one for one in true[: self.bound + 1]])
        return not self.clauses

    def add_clause(self):
        return self.clauses.pop() if self.clauses else []


def formula(numbers, n_vars):
    """Random clauses of three literals."""
    return [
        [variable * numbers.choice((1, -1)) for variable in numbers.sample(range(1, n_vars + 1), 3)]
        for _ in range(3 * n_vars)
    ]


class Counts(unittest.TestCase):
    def test_answers_are_those_of_the_clauses(self):
        answers = set()
        for seed in range(40):
            numbers = random.Random(seed)
            clauses = formula(numbers, 12)
            counted, bound = list(range(1, 9)), numbers.choice((1, 2, 3))
            expected = Solver(bootstrap_with=clauses)
            for some in itertools.combinations(counted, bound + 1):
                expected.add_clause([-one for one in some])
            for is_lazy in (False, True):
                with self.subTest(seed=seed, is_lazy=is_lazy), Solver(bootstrap_with=clauses) as solver:
                    propagator = AtMost(counted, bound, is_lazy)
                    solver.connect_propagator(propagator)
                    for variable in counted:
                        solver.observe(variable)
                    # Twice: levels of the first search are gone in the second.
                    for assumptions in ([], [counted[0]], []):
                        answer = solver.solve(assumptions)
                        self.assertEqual(answer, expected.solve(assumptions))
                        self.assertEqual(propagator.starts, [])
                        answers.add(answer)
                        if answer:
                            model = solver.get_model()
                            self.assertLessEqual(sum(one in model for one in counted), bound)
                            self.assertGreater(propagator.n_models, 0)
        self.assertEqual(answers, {True, False})

    def test_what_it_raises_is_raised_by_the_search(self):
        class Failing(AtMost):
            def check_model(self, model):
                raise LookupError("no such model")

        solver = Solver(bootstrap_with=[[1, 2]])
        solver.connect_propagator(Failing([1, 2], 1))
        solver.observe(1)
        self.assertRaisesRegex(LookupError, "no such model", solver.solve)
        solver.disconnect_propagator()
        self.assertTrue(solver.solve())

    def test_misuse_is_refused(self):
        solver = Solver(bootstrap_with=[[1, 2]])
        self.assertRaisesRegex(ValueError, "no propagator", solver.observe, 1)
        solver.connect_propagator(AtMost([1], 1))
        self.assertRaisesRegex(ValueError, "has a propagator", solver.connect_propagator, AtMost([1], 1))
        self.assertRaisesRegex(ValueError, "number of a variable", solver.observe, -1)
        with_proof = Solver(with_proof=True)
        self.assertRaisesRegex(Error, "with_proof=True has no propagator", with_proof.connect_propagator, AtMost([1], 1))

        class Silent(AtMost):
            def check_model(self, model):
                return False

        silent = Solver(bootstrap_with=[[1]])
        silent.connect_propagator(Silent([1], 1))
        silent.observe(1)
        self.assertRaisesRegex(Error, "add_clause.. has no clause", silent.solve)

    @unittest.skipIf(BooleanEngine is None, "PySAT is not installed")
    def test_the_engine_of_pysat(self):
        for seed in range(20):
            numbers = random.Random(seed)
            clauses = formula(numbers, 10)
            constraints = [("linear", [[1, 2, 3, 4, 5, 6], 2]), ("parity", [[4, 5, 6, 7], 1])]
            engine = BooleanEngine(bootstrap_with=constraints)
            solver = Solver(name="cadical195", bootstrap_with=clauses)
            solver.connect_propagator(engine)
            engine.setup_observe(solver)
            answer = solver.solve()
            models = itertools.product(*((one, -one) for one in range(1, 11)))
            holds = lambda model: (
                all(any(one in model for one in clause) for clause in clauses)
                and sum(one in model for one in range(1, 7)) <= 2
                and sum(one in model for one in range(4, 8)) % 2 == 1
            )
            self.assertEqual(answer, any(holds(set(model)) for model in models), seed)
            if answer:
                self.assertTrue(holds(set(solver.get_model())))
