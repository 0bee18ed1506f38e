"""Formulas decided cube by cube: with one proof, and nothing lost when processes are killed."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from craig import Proof, cluster, conquest
from test_check import HAS_COMMAND

#: Stands for the command: notes its process, takes its time, then is the command.
SLOWED = """#!/bin/sh
case "$*" in *--trim*)
    echo $$ >> "$LOG"
    sleep "${DELAY:-0}"
esac
exec "$REAL" "$@"
"""


def pigeons(n_holes, n_pigeons):
    """A formula in DIMACS: each pigeon sits in a hole, no two in one."""
    sits = lambda pigeon, hole: n_holes * pigeon + hole + 1
    clauses = [[sits(pigeon, hole) for hole in range(n_holes)] for pigeon in range(n_pigeons)]
    for hole in range(n_holes):
        clauses += [[-sits(one, hole), -sits(two, hole)] for two in range(n_pigeons) for one in range(two)]
    lines = [f"p cnf {n_holes * n_pigeons} {len(clauses)}"]
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join(lines) + "\n"


def check(formula, proof):
    """Reads a proof of a formula, and checks it."""
    clauses = [[int(word) for word in line.split()[:-1]] for line in formula.read_text().splitlines()[1:]]
    Proof.from_bytes(clauses, proof.read_bytes(), "lrat").check()


def while_one_is_killed(log, run):
    """What a run returns during which the first process of a log is killed, and how many were killed."""
    killed = []

    def kill():
        begin = time.monotonic()
        while time.monotonic() - begin < 60 and not killed:
            lines = log.read_text().split("\n")[:-1] if log.exists() else []
            if lines:
                killed.append(int(lines[0]))
                os.kill(killed[0], signal.SIGKILL)
            time.sleep(0.05)

    thread = threading.Thread(target=kill)
    thread.start()
    found = run()
    thread.join()
    return found, len(killed)


@unittest.skipUnless(HAS_COMMAND, "the command `craig` was not built")
class Cubes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.formula = self.folder / "formula.cnf"
        self.formula.write_text(pigeons(6, 7))
        self.proof = self.folder / "proof.lrat"

    def slow_down(self, delay):
        script = self.folder / "craig"
        script.write_text(SLOWED)
        script.chmod(0o755)
        before = os.environ["CRAIG_COMMAND"]
        self.addCleanup(os.environ.__setitem__, "CRAIG_COMMAND", before)
        self.log = self.folder / "log"
        os.environ.update(CRAIG_COMMAND=str(script), REAL=before, LOG=str(self.log), DELAY=str(delay))

    def conquer(self, **options):
        options = {"cubes": 8, "conflicts": 100, "jobs": 2, "proof": self.proof} | options
        found = conquest.conquer(self.formula, **options)
        if found.verdict == "unsatisfiable":
            check(self.formula, self.proof)
        return found

    def test_the_joined_proof_is_accepted(self):
        found = self.conquer()
        self.assertEqual(found.verdict, "unsatisfiable")
        self.assertGreater(found.refuted, 8)
        self.assertGreater(found.split, 0)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["formula.cnf", "proof.lrat"])

    def test_a_model_satisfies_the_formula(self):
        self.formula.write_text(pigeons(6, 6))
        found = self.conquer()
        self.assertEqual(found.verdict, "satisfiable")
        model = set(found.model)
        for line in self.formula.read_text().splitlines()[1:]:
            self.assertTrue(model & set(map(int, line.split()[:-1])), line)
        self.assertFalse(self.proof.exists())

    def test_the_processes_of_a_killed_driver_end(self):
        self.slow_down(0)
        log = self.log
        self.formula.write_text(pigeons(13, 14))
        program = "import sys; from craig import conquest; conquest.conquer(sys.argv[1], cubes=2, jobs=1, conflicts=10**9)"
        driver = subprocess.Popen([sys.executable, "-c", program, str(self.formula)])
        begin = time.monotonic()
        while not log.exists() or not log.read_text().strip():
            self.assertLess(time.monotonic() - begin, 60)
            time.sleep(0.05)
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
        cube = Path("/proc") / log.read_text().split()[0]
        while cube.exists() and (cube / "stat").read_text().split(")")[1].split()[0] != "Z":
            self.assertLess(time.monotonic() - begin, 60)
            time.sleep(0.05)

    def test_what_is_stored_is_not_done_again(self):
        with cluster.Store(self.folder / "store.sqlite") as store:
            first = self.conquer(store=store)
            again = self.conquer(store=store, jobs=1)
        self.assertEqual(first.stored, 0)
        self.assertGreaterEqual(again.stored, again.refuted + again.split - again.superfluous)
        self.assertGreater(again.stored, 8)

    def test_a_process_that_is_killed_is_started_again(self):
        self.slow_down(0.3)
        found, n_killed = while_one_is_killed(self.log, lambda: self.conquer(cubes=4, conflicts=100000))
        self.assertEqual((found.verdict, n_killed), ("unsatisfiable", 1))
        self.assertGreater(len(self.log.read_text().split()), found.refuted)

    def test_errors_are_raised(self):
        self.formula.write_text("p cnf 1 1\n2 0\n")
        with self.assertRaisesRegex(Exception, "literal 2 exceeds"):
            self.conquer()
        self.assertEqual([path.name for path in self.folder.iterdir()], ["formula.cnf"])
