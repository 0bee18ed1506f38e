"""The examples of PySAT's documentation, with the import changed, if PySAT is installed."""

import contextlib
import inspect
import io
import re
import unittest

from craig import Solver

try:
    import pysat.solvers as pysat
except ImportError:
    pysat = None

#: What craig's solver lacks, by the calls with which examples use it: PySAT has each for some of its solvers only.
LACKING = ("set_activities", "get_activities", "dec_budget", "flip_bits")
#: No programs by themselves, or with a module that PySAT has not.
SKIPPED = r"Solver\(solver|model_count|vpool|propagator|solver s is fed|import Parity"
#: Answers of another kind: which solvers take cardinality constraints.
OTHER = ("supports_atmost",)


def examples(text):
    """The programs in a docstring, each with the lines that it is said to print."""
    programs, code, expected = [], [], []
    for line in inspect.cleandoc(text or "").splitlines() + ["end"]:
        stripped = line.strip()
        if stripped.startswith(">>>") or (stripped.startswith("...") and code):
            code.append(stripped[4:])
        elif code and stripped and stripped[0] in "[(-TFN0123456789":
            expected.append(stripped)
        elif code and (not line.startswith((" ", "\t")) and stripped):
            programs.append(("\n".join(code), expected))
            code, expected = [], []
    return programs


def statements(code):
    """The statements of an interactive session: a line that is not indented begins one."""
    found = []
    for line in code.splitlines():
        if line.startswith((" ", "#")) and found:
            found[-1] += "\n" + line
        elif line.strip():
            found.append(line)
    return found


@unittest.skipIf(pysat is None, "PySAT is not installed")
class Examples(unittest.TestCase):
    def run_it(self, code, expected):
        code = code.replace("pysat.solvers", "craig.solvers")
        # A timer that need not be waited for, and pigeons that are soon counted.
        code = code.replace("Timer(10,", "Timer(0.2,").replace("nof_holes=10)", "nof_holes=6)")
        names = {}
        exec("from craig.solvers import *\nfrom pysat.formula import CNF", names)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            for statement in statements(code):
                # As at a prompt, which shows the value of each expression.
                exec(compile(statement + "\n", "example", "single"), names)
        shown = output.getvalue().splitlines()
        for line in expected:
            # Models, cores and proofs may be others, verdicts not.
            if line in ("True", "False", "None") and shown:
                self.assertIn(line, shown, code)

    def test_those_of_encodings_run(self):
        import pysat.card
        import pysat.formula

        classes = [pysat.card.CardEnc, pysat.card.ITotalizer, pysat.formula.IDPool]
        try:
            import pysat.pb

            classes.append(pysat.pb.PBEnc)
        except (ImportError, AssertionError):
            pass
        docs = [one.__doc__ for of in classes for one in (of, *(getattr(of, name) for name in vars(of)))]
        docs += [getattr(pysat.formula.CNF, name).__doc__ for name in ("__init__", "append", "extend", "from_string", "from_clauses")]
        n_run = 0
        for code, expected in (example for doc in docs for example in examples(doc)):
            if "import" not in code or "aiger" in code:
                continue
            code = re.sub(r"pysat\.(card|pb|formula)", r"craig.\1", code)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(code, {})
            # Encodings have other clauses.
            if "craig.formula" in code:
                self.assertEqual(output.getvalue().splitlines(), expected, code)
            n_run += 1
        self.assertGreater(n_run, 10)

    def test_formulas_with_operators_have_all_their_clauses(self):
        from pysat.formula import CNF, Atom, CNFPlus, Formula

        x, y, z = Atom("x"), Atom("y"), Atom("z")
        for formula, count in (((x @ y) ^ z, 4), ((x @ y) | z, 6), (x & ~y & z, 1), ((x >> y) & (y >> x), 4)):
            atoms = Formula.literals([x, y, z])
            with Solver(bootstrap_with=formula) as solver:
                self.assertEqual(len(list(solver.enum_models(projection=atoms))), count, formula)
        with Solver(bootstrap_with=CNF(from_clauses=[[1, 2], [-1]])) as solver:
            self.assertEqual(list(solver.enum_models()), [[-1, 2]])
        plus = CNFPlus()
        plus.append([1, 2])
        plus.append([[1, 2, 3], 1], is_atmost=True)
        with Solver(bootstrap_with=plus) as solver:
            self.assertEqual(sorted(map(sorted, solver.enum_models())), [[-3, -2, 1], [-3, -1, 2]])

    def test_they_run(self):
        n_run = 0
        for name, method in [("module", pysat), *inspect.getmembers(pysat.Solver)]:
            for code, expected in examples(method.__doc__):
                if re.search(SKIPPED, code):
                    continue
                with self.subTest(name):
                    if any(call in code for call in LACKING):
                        self.assertRaisesRegex(NotImplementedError, "craig's solver has no", self.run_it, code, expected)
                    elif not any(call in code for call in OTHER):
                        self.run_it(code, expected)
                    n_run += 1
        self.assertGreater(n_run, 15)
