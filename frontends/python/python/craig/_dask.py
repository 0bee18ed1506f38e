"""Tasks of ``craig.cluster`` and cubes of ``craig.conquest`` as tasks of Dask. Each thread of a worker has one at a time."""

from __future__ import annotations

import secrets
from typing import Any

from . import conquest, report
from ._clauses import Rooms
from ._craig import Error, Stopped
from ._remote import Answer, Connected, IsOver, conquer, decide, library, outcome, received
from .cluster import _Search, _Task
from .store import Outcome

#: What addresses begin with.
PREFIX = "dask:"


def connect(address: str, exchange: bool = False) -> Connected[_Task, _Search]:
    """Connects to a cluster: a worker has a task for each of its threads. With ``exchange``, an actor has the clauses that travel."""
    client = _begin(address)
    rooms = client.submit(Rooms, actor=True).result() if exchange else None
    return Connected(lambda task: _There(client, task, rooms), _cores(client), client.close)


def connect_cubes(address: str) -> Connected[conquest._Cube, conquest._Attempt]:
    """As :func:`connect`, for cubes of a formula."""
    client = _begin(address)
    return Connected(lambda cube: _CubeThere(client, cube), _cores(client), client.close)


def _begin(address: str) -> Any:
    """A client of the cluster."""
    distributed = library("distributed", "dask")
    scheduler = address[len(PREFIX) :]
    if scheduler == "local":
        return distributed.Client(processes=True, threads_per_worker=1, dashboard_address=None)
    try:
        return distributed.Client(scheduler)
    except (OSError, ValueError) as error:
        raise Error(f"address: {scheduler}: {error}") from error


def _cores(client: Any) -> int:
    return max(1, sum(map(int, client.nthreads().values())))


def _decide(task: _Task, rooms: Any, name: str) -> Answer:
    """Decides a task on a worker."""

    def exchange(room: str, sender: str, lines: list[str], first: int) -> tuple[list[str], int]:
        try:
            found: tuple[list[str], int] = rooms.exchange(room, sender, lines, first).result()
        except Exception:  # Whatever is raised where the actor's worker was lost.
            return [], first
        return found

    return decide(task, None if rooms is None else exchange, _is_over(name))


def _conquer(cube: conquest._Cube, name: str) -> Outcome:
    """Decides a cube on a worker."""
    return conquer(cube, _is_over(name))


def _is_over(name: str) -> IsOver:
    """Whether a task is to end: Dask cancels none that has begun."""
    distributed = library("distributed", "dask")
    event = distributed.Event(name, client=distributed.get_client())

    def is_over() -> bool:
        try:
            return bool(event.is_set())
        except Exception:  # The scheduler is gone, and with it the driver.
            return True

    return is_over


class _Reference:
    """A task that was given to Dask."""

    was_stopped = False

    def __init__(self, client: Any, what: str, function: Any, *arguments: Any) -> None:
        distributed = library("distributed", "dask")
        name = f"craig-{secrets.token_hex(8)}"
        self._end = distributed.Event(name, client=client)
        self._future = client.submit(function, *arguments, name, pure=False, key=name)
        self._what = what

    def stop(self) -> None:
        """Ends it, and its processes."""
        self.was_stopped = True
        self._end.set()
        self._future.cancel()

    def _answer(self) -> Any:
        try:
            return self._future.result()
        except Exception as error:  # Cancelled, or its worker was killed again and again.
            raise Stopped(f"{self._what}: the task was lost: {type(error).__name__}") from error


class _CubeThere(_Reference, conquest._Attempt):
    """A cube as a task of Dask."""

    def __init__(self, client: Any, cube: conquest._Cube) -> None:
        super().__init__(client, cube.path, _conquer, cube)

    def result(self) -> Outcome:
        return outcome(self._answer())


class _There(_Reference, _Search):
    """A task of Dask."""

    def __init__(self, client: Any, task: _Task, rooms: Any) -> None:
        super().__init__(client, task.input, _decide, task, rooms)
        self._task = task

    def result(self) -> tuple[report.Report, dict[str, bytes]]:
        return received(self._task, self._answer())
