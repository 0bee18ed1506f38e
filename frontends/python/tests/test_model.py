"""Circuits: words beside integers, files, verdicts and their evidence."""

import threading
import time
import unittest

import craig
from craig import Model

WIDTH = 4


def counter(limit, bad):
    model = Model("counter")
    count = model.latches("count", WIDTH)
    enable = model.input("enable")
    model.next(count, model.ite(enable & count.lt(limit), count + 1, count))
    model.bad(count.eq(bad), "reached")
    return model


def value(step, name):
    """The number of a word in a step of a trace."""
    bits = {key: one for key, one in (step["state"] | step["inputs"]).items() if key.startswith(name + "[")}
    return sum(one << place for place, one in enumerate(bits.values()))


class Words(unittest.TestCase):
    def test_operators_are_those_of_integers(self):
        model = Model()
        left, right = model.inputs("left", WIDTH), model.inputs("right", WIDTH)
        mask = (1 << WIDTH) - 1
        operators = [
            (left + right, lambda a, b: a + b),
            (left - right, lambda a, b: a - b),
            (left * right, lambda a, b: a * b),
            (left & right, lambda a, b: a & b),
            (left | right, lambda a, b: a | b),
            (left ^ right, lambda a, b: a ^ b),
            (~left, lambda a, b: ~a),
            (-left, lambda a, b: -a),
            (left << 2, lambda a, b: a << 2),
            (left >> 1, lambda a, b: a >> 1),
            (3 + left, lambda a, b: 3 + a),
            (3 - left, lambda a, b: 3 - a),
            (model.ite(left.lt(right), left, 5), lambda a, b: a if a < b else 5),
        ]
        comparisons = [
            (left.eq(right), lambda a, b: a == b),
            (left.ne(right), lambda a, b: a != b),
            (left.lt(right), lambda a, b: a < b),
            (left.le(right), lambda a, b: a <= b),
            (left.gt(right), lambda a, b: a > b),
            (left.ge(7), lambda a, b: a >= 7),
            (left[0].implies(right[0]), lambda a, b: not (a & 1) or bool(b & 1)),
        ]
        for word, _ in operators:
            for bit in word:
                model.bad(bit)
        for bit, _ in comparisons:
            model.bad(bit)
        pairs = [(a, b) for a in range(16) for b in range(16)]
        bits = lambda number: [number >> place & 1 for place in range(WIDTH)]
        trace = model.simulate([bits(a) + bits(b) for a, b in pairs])
        for (a, b), step in zip(pairs, trace):
            expected = [bool(bit) for _, function in operators for bit in bits(function(a, b) & mask)]
            expected += [function(a, b) for _, function in comparisons]
            self.assertEqual(step["bads"], expected, (a, b))

    def test_a_signal_is_no_truth_value(self):
        model = Model()
        self.assertRaisesRegex(TypeError, "has no value", bool, model.input())
        self.assertRaisesRegex(ValueError, "another model", lambda: model.input() & Model().input())
        self.assertRaisesRegex(ValueError, "bits", lambda: model.inputs("a", 2) + model.inputs("b", 3))
        self.assertRaisesRegex(ValueError, "does not fit", model.constant, 16, 4)
        self.assertRaisesRegex(ValueError, "only a latch", model.next, model.input(), 1)


class Files(unittest.TestCase):
    def test_what_is_written_is_read(self):
        model = counter(9, 4)
        for again in (
            Model.from_aiger(model.to_aiger()),
            Model.from_aiger(model.to_aiger(binary=True)),
            Model.from_btor2(model.to_btor2()),
        ):
            report = again.check()
            self.assertEqual(report.verdict, "unsafe")
            self.assertEqual(report[0].name, "reached")
            self.assertEqual(len(report[0].trace), 5)
            self.assertEqual([value(step, "count") for step in report[0].trace], [0, 1, 2, 3, 4])

    def test_what_was_read_can_be_changed(self):
        for read in (Model.from_aiger(counter(9, 10).to_aiger()), Model.from_btor2(counter(9, 10).to_btor2())):
            self.assertEqual(read.check().verdict, "safe")
            read.bad(read.signals()["latches"][0], "odd")
            report = read.check()
            self.assertEqual([report["reached"].verdict, report["odd"].verdict], ["safe", "unsafe"])

    def test_words_of_btor2_are_numbers(self):
        text = b"1 sort bitvec 70\n2 zero 1\n3 state 1 wide\n4 init 1 3 2\n5 one 1\n6 sub 1 3 5\n7 next 1 3 6\n"
        text += b"8 ones 1\n9 sort bitvec 1\n10 eq 9 3 8\n11 bad 10\n"
        report = Model.from_btor2(text).check()
        self.assertEqual(report[0].trace[-1]["state"], {"wide": (1 << 70) - 1})
        self.assertTrue(report[0].evidence.startswith(b"sat\n"))

    def test_a_wrong_file_is_refused_with_its_line(self):
        self.assertRaisesRegex(craig.InputError, "cut.aag", Model.from_aiger, b"aag 1 0 1", "cut.aag")
        self.assertRaisesRegex(craig.InputError, "bad.btor2: line 1", Model.from_btor2, b"1 sort list\n", "bad.btor2")


