"""Runs with a store: nothing twice, nothing lost, the first verdict ends the others."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import craig
from craig import cluster
from test_check import EXAMPLES, HAS_COMMAND

#: Stands for the command: says that it was run, takes its time, then is the command.
SLOWED = """#!/bin/sh
if [ "$1" = check ] && [ "$2" = --json ]; then
    echo run >> "$LOG"
    sleep "${DELAY:-0}"
fi
exec "$REAL" "$@"
"""


@unittest.skipUnless(HAS_COMMAND, "the command `craig` was not built")
class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = cluster.Store(self.folder / "results.sqlite")
        self.addCleanup(self.store.close)
        self.inputs = [EXAMPLES / name for name in ("counter_safe.aag", "counter_unsafe.aag", "average_unsafe.c")]

    def verdicts(self, **options):
        found = list(cluster.run(self.inputs, self.store, jobs=2, time=60, **options))
        return {Path(one.input).name: one.verdict for one in found}, [one.was_stored for one in found]

    def test_nothing_is_done_twice(self):
        expected = {"counter_safe.aag": "safe", "counter_unsafe.aag": "unsafe", "average_unsafe.c": "unsafe"}
        self.assertEqual(self.verdicts(), (expected, [False] * 3))
        self.assertEqual(self.verdicts(), (expected, [True] * 3))
        self.assertEqual(self.verdicts(engine="portfolio:seed=1")[1].count(True), 0)
        for record in self.store.records():
            self.assertTrue(self.store.evidence(record["key"]), record["input"])

    def test_other_content_is_another_question(self):
        header, program = self.folder / "limit.h", self.folder / "program.c"
        program.write_text('#include <assert.h>\n#include "limit.h"\nint main(void) { assert(LIMIT < 5); }\n')
        verdicts = []
        for limit in (4, 5, 4):
            header.write_text(f"#define LIMIT {limit}\n")
            [found] = cluster.run([program], self.store, time=60)
            verdicts.append((found.verdict, found.was_stored))
        self.assertEqual(verdicts, [("safe", False), ("unsafe", False), ("safe", True)])

    def test_the_first_verdict_ends_the_others(self):
        entries = [{"engine": "pdr", "property": 0}, {"engine": "bmc", "property": 0}]
        begin = time.monotonic()
        [found] = cluster.run([EXAMPLES / "counter_safe.aag"], self.store, entries=entries, jobs=2)
        # Bounded search alone would not end.
        self.assertEqual((found.verdict, found.entry), ("safe", 0))
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual([record["verdict"] for record in self.store.records()], ["safe"])

    def test_a_failure_is_no_result(self):
        found = {one.input: one for one in cluster.run(["no.aag", *self.inputs[:1]], self.store, time=60)}
        self.assertEqual(found["no.aag"].verdict, "failed")
        self.assertIsInstance(found["no.aag"].error, craig.InputError)
        self.assertEqual(len(self.store.records()), 1)

    def slowed(self):
        """A command that can be caught in the middle, and the log of its runs."""
        script, log = self.folder / "craig", self.folder / "log"
        script.write_text(SLOWED)
        script.chmod(0o755)
        log.touch()
        before = os.environ["CRAIG_COMMAND"]
        self.addCleanup(os.environ.__setitem__, "CRAIG_COMMAND", before)
        os.environ.update(CRAIG_COMMAND=str(script), REAL=before, LOG=str(log))
        return log

    def test_a_killed_worker_is_tried_again(self):
        log = self.slowed()
        os.environ["DELAY"] = "2"
        self.addCleanup(os.environ.pop, "DELAY", None)
        search = cluster._Run.wait
        killed = []

        def kill_the_first(run):
            if not killed:
                killed.append(run._process.pid)
                os.killpg(run._process.pid, signal.SIGKILL)
            return search(run)

        cluster._Run.wait = kill_the_first
        self.addCleanup(setattr, cluster._Run, "wait", search)
        [found] = cluster.run(self.inputs[:1], self.store, time=60)
        self.assertEqual((found.verdict, len(killed)), ("safe", 1))
        self.assertEqual(len(self.store.records()), 1)
        self.assertGreaterEqual(len(log.read_text().split()), 1)

    def test_a_killed_driver_goes_on_where_it_was(self):
        log = self.slowed()
        program = (
            "import sys; from craig import cluster\n"
            "for one in cluster.run(sys.argv[2:], cluster.Store(sys.argv[1]), jobs=1, time=60): print(one.input, flush=True)\n"
        )
        arguments = [sys.executable, "-c", program, str(self.folder / "results.sqlite"), *map(str, self.inputs)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=os.environ | {"DELAY": "1"}) as driver:
            driver.stdout.readline()
            os.kill(driver.pid, signal.SIGKILL)
        n_stored = len(self.store.records())
        self.assertIn(n_stored, (1, 2))
        verdicts, were_stored = self.verdicts()
        self.assertEqual(list(sorted(verdicts.values())), ["safe", "unsafe", "unsafe"])
        self.assertEqual(were_stored.count(True), n_stored)
        self.assertEqual(len(self.store.records()), 3)
        # One run more than inputs: that in which the driver was killed.
        self.assertLessEqual(len(log.read_text().split()), 4)
