"""Proofs and interpolants, by their definitions."""

import copy
import pickle
import unittest

import craig
from problems import models, pigeons, random_clauses, satisfies


def refuted(n_vars=6):
    """Contradictory clauses, some with each seed."""
    for seed in range(40):
        clauses = random_clauses(seed, n_vars, n_clauses=40)
        if not list(models(clauses, n_vars)):
            yield clauses


class Proofs(unittest.TestCase):
    def setUp(self):
        self.clauses = pigeons(4, 3) + [[20, 21]]
        self.proof = craig.Proof.find(self.clauses)

    def test_what_is_written_is_read_and_checked(self):
        for format, binary in (("drat", False), ("drat", True), ("lrat", False), ("lrat", True), ("tracecheck", False)):
            data = self.proof.to_bytes(format, binary=binary)
            again = craig.Proof.from_bytes(self.clauses, data, format)
            again.check()
            self.assertEqual(again.core, self.proof.core)

    def test_the_core_is_unsatisfiable(self):
        self.assertNotIn(len(self.clauses) - 1, self.proof.core)
        core = [self.clauses[number] for number in self.proof.core]
        with craig.Solver(bootstrap_with=core) as solver:
            self.assertFalse(solver.solve())

    def test_transforms_keep_a_proof(self):
        for name in ("reduce", "recycle-pivots", "lower-units", "merge-equal"):
            self.proof.transform(name).trim().check()
        self.proof.transform("raise-local", a=range(4)).check()
        self.assertRaisesRegex(ValueError, "depends on the cut", self.proof.transform, "raise-local")
        self.assertRaisesRegex(ValueError, "no transform", self.proof.transform, "shrink")

    def test_steps_resolve_antecedents(self):
        steps = self.proof.steps()
        self.assertEqual(steps[-1][0], [])
        for clause, antecedents in steps:
            if not antecedents:
                self.assertIn(sorted(clause), [sorted(one) for one in self.clauses])
            others = {literal for number in antecedents for literal in steps[number][0]}
            self.assertTrue(set(clause) <= others or not antecedents)
        self.assertIn("digraph", self.proof.to_dot())

    def test_a_wrong_file_is_refused(self):
        self.assertRaisesRegex(craig.InputError, "lrat", craig.Proof.from_bytes, self.clauses, b"99 0 1 2 0\n", "lrat")
        self.assertRaisesRegex(ValueError, "format", craig.Proof.from_bytes, self.clauses, b"", "frat")
        with self.assertRaises(craig.Satisfiable) as caught:
            craig.Proof.find([[1, -2], [2]])
        self.assertEqual(caught.exception.args[1], [1, 2])

    def test_assumptions_are_clauses_of_a_solver_s_proof(self):
        with craig.Solver(bootstrap_with=[[-1, 2], [-2, 3]], with_proof=True) as solver:
            self.assertFalse(solver.solve([1, -3]))
            proof = solver.proof()
            self.assertEqual(sorted(proof.clauses[2:]), [[-3], [1]])
            proof.check()
            self.assertTrue(solver.get_proof()[-1].strip().endswith("0"))
            self.assertTrue(solver.solve([1]))
            self.assertRaisesRegex(craig.Error, "no proof", solver.proof)
            self.assertIsNone(solver.get_proof())


