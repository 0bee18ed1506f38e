"""Runs on a cluster of Dask, if that is installed: two workers on this machine, one of which is killed."""

import subprocess
import time
import unittest

from craig import cluster, conquest
from commands import slowed
from test_check import EXAMPLES, HAS_COMMAND
from test_conquest import check, pigeons, while_one_is_killed

try:
    import distributed
except ImportError:
    distributed = None

INPUTS = [EXAMPLES / one for one in ("counter_safe.aag", "counter_unsafe.aag", "arbiter_safe.aag", "average_unsafe.c")]


@unittest.skipIf(distributed is None, "Dask is not installed")
@unittest.skipUnless(HAS_COMMAND, "the command `craig` was not built")
class OnDask(unittest.TestCase):
    def setUp(self):
        self.folder, self.log = slowed(self, '"check --json"*')
        nodes = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        )
        self.addCleanup(nodes.close)
        self.address = f"dask:{nodes.scheduler_address}"

    def test_what_is_decided_although_a_worker_is_lost(self):
        with cluster.Store(self.folder / "results.sqlite") as store:
            run = lambda: list(cluster.run(INPUTS, store, address=self.address, time=60))
            found, n_killed = while_one_is_killed(self.log, run)
            self.assertEqual(n_killed, 1)
            self.assertEqual(sorted(one.verdict for one in found), ["safe", "safe", "unsafe", "unsafe"])
            self.assertTrue(all(store.evidence(one["key"]) for one in store.records()))
            self.assertTrue(all(one.was_stored for one in run()))

    def test_the_first_verdict_ends_the_others(self):
        entries = [{"engine": "pdr", "property": 0}, {"engine": "bmc", "property": 0}]
        circuit = self.folder / INPUTS[0].name
        circuit.write_bytes(INPUTS[0].read_bytes())
        with cluster.Store(self.folder / "results.sqlite") as store:
            [found] = cluster.run([circuit], store, entries=entries, exchange=True, address=self.address)
            self.assertEqual((found.verdict, found.entry), ("safe", 0))
        # Bounded search alone would not end: it was told to.
        begin = time.monotonic()
        pattern = f"engine=bmc.*{self.folder}"
        while subprocess.run(["pgrep", "-f", pattern], capture_output=True).stdout:
            self.assertLess(time.monotonic() - begin, 60)
            time.sleep(0.1)

    def test_cubes_are_refuted(self):
        formula, proof = self.folder / "formula.cnf", self.folder / "proof.lrat"
        formula.write_text(pigeons(6, 7))
        found = conquest.conquer(formula, cubes=8, address=self.address, proof=proof)
        self.assertEqual(found.verdict, "unsatisfiable")
        check(formula, proof)