class Verdicts(unittest.TestCase):
    def test_engines_agree_and_evidence_is_given(self):
        for engine in ("portfolio", "pdr", "imc", "kind:max-depth=20"):
            safe, unsafe = counter(9, 10).check(engine=engine), counter(9, 7).check(engine=engine)
            self.assertEqual((safe.verdict, unsafe.verdict), ("safe", "unsafe"), engine)
            self.assertTrue(safe[0].certified and unsafe[0].certified)
            self.assertTrue(safe[0].evidence.startswith(b"aag "))
            self.assertTrue(unsafe[0].evidence.startswith(b"1\nb0\n"))

    def test_a_trace_is_a_run_of_the_circuit(self):
        model = counter(9, 7)
        trace = model.check()[0].trace
        again = model.simulate([step["inputs"] for step in trace], trace[0]["state"])
        self.assertEqual([step["state"] for step in again], [step["state"] for step in trace])
        self.assertTrue(again[-1]["bads"][0])

    def test_justice_and_constraints(self):
        model = Model()
        turn, hold = model.latch("turn"), model.input("hold")
        model.next(turn, turn ^ ~hold)
        model.justice([turn], "turns")
        self.assertEqual(model.check()["turns"].verdict, "unsafe")
        self.assertIsNotNone(model.check()["j0"].loop_start)
        model.constraint(hold)
        self.assertEqual(model.check()["turns"].verdict, "safe")

    def test_uninitialised_latches_have_either_value(self):
        model = Model()
        model.bad(model.latch("open", init=None))
        model.bad(~model.latch("one", init=1))
        self.assertEqual([one.verdict for one in model.check()], ["unsafe", "safe"])

    def test_arguments_are_checked(self):
        model = counter(9, 10)
        for options, message in (
            ({"engine": "magic"}, "no engine"),
            ({"engine": "pdr:magic=1"}, "no option"),
            ({"engine": "kind:max-depth=x"}, "max-depth=x"),
            ({"properties": ["b7"]}, "no property 7"),
            ({"properties": ["x"]}, "expected a number"),
            ({"threads": 0}, "threads=0"),
            ({"time": -1}, "time=-1"),
        ):
            with self.subTest(options), self.assertRaisesRegex(ValueError, message):
                model.check(**options)
        self.assertRaisesRegex(craig.Error, "nothing to check", Model().check)

    def test_limits_progress_and_other_threads(self):
        model = multiplier()
        lines = []
        begin = time.monotonic()
        report = model.check(time=0.5, progress=lines.append)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual((report.verdict, report[0].reason), ("unknown", "the time limit was reached"))
        self.assertTrue(lines)

        def fail(line):
            raise KeyError(line)

        self.assertRaises(KeyError, model.check, progress=fail)
        ticks = []
        thread = threading.Thread(target=lambda: ticks.append(model.check(time=0.3)))
        thread.start()
        thread.join(timeout=60)
        self.assertEqual(len(ticks), 1)

    def test_reports_are_shown(self):
        report = counter(9, 1).check()
        self.assertIn("reached", report._repr_html_())
        self.assertIn("enable", report[0].trace._repr_html_())
        self.assertIn("UNSAFE", str(report))
        self.assertEqual(report.records()[0]["verdict"], "unsafe")
        self.assertRaises(KeyError, lambda: report["b9"])


def multiplier():
    """Two factors of a large prime, neither of which is 1: too hard for a second."""
    model = Model("factors")
    left, right = model.inputs("left", 34), model.inputs("right", 34)
    wide = lambda word: model.word(list(word) + [0] * 34)
    product = wide(left) * wide(right)
    model.bad(product.eq(9007199254740881) & left.gt(1) & right.gt(1))
    return model


class Unrollings(unittest.TestCase):
    def test_interpolants_between_the_steps(self):
        unrolling = counter(2, 9).unroll(4)
        formulas = unrolling.interpolants()
        self.assertEqual(len(formulas), 4)
        for step, formula in enumerate(formulas):
            names = [unrolling.names[variable] for variable in formula.variables()]
            self.assertTrue(all(name.startswith("count[") and name.endswith(f"@{step + 1}") for name in names))
            by_name = {name: variable for variable, name in unrolling.names.items()}
            for number in range(16):
                variables = [by_name[f"count[{place}]@{step + 1}"] for place in range(WIDTH)]
                assignment = [var if number >> place & 1 else -var for place, var in enumerate(variables)]
                if number <= min(step + 1, 2):
                    self.assertTrue(formula.evaluate(assignment))
        self.assertRaises(craig.Satisfiable, counter(9, 3).unroll(3).interpolants)
        self.assertRaisesRegex(ValueError, "no bad 1", counter(9, 3).unroll, 3, property=1)
