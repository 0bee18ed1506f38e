"""Runs with a store: nothing twice, nothing lost, the first verdict ends the others."""

import contextlib
import errno
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import craig
from craig import _command, cluster
from craig.judging import judge
from craig.store import Row
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

    def test_entries_exchange_clauses(self):
        log = self.folder / "arguments"
        script = self.folder / "logged"
        script.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec "$REAL" "$@"\n')
        script.chmod(0o755)
        before = os.environ["CRAIG_COMMAND"]
        self.addCleanup(os.environ.__setitem__, "CRAIG_COMMAND", before)
        os.environ.update(CRAIG_COMMAND=str(script), REAL=before)
        entries = [{"engine": "pdr"}, {"engine": "kind"}]
        inputs = [EXAMPLES / "arbiter_safe.aag", *self.inputs[1:]]
        found = list(cluster.run(inputs, self.store, entries=entries, exchange=True, jobs=2, time=60))
        self.assertEqual(sorted(one.verdict for one in found), ["safe", "unsafe", "unsafe"])
        runs = [line for line in log.read_text().splitlines() if "--witness" in line]
        for path in inputs:
            # The entries of a circuit have one folder, and programs none.
            rooms = {word for line in runs if str(path) in line for word in line.split() if "--exchange=" in word}
            self.assertEqual(len(rooms), int(path.suffix == ".aag"), runs)
        # Keys do not depend on it.
        again = cluster.run(inputs, self.store, entries=entries, jobs=2, time=60)
        self.assertTrue(all(one.was_stored for one in again))

    def test_wrong_arguments_are_refused(self):
        run = lambda inputs=self.inputs, store=self.store, **options: list(cluster.run(inputs, store, **options))
        for one in (str(self.inputs[0]), self.inputs[0]):
            self.assertRaisesRegex(TypeError, "a list of inputs", run, one)
            self.assertRaisesRegex(TypeError, "a list of inputs", lambda: list(craig.check_many(one)))
        self.assertRaisesRegex(TypeError, "Store", run, store="results.sqlite")
        for options in ({"jobs": 0}, {"jobs": -1}, {"entries": []}):
            self.assertRaisesRegex(ValueError, next(iter(options)), run, **options)

    def test_a_failure_is_no_result(self):
        found = {one.input: one for one in cluster.run(["no.aag", *self.inputs[:1]], self.store, time=60)}
        self.assertEqual(found["no.aag"].verdict, "failed")
        self.assertIsInstance(found["no.aag"].error, craig.InputError)
        self.assertEqual(len(self.store.records()), 1)

    def test_a_folder_of_lines_is_shared_with_the_command(self):
        command, folder = os.environ["CRAIG_COMMAND"], f"{self.folder}/lines/"
        inputs = [str(path) for path in self.inputs]
        options = ["--json", "--timeout", "60", "--threads", "1"]

        def batch(*more):
            ran = subprocess.run(
                [command, "batch", *inputs, *options, "--resume", folder, *more], capture_output=True, text=True
            )
            self.assertEqual(ran.returncode, 10, ran.stderr)

        evidence = ["--witness-dir", f"{self.folder}/evidence"]
        batch(*evidence)
        with cluster.Store(folder) as store:
            found = list(cluster.run(inputs, store, time=60))
            self.assertEqual([one.was_stored for one in found], [True] * 3)
            self.assertTrue(all(store.evidence(one.key) and one.report[0].evidence for one in found))
            self.assertEqual({record["input"] for record in store.records()}, set(inputs))
            # What the command does not know yet.
            found = list(cluster.run(inputs[:2], store, time=50))
            self.assertEqual([one.was_stored for one in found], [False] * 2)
        options[2] = "50"
        inputs = inputs[:2]
        before = {path.name: path.read_text() for path in Path(folder).glob("*.jsonl")}
        batch()
        batch(*evidence)
        self.assertEqual({path.name: path.read_text() for path in Path(folder).glob("*.jsonl")}, before)

    def test_a_verdict_without_evidence_is_no_result(self):
        inputs, folder = [str(self.inputs[0])], f"{self.folder}/lines/"
        ran = [os.environ["CRAIG_COMMAND"], "batch", *inputs, "--json", "--timeout=60", "--threads=1", "--resume", folder]
        subprocess.run(ran, check=False, capture_output=True)
        with cluster.Store(folder) as store:
            [found] = cluster.run(inputs, store, time=60)
            self.assertEqual((found.verdict, found.was_stored), ("safe", False))
            [found] = cluster.run(inputs, store, time=60)
            self.assertEqual((found.verdict, found.was_stored), ("safe", True))
            next(Path(folder).glob("evidence/*/*")).unlink()
            self.assertIsNone(store.get(found.key))

    def test_a_torn_line_is_left_out(self):
        folder = Path(f"{self.folder}/lines")
        with cluster.Store(f"{folder}/") as store:
            [found] = cluster.run(self.inputs[:1], store, time=60)
            (folder / "all.jsonl").write_text('{"input": "torn')
            with cluster.Store(folder) as other:
                self.assertEqual(other.get(found.key).verdict, "safe")
            (folder / "all.jsonl").write_text("no line\n")
            with cluster.Store(folder) as other:
                self.assertRaisesRegex(craig.Error, "all.jsonl: expected lines", other.get, "x")

    def test_a_clock_that_is_wrong_changes_nothing(self):
        clock = time.time
        self.addCleanup(setattr, time, "time", clock)
        for step, path in enumerate(self.inputs):
            # Each is an hour before the last.
            time.time = lambda step=step: clock() - 3600 * step
            list(cluster.run([path], self.store, time=60))
        self.assertEqual([record["input"] for record in self.store.records()], [str(path) for path in self.inputs])
        self.assertEqual(self.verdicts()[1], [True] * 3)

    def test_a_full_disk_loses_nothing_that_was_stored(self):
        list(cluster.run(self.inputs[:1], self.store, time=60))
        database = self.store._kept._database
        [pages] = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        with self.assertRaisesRegex(sqlite3.OperationalError, "full"):
            # More than free space in its pages has room for.
            large = {"evidence": bytes(100000)}
            self.store.put(Row("k", "i", "[]", "v"), self.store.get(self.store.records()[0]["key"]), large)
        self.assertEqual(len(self.store.records()), 1)
        self.assertEqual(self.store.evidence("k"), {})
        database.execute("PRAGMA max_page_count = 1000000")
        self.assertEqual(sorted(self.verdicts()[1]), [False, False, True])
        with cluster.Store(f"{self.folder}/lines/") as lines:
            [found] = cluster.run(self.inputs[:1], lines, time=60)

            def full(_):
                raise OSError(errno.ENOSPC, "no space is left")

            before, os.fsync = os.fsync, full
            try:
                self.assertRaises(OSError, lines.put, Row("k", "i", "[]", "v"), found.report, {})
            finally:
                os.fsync = before
            with cluster.Store(f"{self.folder}/lines/") as again:
                self.assertEqual([record["key"] for record in again.records()], [found.key])

    def test_the_command_runs_shows_and_simulates(self):
        store = f"{self.folder}/results.sqlite"

        def ran(*arguments):
            output = io.StringIO()
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
                code = _command.main([*arguments, "--store", store])
            return code, output.getvalue()

        inputs = [str(path) for path in self.inputs]
        for known in ("", " (stored)"):
            code, shown = ran("run", *inputs, "--option", "timeout=60", "--entry", "engine=pdr", "--entry", "engine=bmc", "--jobs", "1")
            self.assertEqual(code, 10, shown)
            self.assertIn(f"safe    {inputs[0]}{known}\n", shown)
        code, shown = ran("run", "no.aag")
        self.assertEqual(code, 1, shown)
        self.assertEqual(ran("run", *inputs, "--option", "unwinds=3")[0], 2)
        code, shown = ran("show")
        self.assertEqual({json.loads(line)["input"] for line in shown.splitlines()}, set(inputs))
        code, shown = ran("simulate", "--workers", "1,3")
        self.assertRegex(shown, r"(?m)^ +1 .* 1\.00 ")
        store = f"{self.folder}/notes"
        Path(store).write_text("no database\n" * 100)
        code, shown = ran("show")
        self.assertEqual(code, 2)
        self.assertRegex(shown, "^error: .*notes: file is not a database")

    def test_properties_are_questions_of_their_own(self):
        inputs = [EXAMPLES / "several.aag", EXAMPLES / "requests.aag", *self.inputs[2:]]
        found = list(cluster.run(inputs, self.store, by_property=True, jobs=2, time=60))
        verdicts = {(Path(one.input).name, one.property): one.verdict for one in found}
        expected = {("several.aag", str(number)): verdict for number, verdict in enumerate(["safe", "unsafe", "unsafe", "safe"])}
        expected |= {("requests.aag", "j0"): "unsafe", ("requests.aag", "j1"): "safe", ("average_unsafe.c", None): "unsafe"}
        self.assertEqual(verdicts, expected)
        self.assertEqual(len(self.store.records()), 7)

    def test_folders_stand_for_their_files(self):
        for path in self.inputs:
            (self.folder / "all").mkdir(exist_ok=True)
            (self.folder / "all" / path.name).write_bytes(path.read_bytes())
        found = list(cluster.run([self.folder / "all"], self.store, time=60))
        self.assertEqual(sorted(one.verdict for one in found), ["safe", "unsafe", "unsafe"])

    def test_evidence_is_judged(self):
        command = os.environ["CRAIG_COMMAND"]
        for path in (EXAMPLES / "several.aag", self.inputs[2]):
            report = craig.check(path, time=60, no_first_steps=True) if path.suffix == ".aag" else craig.check(path, time=60)
            judge(command, str(path), {}, report)
            report[0].verdict = "safe" if report[0].is_unsafe else "unsafe"
            self.assertRaisesRegex(craig.InternalError, "evidence is refused", judge, command, str(path), {}, report)
            report[0].evidence = None
            self.assertRaisesRegex(craig.InternalError, "no evidence", judge, command, str(path), {}, report)

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
