"""Tasks of ``craig.cluster`` as tasks of Ray."""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any, Callable

from . import conquest, report
from ._craig import Error, InputError, InternalError, Stopped
from .checking import command, version
from .cluster import _Here, _Search, _Task
from .judging import judge
from .store import Outcome

#: The exceptions of a task, by their names: those of an extension module are not sent themselves.
_ERRORS = {one.__name__: one for one in (Error, InputError, InternalError, Stopped)}

#: What a task gives back: the report as the command has printed it and the evidence, or the name and the text of an exception.
_Answer = tuple[Any, Any]


def connect(address: str) -> Callable[[_Task], _Search]:
    """Connects to a cluster, if this process is not connected yet; returns what begins tasks there."""
    ray = _begin(address)
    # Whether a task is run again is decided by the driver.
    remote = ray.remote(max_retries=0)(_decide)
    return lambda task: _There(ray, remote, task)


def connect_cubes(address: str) -> Callable[[conquest._Cube], conquest._Attempt]:
    """As :func:`connect`, for cubes of a formula."""
    ray = _begin(address)
    remote = ray.remote(max_retries=0)(_conquer)
    return lambda cube: _CubeThere(ray, remote, cube)


def _begin(address: str) -> Any:
    """Ray, connected to a cluster."""
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise Error("address: Ray is not installed (pip install craig-mc[ray])") from None
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, include_dashboard=False if address == "local" else None)
    return ray


def cores() -> int:
    """How many processors the cluster has."""
    ray: Any = importlib.import_module("ray")
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _decide(task: _Task) -> _Answer:
    """Decides a task on a node."""
    try:
        program = str(command())
        if version(program) != task.version:
            raise Error(f"{program}: it is {version(program)}, and that of the driver is {task.version}")
        found, evidence = _Here(task).result()
    except Error as error:
        return type(error).__name__, str(error)
    return found.details, evidence


def _conquer(cube: conquest._Cube) -> Outcome:
    """Decides a cube on a node; a failure is an answer with its text."""
    try:
        program = str(command())
        if version(program) != cube.version:
            raise Error(f"{program}: it is {version(program)}, and that of the driver is {cube.version}")
        return conquest._Here(dataclasses.replace(cube, program=program)).result()
    except Error as error:
        return type(error).__name__, [], str(error)


class _CubeThere(conquest._Attempt):
    """A cube as a task of Ray."""

    def __init__(self, ray: Any, remote: Any, cube: conquest._Cube) -> None:
        self._ray = ray
        self._path = cube.path
        self._reference = remote.options(num_cpus=1).remote(cube)

    def stop(self) -> None:
        self.was_stopped = True
        self._ray.cancel(self._reference, force=True)

    def result(self) -> Outcome:
        try:
            outcome: Outcome = self._ray.get(self._reference)
        except self._ray.exceptions.RayError as error:
            raise Stopped(f"{self._path}: the task of a cube was lost: {type(error).__name__}") from error
        if outcome[0] in _ERRORS:
            raise _ERRORS[outcome[0]](outcome[2])
        return outcome


class _There(_Search):
    """A task of Ray."""

    def __init__(self, ray: Any, remote: Any, task: _Task) -> None:
        self._ray = ray
        self._task = task
        # A search with several threads takes as many processors.
        self._reference = remote.options(num_cpus=int(task.given.get("threads", 1))).remote(task)

    def stop(self) -> None:
        self.was_stopped = True
        self._ray.cancel(self._reference, force=True)

    def result(self) -> tuple[report.Report, dict[str, bytes]]:
        try:
            details, evidence = self._ray.get(self._reference)
        except self._ray.exceptions.RayError as error:
            # A worker or a node was lost, or the task was cancelled.
            raise Stopped(f"{self._task.input}: the task was lost: {type(error).__name__}") from error
        if isinstance(details, str):
            raise _ERRORS[details](evidence)
        found = report.of_command(details)
        report.add_evidence(found, evidence)
        judge(str(command()), self._task.input, self._task.given, found)
        return found, evidence
