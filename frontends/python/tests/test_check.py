"""Files: in this process, and by the command where it was built."""

import asyncio
import io
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import craig

EXAMPLES = Path(os.environ.get("CRAIG_REPOSITORY", ".")) / "examples"
HAS_COMMAND = "CRAIG_COMMAND" in os.environ
SLOW = """
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned long long left = __VERIFIER_nondet_uint(), right = __VERIFIER_nondet_uint();
    if (left > 1 && right > 1 && left * right == 9007199254740881ULL) {
        extern void abort(void), reach_error(void);
        reach_error();
    }
}
"""


class InProcess(unittest.TestCase):
    def test_circuits_are_decided_here(self):
        for name, verdict in (("counter_safe.aag", "safe"), ("counter_unsafe.aag", "unsafe"), ("memory.btor2", None)):
            report = craig.check(EXAMPLES / name)
            self.assertTrue(report.in_process)
            self.assertIn(report.verdict, [verdict] if verdict else ["safe", "unsafe"])
        self.assertTrue(report[0].trace is None or "<svg" in report[0].trace._repr_html_())
        report = craig.check(EXAMPLES / "several.aag", property=1, engine="bmc")
        self.assertEqual([one.id for one in report], ["b1"])

    def test_open_files_and_wrong_sources(self):
        path = EXAMPLES / "counter_unsafe.aag"
        with path.open("rb") as as_bytes, path.open() as as_text:
            for source in (as_bytes, as_text, io.BytesIO(path.read_bytes()), bytearray(path.read_bytes())):
                self.assertEqual(craig.check(source).verdict, "unsafe")
        self.assertRaisesRegex(TypeError, "content as bytes", craig.check, path.read_text())
        for wrong in (None, 5, [str(path)]):
            self.assertRaisesRegex(TypeError, "expected a path, bytes or an open file", craig.check, wrong)
        for option in ("time", "threads", "max_depth"):
            self.assertRaisesRegex(TypeError, f"{option}='5'", craig.check, path, **{option: "5"})
        report = craig.check(path)
        # Without the evidence, a report is a line or two.
        self.assertLess(len(repr(report)), 600)

    def test_a_file_that_is_not_there(self):
        self.assertRaisesRegex(craig.InputError, "no.aag: can't be read", craig.check, "no.aag")

    def test_tasks_are_cancelled(self):
        async def cancelled():
            from test_model import multiplier

            task = asyncio.ensure_future(craig.check_async(multiplier().to_aiger()))
            await asyncio.sleep(0.3)
            task.cancel()
            await task

        self.assertRaises(asyncio.CancelledError, asyncio.run, cancelled())