class Interpolants(unittest.TestCase):
    def check(self, formula, a, b, n_vars):
        """Craig's conditions, on all assignments."""
        names = lambda clauses: {abs(literal) for clause in clauses for literal in clause}
        self.assertTrue(set(formula.variables()) <= names(a) & names(b))
        for model in models([], n_vars):
            value = formula.evaluate(model)
            self.assertTrue(value or not satisfies(model, a))
            self.assertFalse(value and satisfies(model, b))

    def test_each_system_and_transform_fulfils_the_definition(self):
        n_problems = 0
        for clauses in list(refuted())[:8]:
            a, b = clauses[:20], clauses[20:]
            formulas = {}
            for system in ("mcmillan", "symmetric", "inverse", "ps", "clausewise"):
                formulas[system] = craig.interpolant(a, b, system=system)
                self.check(formulas[system], a, b, 6)
            self.assertTrue(formulas["mcmillan"].implies(formulas["symmetric"]))
            self.assertTrue(formulas["symmetric"].implies(formulas["inverse"]))
            self.check(craig.interpolant(a, b, transform=["reduce", "raise-local"], simplify=True), a, b, 6)
            self.check(craig.interpolant(a, b, labelling={1: "a", 2: "b", 3: "ab", 4: "a", 5: "a", 6: "b"}), a, b, 6)
            n_problems += 1
        self.assertGreater(n_problems, 3)

    def test_sequences_symmetric_and_tree_interpolants(self):
        clauses = next(refuted())
        parts = [clauses[:13], clauses[13:26], clauses[26:]]
        sequence = craig.interpolants(parts)
        self.assertEqual(len(sequence), 2)
        self.check(sequence[0], parts[0], parts[1] + parts[2], 6)
        self.check(sequence[1], parts[0] + parts[1], parts[2], 6)
        joint = craig.interpolants(parts, shape="symmetric", system="symmetric")
        self.assertEqual(len(joint), 3)
        self.assertFalse(any(all(one.evaluate(model) for one in joint) for model in models([], 6)))
        tree = craig.interpolants(parts, shape="tree", tree=[2, 2, None])
        for model in models([], 6):
            below = tree[0].evaluate(model) and tree[1].evaluate(model) and satisfies(model, parts[2])
            self.assertFalse(below)

    def test_expressions(self):
        formula = craig.interpolant([[1, 2], [3]], [[-1], [-2, -3], [4]])
        self.assertEqual(formula.variables(), [1, 2, 3])
        self.assertTrue(formula.to_aiger().startswith(b"aag 5 3 0 1"), formula.to_aiger())
        self.assertIn("(assert", formula.to_smtlib())
        with craig.Solver(bootstrap_with=formula.clauses(first=5)) as solver:
            for model in models([], 4):
                self.assertEqual(solver.solve(model), formula.evaluate(model))
        self.assertRaisesRegex(ValueError, "no value", formula.evaluate, [1, 2])
        self.assertRaisesRegex(ValueError, "first=3", formula.clauses, 3)
        self.assertTrue(formula.is_equivalent(formula) and formula.size()["variables"] == 3)

    def test_what_does_not_go_together_is_refused(self):
        parts = [[[1]], [[-1, 2]], [[-2]]]
        for options, message in (
            ({"system": "pudlak"}, "no system"),
            ({"shape": "tree", "tree": [1, 0, None]}, "ancestor"),
            ({"shape": "tree"}, "0 nodes for 3 parts"),
            ({"shape": "symmetric", "system": "inverse"}, "labelled a"),
            ({"shape": "symmetric", "system": "clausewise"}, "clausewise"),
            ({"shape": "star"}, "no shape"),
            ({"transform": "raise-local"}, "one cut"),
            ({"tree": [None]}, "shape"),
            ({"labelling": {1: "c"}}, "labelling"),
            ({"labelling": "lit 1 a"}, "one cut"),
        ):
            with self.subTest(options), self.assertRaisesRegex(ValueError, message):
                craig.interpolants(parts, **options)
        self.assertRaises(craig.Satisfiable, craig.interpolants, [[[1]], [[2]]])
        self.assertRaises(craig.Stopped, craig.interpolants, [pigeons(12, 11), [[1]]], time=0.1)


class Pickled(unittest.TestCase):
    def test_a_proof_goes_to_another_process(self):
        clauses = pigeons(4, 3)
        proof = craig.Proof.find(clauses)
        for copied in (pickle.loads(pickle.dumps(proof)), copy.deepcopy(proof)):
            copied.check()
            self.assertEqual((copied.clauses, copied.core), (proof.clauses, proof.core))


class Studies(unittest.TestCase):
    def test_a_study_orders_the_systems(self):
        orders = 0
        for clauses in list(refuted())[:4]:
            a, b = clauses[:20], clauses[20:]
            if not all(map(list, (models(a, 6), models(b, 6)))):
                continue
            found = craig.itp.study(a, b, seeds=(0, 1))
            self.assertEqual(len(found), 28)
            self.assertEqual({one.number for one in found}, set(range(len(found.classes))))
            for one in found:
                for other in found:
                    implied = one.number == other.number or other.number in one.implies
                    self.assertEqual(one.formula.implies(other.formula), implied)
            strong = [one for one in found if one.system == "mcmillan" and one.seed == 0 and one.transform is None]
            weak = [one for one in found if one.system == "inverse" and one.seed == 0 and one.transform is None]
            self.assertTrue(strong[0].formula.implies(weak[0].formula))
            orders += strong[0].number != weak[0].number
            self.assertTrue(found.strongest() and found.weakest())
            self.assertEqual(len(found.records()), 28)
            self.assertIn("28 interpolants", found._repr_html_())
        self.assertGreater(orders, 0)
