"""Runs on a cluster of Ray, if that is installed: two nodes on this machine, a worker of which is killed."""

import os
import tempfile
import unittest
from pathlib import Path

from craig import cluster, conquest
from test_check import EXAMPLES, HAS_COMMAND
from test_conquest import check, pigeons, while_one_is_killed

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    ray = None

#: Stands for the command: notes the process that has started it, takes its time, then is the command.
SLOWED = """#!/bin/sh
case "$*" in "check --json"*|*--trim*)
    echo $PPID >> "$LOG"
    sleep 1
esac
exec "$REAL" "$@"
"""


@unittest.skipIf(ray is None, "Ray is not installed")
@unittest.skipUnless(HAS_COMMAND, "the command `craig` was not built")
class OnRay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"
        script = self.folder / "craig"
        script.write_text(SLOWED)
        script.chmod(0o755)
        before = os.environ["CRAIG_COMMAND"]
        self.addCleanup(os.environ.__setitem__, "CRAIG_COMMAND", before)
        os.environ.update(CRAIG_COMMAND=str(script), REAL=before, LOG=str(self.log))
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        self.addCleanup(nodes.shutdown)
        nodes.add_node(num_cpus=1)
        self.addCleanup(ray.shutdown)
        self.address = nodes.address

    def stored(self, name, **options):
        """What is in a store after a run: input, options and verdict, with the names of the evidence."""
        names = ["counter_safe.aag", "counter_unsafe.aag", "arbiter_safe.aag", "average_unsafe.c"]
        inputs = [EXAMPLES / one for one in names]
        with cluster.Store(self.folder / name) as store:
            found = {one.input: one.verdict for one in cluster.run(inputs, store, time=60, **options)}
            self.assertEqual(sorted(found.values()), ["safe", "safe", "unsafe", "unsafe"], found)
            records = store.records()
            return {(one["key"], one["input"], one["verdict"], *store.evidence(one["key"])) for one in records}

    def while_one_is_killed(self, run):
        """What a run returns during which the first worker is killed."""
        found, n_killed = while_one_is_killed(self.log, run)
        self.assertEqual(n_killed, 1)
        return found

    def test_cubes_are_refuted_although_a_worker_is_lost(self):
        formula, proof = self.folder / "formula.cnf", self.folder / "proof.lrat"
        formula.write_text(pigeons(5, 6))
        found = self.while_one_is_killed(
            lambda: conquest.conquer(formula, cubes=4, address=self.address, proof=proof)
        )
        self.assertEqual(found.verdict, "unsatisfiable")
        check(formula, proof)
        self.assertGreater(len(self.log.read_text().split()), found.refuted)

    def test_a_worker_is_lost(self):
        disturbed = self.while_one_is_killed(lambda: self.stored("disturbed.sqlite", address=self.address))
        n_runs = len(self.log.read_text().split())
        self.assertEqual(n_runs, 5, "each input once, and that of the lost worker twice")
        # Nothing is done again, and a run without disturbance has the same.
        self.assertEqual(self.stored("disturbed.sqlite", address=self.address), disturbed)
        self.assertEqual(len(self.log.read_text().split()), n_runs)
        self.assertEqual(self.stored("undisturbed.sqlite", jobs=2), disturbed)
