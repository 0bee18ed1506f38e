"""Runs on a cluster of Ray, if that is installed: two nodes on this machine, a worker of which is killed."""

import subprocess
import sys
import threading
import time
import unittest

from craig import _remote, cluster, conquest
from craig._clauses import Rooms
from commands import slowed
from test_check import EXAMPLES, HAS_COMMAND
from test_conquest import check, pigeons, while_one_is_killed

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    ray = None

INPUTS = [EXAMPLES / one for one in ("counter_safe.aag", "counter_unsafe.aag", "arbiter_safe.aag", "average_unsafe.c")]

#: A driver that can be killed: says what it has.
DRIVER = """
import sys
from craig import cluster
with cluster.Store(sys.argv[1]) as store:
    for one in cluster.run(sys.argv[3:], store, address=sys.argv[2], time=60):
        print(one.input, flush=True)
"""


@unittest.skipIf(ray is None, "Ray is not installed")
@unittest.skipUnless(HAS_COMMAND, "the command `craig` was not built")
class OnRay(unittest.TestCase):
    def setUp(self):
        self.folder, self.log = slowed(self, '"check --json"*|*--trim*')
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        self.addCleanup(nodes.shutdown)
        self.second = nodes.add_node(num_cpus=1)
        self.addCleanup(ray.shutdown)
        self.address = nodes.address
        self.nodes = nodes

    def stored(self, name, **options):
        """What is in a store after a run: input, options and verdict, with the names of the evidence."""
        inputs = INPUTS
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

    def test_clauses_travel_between_nodes(self):
        entries = [{"engine": "pdr", "only": True}, {"engine": "kind", "only": True}]
        with cluster.Store(self.folder / "exchanged") as store:
            found = cluster.run(INPUTS, store, entries=entries, exchange=True, address=self.address, time=60)
            self.assertEqual(sorted(one.verdict for one in found), ["safe", "safe", "unsafe", "unsafe"])
        rooms = ray.remote(num_cpus=0)(Rooms).remote()
        first, second = self.folder / "first", self.folder / "second"
        for folder in (first, second):
            folder.mkdir()
        (first / "1-0.clauses").write_text("5,8,37 -8 0\n")
        task = cluster._Task("circuit.aag", None, 0, {}, "[]", "", None, room=".")
        exchange = lambda *given: ray.get(rooms.exchange.remote(*given))
        for folder in (first, second):
            with _remote.carrier(folder, task, exchange):
                pass
        self.assertEqual((second / "others.clauses").read_text(), "5,8,37 -8 0\n")

    def test_cubes_are_refuted_although_a_worker_is_lost(self):
        formula, proof = self.folder / "formula.cnf", self.folder / "proof.lrat"
        formula.write_text(pigeons(5, 6))
        found = self.while_one_is_killed(
            lambda: conquest.conquer(formula, cubes=4, address=self.address, proof=proof)
        )
        self.assertEqual(found.verdict, "unsatisfiable")
        check(formula, proof)
        self.assertGreater(len(self.log.read_text().split()), found.refuted)

    def test_the_driver_is_killed(self):
        # Also in a folder of lines, as shared storage has it.
        for name in ("killed.sqlite", "lines/"):
            place = f"{self.folder}/{name}"
            arguments = [sys.executable, "-c", DRIVER, place, self.address, *map(str, INPUTS)]
            with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as driver:
                driver.stdout.readline()
                driver.kill()
            before = len(self.log.read_text().split())
            with cluster.Store(place) as store:
                n_stored = len(store.records())
            self.assertIn(n_stored, (1, 2, 3))
            self.assertEqual(len(self.stored(name, address=self.address)), len(INPUTS))
            # Nothing that was stored; what the lost driver had handed out may still have begun.
            n_runs = len(self.log.read_text().split()) - before
            self.assertIn(n_runs - (len(INPUTS) - n_stored), (0, 1, 2))

    def test_the_first_verdict_ends_the_others(self):
        entries = [{"engine": "bmc", "property": 0}, {"engine": "pdr", "property": 0}]
        with cluster.Store(self.folder / "first.sqlite") as store:
            [found] = cluster.run(INPUTS[:1], store, entries=entries, address=self.address)
            # Bounded search alone would not end.
            self.assertEqual((found.verdict, found.entry), ("safe", 1))
            self.assertEqual([record["verdict"] for record in store.records()], ["safe"])

    def test_a_node_is_lost(self):
        def lose():
            begin = time.monotonic()
            # Both nodes have a task then.
            while time.monotonic() - begin < 60 and len(self.log.read_text().split() if self.log.exists() else []) < 2:
                time.sleep(0.05)
            self.nodes.remove_node(self.second, allow_graceful=False)

        thread = threading.Thread(target=lose)
        thread.start()
        found = self.stored("lost.sqlite", address=self.address)
        thread.join()
        self.assertEqual(len(found), len(INPUTS))

    def test_a_worker_is_lost(self):
        disturbed = self.while_one_is_killed(lambda: self.stored("disturbed.sqlite", address=self.address))
        n_runs = len(self.log.read_text().split())
        self.assertEqual(n_runs, 5, "each input once, and that of the lost worker twice")
        # Nothing is done again, and a run without disturbance has the same.
        self.assertEqual(self.stored("disturbed.sqlite", address=self.address), disturbed)
        self.assertEqual(len(self.log.read_text().split()), n_runs)
        self.assertEqual(self.stored("undisturbed.sqlite", jobs=2), disturbed)
