"""Constraints as clauses: compared with counting; formulas in files."""

import gzip
import io
import random
import tempfile
import unittest
from itertools import product
from pathlib import Path

import craig
from craig import card, constraints, formula, pb

try:
    import pysat.formula as pysat
except ImportError:
    pysat = None


class Encodings(unittest.TestCase):
    def compare(self, made, variables, holds):
        """Whether the clauses have a model just where the constraint holds."""
        with craig.Solver(bootstrap_with=made) as solver:
            for values in product((False, True), repeat=len(variables)):
                given = {variable: value for variable, value in zip(variables, values)}
                value = lambda literal: given[abs(literal)] == (literal > 0)
                assumed = [variable if is_true else -variable for variable, is_true in given.items()]
                self.assertEqual(solver.solve(assumed), holds(value), assumed)

    def test_counts(self):
        literals = [3, -1, 4, 7]
        variables = [1, 3, 4, 7]
        count = lambda value: sum(map(value, literals))
        for bound in range(5):
            at_most, at_least, equals = card.CardEnc.atmost, card.CardEnc.atleast, card.CardEnc.equals
            self.compare(at_most(literals, bound), variables, lambda value: count(value) <= bound)
            self.compare(at_least(lits=literals, bound=bound), variables, lambda value: count(value) >= bound)
            self.compare(equals(literals, bound, encoding=card.EncType.ladder), variables, lambda value: count(value) == bound)
        self.compare(constraints.at_least(literals, 5), variables, lambda value: False)
        self.compare(constraints.at_most(literals, -1), variables, lambda value: False)
        self.compare(constraints.at_most([1, 1, 3], 1), [1, 3], lambda value: not value(1))

    def test_weighted_sums(self):
        numbers = random.Random(7)
        for _ in range(40):
            literals = [numbers.choice((1, -1)) * variable for variable in range(1, 6)]
            weights = [numbers.randint(-6, 9) for _ in literals]
            bound = numbers.randint(-8, 25)
            total = lambda value: sum(weight for literal, weight in zip(literals, weights) if value(literal))
            variables = [1, 2, 3, 4, 5]
            self.compare(pb.PBEnc.atmost(literals, weights, bound), variables, lambda value: total(value) <= bound)
            pairs = list(zip(literals, weights))
            self.compare(pb.PBEnc.geq(pairs, bound=bound), variables, lambda value: total(value) >= bound)
            equals = pb.PBEnc.equals(literals, weights, bound, conditionals=[6, -7])
            holds = lambda value: not value(6) or value(7) or total(value) == bound
            self.compare(equals, [*variables, 6, 7], holds)

    def test_a_sum_with_many_values_is_no_large_formula(self):
        weights = [(1 << 30) + (1 << place) for place in range(28)]
        made = pb.PBEnc.leq(list(range(1, 29)), weights, sum(weights) // 2)
        self.assertLess(len(made.clauses), 3000)
        with craig.Solver(bootstrap_with=made) as solver:
            self.assertTrue(solver.solve(list(range(1, 14))))
            self.assertFalse(solver.solve(list(range(1, 16))))

    def test_parities_and_totalizers(self):
        literals = [1, -2, 3, 4, -5, 6]
        count = lambda value: sum(map(value, literals))
        for is_odd in (False, True):
            made = constraints.parity(literals, is_odd)
            self.compare(made, range(1, 7), lambda value: count(value) % 2 == is_odd)
        counter = card.ITotalizer(literals, ubound=3, top_id=10)
        self.assertEqual(len(counter.rhs), 6)
        for bound, more in enumerate(counter.rhs):
            made = formula.CNF(from_clauses=[*counter.cnf, [-more]])
            self.compare(made, range(1, 7), lambda value: count(value) <= bound)
        counter.extend([-7, 8])
        other = card.ITotalizer([8, 9], top_id=counter.top_id)
        counter.merge_with(other)
        self.assertEqual(counter.lits, [*literals, -7, 8, 8, 9])
        more = [*literals, -7, 8, 8, 9]
        for bound in (0, 4, 9):
            made = formula.CNF(from_clauses=[*counter.cnf, [-counter.rhs[bound]]])
            self.compare(made, range(1, 10), lambda value: sum(map(value, more)) <= bound)

    def test_new_variables_come_after_those_that_are_used(self):
        made = card.CardEnc.atmost([1, 2, 3], top_id=10)
        self.assertEqual({abs(literal) for clause in made for literal in clause} & set(range(4, 11)), set())
        self.assertEqual(made.nv, max(abs(literal) for clause in made for literal in clause))
        pools = [formula.IDPool] + ([] if pysat is None else [pysat.IDPool])
        for pool in pools:
            own = pool(start_from=1, occupied=[[12, 20], [5, 6]])
            self.assertEqual([own.id(name) for name in "abca"], [1, 2, 3, 1])
            made = card.CardEnc.equals([1, 2, 3, 11], 2, vpool=own)
            used = {abs(literal) for clause in made for literal in clause}
            self.assertEqual(used & ({4, 5, 6, 7, 8, 9, 10} | set(range(12, 21))), set())
            self.assertEqual((made.nv, max(used)), (own.top, own.top))
            self.assertEqual(own.id("later"), made.nv + 1)
            count = lambda value: sum(map(value, [1, 2, 3, 11]))
            self.compare(made, [1, 2, 3, 11], lambda value: count(value) == 2)

    def test_wrong_arguments_are_refused(self):
        self.assertRaises(card.NoSuchEncodingError, card.CardEnc.atmost, [1, 2], encoding=10)
        self.assertRaises(pb.NoSuchEncodingError, pb.PBEnc.leq, [1, 2], encoding=-1)
        for call, arguments in (
            (card.CardEnc.atmost, {"lits": [1, 0]}),
            (card.CardEnc.atmost, {"lits": [1, 2], "bound": -1}),
            (card.CardEnc.atleast, {"lits": [1, 2], "bound": 3}),
            (card.CardEnc.atmost, {"lits": [1, 2], "top_id": 3, "vpool": formula.IDPool()}),
            (card.CardEnc.atmost, {"lits": [1, 2, 3], "top_id": 1 << 30}),
            (pb.PBEnc.leq, {"lits": [1, 2], "weights": [1]}),
            (pb.PBEnc.leq, {"lits": [1, 2], "weights": [1 << 63, 1 << 63]}),
        ):
            self.assertRaises(ValueError, call, **arguments)
        self.assertRaises(TypeError, card.CardEnc.atmost, ["1", 2])


class InSolvers(unittest.TestCase):
    """Constraints whose variables are not shown."""

    def test_models_cores_and_later_clauses_are_over_the_callers_variables(self):
        numbers = random.Random(3)
        for _ in range(30):
            with craig.Solver() as solver:
                holds = []
                for _ in range(6):
                    # Each constraint may have variables that are new, or not.
                    literals = [numbers.choice((1, -1)) * numbers.randint(1, 7) for _ in range(4)]
                    weights = numbers.choice(([], [numbers.randint(-3, 5) for _ in literals]))
                    bound, kind = numbers.randint(0, 5), numbers.randint(0, 2)
                    is_true = lambda value, own=literals: [value[abs(one)] == (one > 0) for one in own]
                    total = lambda value, own=weights, of=is_true: sum(w * t for w, t in zip(own or [1] * 4, of(value)))
                    if kind == 0:
                        solver.add_atmost(literals, bound, weights)
                        holds.append(lambda value, most=bound, of=total: of(value) <= most)
                    elif kind == 1:
                        solver.add_xor_clause(literals, value=bool(bound % 2))
                        holds.append(lambda value, odd=bound % 2, of=is_true: sum(of(value)) % 2 == odd)
                    else:
                        solver.add_clause(literals)
                        holds.append(lambda value, of=is_true: any(of(value)))
                solver.add_clause([7, -7])
                self.assertEqual(solver.nof_vars(), 7)
                copy = solver.clone()
                for values in product((False, True), repeat=7):
                    value = dict(enumerate(values, start=1))
                    assumed = [variable if value[variable] else -variable for variable in value]
                    expected = all(one(value) for one in holds)
                    self.assertEqual((solver.solve(assumed), copy.solve(assumed)), (expected, expected))
                    if expected:
                        self.assertEqual(solver.get_model(), assumed)
                    else:
                        self.assertLessEqual(set(solver.get_core()), set(assumed))
                    propagates, implied = solver.propagate(assumed)
                    self.assertLessEqual({abs(literal) for literal in implied}, set(value))
                    self.assertFalse(expected and not propagates)
                models = [tuple(model) for model in solver.enum_models()]
                self.assertEqual(len(models), len(set(models)))

    def test_a_formula_with_native_constraints(self):
        made = formula.CNFPlus(from_clauses=[[1], [2], [3]])
        made.atmosts = [[[1, 2, 3], 2]]
        with craig.Solver("minicard", bootstrap_with=made) as solver:
            self.assertFalse(solver.solve())
            self.assertTrue(solver.supports_atmost())
        with craig.Solver(bootstrap_with=[[1], [2], [3]]) as solver:
            self.assertIs(solver.add_atmost([1, 2, 3], 2, no_return=False), False)

    def test_they_are_not_in_proofs_or_beside_propagators(self):
        with craig.Solver(with_proof=True) as solver:
            self.assertRaisesRegex(craig.Error, "craig.card", solver.add_atmost, [1, 2], 1)
        with craig.Solver() as solver:
            solver.add_xor_clause([1, 2])
            solver.add_atmost([1, 2, 3, 4, 5], 3)
            self.assertRaisesRegex(craig.Error, "craig.card", solver.connect_propagator, object())


class Formulas(unittest.TestCase):
    TEXT = "c a comment\np cnf 4 2\n1 -2 0\n3 0\n"

    def test_files_of_all_kinds(self):
        expected = [[1, -2], [3]]
        with tempfile.TemporaryDirectory() as folder:
            plain, packed = Path(folder) / "formula.cnf", Path(folder) / "formula.cnf.gz"
            plain.write_text(self.TEXT)
            packed.write_bytes(gzip.compress(self.TEXT.encode()))
            with plain.open() as as_text, plain.open("rb") as as_bytes:
                read = [
                    formula.CNF(from_file=plain),
                    formula.CNF(from_file=str(packed)),
                    formula.CNF(from_fp=as_text),
                    formula.CNF(from_fp=as_bytes),
                    formula.CNF(from_fp=io.StringIO(self.TEXT)),
                    formula.CNF(from_string=self.TEXT),
                ]
            for one in read:
                self.assertEqual((one.clauses, one.nv), (expected, 4))
                self.assertEqual(one, read[0])
            read[0].to_file(plain)
            self.assertEqual(formula.CNF(from_file=plain), read[1])
            missing = str(Path(folder) / "no.cnf")
            self.assertRaisesRegex(craig.InputError, "no.cnf: can't be read", formula.CNF, from_file=missing)
        with self.assertRaisesRegex(craig.InputError, "string:2:"):
            formula.CNF(from_string="p cnf 1 1\n1 x 0\n")

    def test_a_formula_grows_and_is_copied(self):
        one = formula.CNF(from_clauses=([1], (2, -5)))
        other = one.copy()
        one.extend([[6]])
        self.assertEqual((one.nv, len(one), other.nv, list(other)), (6, 3, 5, [[1], [2, -5]]))
        with craig.Solver(bootstrap_with=one) as solver:
            self.assertEqual(solver.nof_clauses(), 3)
