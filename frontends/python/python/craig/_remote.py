"""What tasks and cubes do on another machine, and what becomes of their answers: common to Ray and Dask."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import secrets
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable, Generic, Optional, TypeVar

from . import conquest, report
from ._clauses import Carrier, Exchange
from ._craig import Error, InputError, InternalError, Stopped
from .checking import command, version
from .cluster import _Here, _Task
from .judging import judge
from .store import Outcome

#: The exceptions of a task, by their names: those of an extension module are not sent themselves.
_ERRORS = {one.__name__: one for one in (Error, InputError, InternalError, Stopped)}

#: The seconds between two questions whether a task is to end.
_PERIOD = 0.25

#: What a task gives back: the report as the command has printed it and the evidence, or the name and the text of an exception.
Answer = tuple[Any, Any]
#: Whether a task is to end; none where its process is ended.
IsOver = Optional[Callable[[], bool]]


_Asked = TypeVar("_Asked")
_Begun = TypeVar("_Begun")


@dataclasses.dataclass(frozen=True)
class Connected(Generic[_Asked, _Begun]):
    """A cluster."""

    #: Begins a task there.
    begin: Callable[[_Asked], _Begun]
    #: How many tasks it has room for.
    n_cores: int
    #: Ends the connection, unless others use it.
    close: Callable[[], object] = lambda: None


def library(name: str, extra: str) -> Any:
    """The module of a library that is installed only with an extra of this package."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Error(f"address: {extra.capitalize()} is not installed (pip install craig-mc[{extra}])") from None


def _program(expected: str) -> str:
    program = str(command())
    if version(program) != expected:
        raise Error(f"{program}: it is {version(program)}, and that of the driver is {expected}")
    return program


@contextlib.contextmanager
def _ended(stop: Callable[[], None], is_over: IsOver) -> Any:
    """Stops what runs inside when it is to end."""
    if is_over is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_PERIOD):
            if is_over():
                stop()
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def decide(task: _Task, rooms: Optional[Callable[..., tuple[list[str], int]]], is_over: IsOver = None) -> Answer:
    """Decides a task. ``rooms`` is the call of that name of the object that has the clauses of the cluster."""
    try:
        _program(task.version)
        with tempfile.TemporaryDirectory() as folder, carrier(Path(folder), task, rooms):
            search = _Here(task, folder)
            with _ended(search.stop, is_over):
                found, evidence = search.result()
    except Error as error:
        return type(error).__name__, str(error)
    return found.details, evidence


def carrier(
    folder: Path, task: _Task, rooms: Optional[Callable[..., tuple[list[str], int]]]
) -> contextlib.AbstractContextManager[Any]:
    """What carries clauses between the folder of a task and the cluster."""
    if task.room is None or rooms is None:
        return contextlib.nullcontext()
    room, sender, call = task.room, secrets.token_hex(8), rooms
    exchange: Exchange = lambda lines, first: call(room, sender, lines, first)
    return Carrier(folder / room, exchange)


def conquer(cube: conquest._Cube, is_over: IsOver = None) -> Outcome:
    """Decides a cube; a failure is an answer with its text."""
    try:
        attempt = conquest._Here(dataclasses.replace(cube, program=_program(cube.version)))
        with _ended(attempt.stop, is_over):
            return attempt.result()
    except Error as error:
        return type(error).__name__, [], str(error)


def received(task: _Task, answer: Answer) -> tuple[report.Report, dict[str, bytes]]:
    """The report of a task, whose evidence is judged here; raises what it has raised."""
    details, evidence = answer
    if isinstance(details, str):
        raise _ERRORS[details](evidence)
    found = report.of_command(details)
    report.add_evidence(found, evidence)
    judge(str(command()), task.input, task.given, found)
    return found, evidence


def outcome(answer: Outcome) -> Outcome:
    """The outcome of a cube; raises what it has raised."""
    if answer[0] in _ERRORS:
        raise _ERRORS[answer[0]](answer[2])
    return answer