@unittest.skipUnless(HAS_COMMAND, "the command `craig` was not built")
class ByCommand(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.slow = Path(folder.name) / "slow.c"
        self.slow.write_text(SLOW)

    def test_programs_have_paths(self):
        report = craig.check(EXAMPLES / "average_unsafe.c", time=60)
        self.assertFalse(report.in_process)
        self.assertEqual(report.verdict, "unsafe")
        self.assertTrue(any(step["input"] for step in report[0].trace))
        self.assertIn("<table>", report[0].trace._repr_html_())
        self.assertEqual(craig.check(EXAMPLES / "average_safe.c", check=["overflow", "div"]).verdict, "safe")

    def test_evidence_is_in_the_report(self):
        program = craig.check(EXAMPLES / "average_unsafe.c", time=60)
        self.assertIn(b"violation_sequence", program[0].evidence)
        circuit = craig.check(EXAMPLES / "several.aag", no_first_steps=True, time=60)
        self.assertEqual(circuit[1].verdict, "unsafe")
        self.assertTrue(circuit[1].evidence.startswith(b"1\nb1\n"), circuit[1].evidence)
        self.assertTrue(circuit[0].evidence.startswith(b"aag "))
        words = craig.check(EXAMPLES / "memory.btor2", no_first_steps=True, time=60)
        self.assertTrue(words[0].is_safe and words[0].evidence_model.startswith(b"aag "))
        # Nothing is left of the files for it.
        self.assertEqual(circuit[0].files, ["witness.b0.aag"])
        self.assertNotIn("/tmp", str(circuit.details["arguments"]).replace(str(EXAMPLES), ""))

    def test_an_unwinding_is_drawn(self):
        report = craig.check(EXAMPLES / "in_step_safe.c", engine="impact", unwinding=True, time=60)
        self.assertTrue(report.unwinding._repr_html_().startswith("<svg"))
        self.assertIsNone(craig.check(EXAMPLES / "average_safe.c", time=60).unwinding)

    def test_other_options_of_circuits_go_to_the_command(self):
        report = craig.check(EXAMPLES / "counter_safe.aag", no_preprocess=True, engine="pdr")
        self.assertEqual((report.in_process, report.verdict), (False, "safe"))

    def test_options_are_those_of_the_command(self):
        known = craig.options()
        self.assertLessEqual({"timeout", "time", "engine", "I", "D", "no_certify", "unwindset"}, set(known))
        self.assertIsNone(known["link"])
        program = EXAMPLES / "average_safe.c"
        for given, message in (
            ({"unwinds": 3}, "unwind"),
            ({"json": True}, "changes what the command prints"),
            ({"link": "yes"}, "a switch"),
            ({"unwind": True}, "expected N"),
        ):
            with self.subTest(given), self.assertRaisesRegex(TypeError, message):
                craig.check(program, **given)
        self.assertRaisesRegex(craig.InputError, "no engine", craig.check, program, engine="magic")

    def test_errors_have_their_text(self):
        self.assertRaisesRegex(craig.InputError, "no.c", craig.check, "no.c")
        self.assertRaisesRegex(craig.Error, "check_many", craig.check, EXAMPLES)

    def test_several_inputs(self):
        inputs = [EXAMPLES / "average_safe.c", EXAMPLES / "average_unsafe.c", EXAMPLES / "counter_safe.aag", "no.c"]
        found = dict(craig.check_many(inputs, jobs=2, time=60))
        self.assertEqual(set(found), set(inputs))
        self.assertEqual([found[one].verdict for one in inputs[:3]], ["safe", "unsafe", "safe"])
        self.assertIsInstance(found["no.c"], craig.InputError)

    def test_a_signal_ends_the_process_group(self):
        def interrupt():
            time.sleep(1)
            os.kill(os.getpid(), signal.SIGINT)

        # A shell that runs the tests in the background ignores the signal.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        thread = threading.Thread(target=interrupt)
        thread.start()
        self.assertRaises(KeyboardInterrupt, craig.check, self.slow, time=60)
        thread.join()

    @unittest.skipUnless(Path("/proc/self").exists(), "there is no /proc")
    def test_the_command_ends_with_a_process_that_is_killed(self):
        script, log = self.slow.with_name("craig"), self.slow.with_name("log")
        script.write_text('#!/bin/sh\n[ "$2" = --json ] && echo $$ > "$LOG"\nexec "$REAL" "$@"\n')
        script.chmod(0o755)
        named = {"CRAIG_COMMAND": str(script), "REAL": os.environ["CRAIG_COMMAND"], "LOG": str(log)}
        program = "import craig, sys; craig.check(sys.argv[1], time=600)"
        begin = time.monotonic()
        with subprocess.Popen([sys.executable, "-c", program, str(self.slow)], env=os.environ | named) as driver:
            while not (log.exists() and log.read_text().endswith("\n")):
                self.assertLess(time.monotonic() - begin, 60)
                time.sleep(0.05)
            time.sleep(0.5)
            driver.kill()
        search = Path("/proc") / log.read_text().strip()
        while search.exists():
            self.assertLess(time.monotonic() - begin, 90)
            time.sleep(0.05)

    def test_a_cancelled_task_ends_the_command(self):
        async def cancelled():
            task = asyncio.ensure_future(craig.check_async(self.slow))
            await asyncio.sleep(0.5)
            task.cancel()
            await task

        self.assertRaises(asyncio.CancelledError, asyncio.run, cancelled())


if __name__ == "__main__":
    unittest.main()
