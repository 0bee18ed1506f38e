"""Tasks of ``craig.cluster`` and cubes of ``craig.conquest`` as tasks of Ray."""

from __future__ import annotations

from typing import Any, Optional

from . import conquest, report
from ._clauses import Rooms
from ._craig import Stopped
from ._remote import Answer, Connected, conquer, decide, library, outcome, received
from .cluster import _Search, _Task
from .store import Outcome


def connect(address: str, exchange: bool = False) -> Connected[_Task, _Search]:
    """Connects to a cluster, if this process is not connected yet. With ``exchange``, an actor has the clauses that travel."""
    ray = _begin(address)
    # Whether a task is run again is decided by the driver.
    remote = ray.remote(max_retries=0)(_decide)
    rooms = ray.remote(num_cpus=0)(Rooms).remote() if exchange else None
    return Connected(lambda task: _There(ray, remote, task, rooms), _cores(ray))


def connect_cubes(address: str) -> Connected[conquest._Cube, conquest._Attempt]:
    """As :func:`connect`, for cubes of a formula."""
    ray = _begin(address)
    remote = ray.remote(max_retries=0)(conquer)
    return Connected(lambda cube: _CubeThere(ray, remote, cube), _cores(ray))


def _begin(address: str) -> Any:
    """Ray, connected to a cluster."""
    ray = library("ray", "ray")
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, include_dashboard=False if address == "local" else None)
    return ray


def _cores(ray: Any) -> int:
    """How many processors the cluster has."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _decide(task: _Task, rooms: Any) -> Answer:
    """Decides a task on a node."""
    ray = library("ray", "ray")

    def exchange(room: str, sender: str, lines: list[str], first: int) -> tuple[list[str], int]:
        try:
            found: tuple[list[str], int] = ray.get(rooms.exchange.remote(room, sender, lines, first))
        except ray.exceptions.RayError:
            # The actor was lost with its node: the search goes on without.
            return [], first
        return found

    return decide(task, None if rooms is None else exchange)


class _Reference:
    """A task that was given to Ray."""

    was_stopped = False

    def __init__(self, ray: Any, reference: Any, what: str) -> None:
        self._ray = ray
        self._reference = reference
        self._what = what

    def stop(self) -> None:
        """Ends it, and its processes."""
        self.was_stopped = True
        self._ray.cancel(self._reference, force=True)

    def _answer(self) -> Any:
        try:
            return self._ray.get(self._reference)
        except self._ray.exceptions.RayError as error:
            # A worker or a node was lost, or the task was cancelled.
            raise Stopped(f"{self._what}: the task was lost: {type(error).__name__}") from error


class _CubeThere(_Reference, conquest._Attempt):
    """A cube as a task of Ray."""

    def __init__(self, ray: Any, remote: Any, cube: conquest._Cube) -> None:
        super().__init__(ray, remote.options(num_cpus=1).remote(cube), cube.path)

    def result(self) -> Outcome:
        return outcome(self._answer())


class _There(_Reference, _Search):
    """A task of Ray."""

    def __init__(self, ray: Any, remote: Any, task: _Task, rooms: Optional[Any]) -> None:
        # A search with several threads takes as many processors.
        n_cores = int(task.given.get("threads", 1))
        super().__init__(ray, remote.options(num_cpus=n_cores).remote(task, rooms), task.input)
        self._task = task

    def result(self) -> tuple[report.Report, dict[str, bytes]]:
        return received(self._task, self._answer())
