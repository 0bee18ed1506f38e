"""Many inputs with a store: nothing is done twice, and what was interrupted goes on.

Each task is the command ``craig check`` on one input with one entry of a portfolio, in a process group of its own. Its result
is stored with its evidence as soon as it is there, under a hash of the input's content, the options and the version of the
command. A run that was killed begins where its store ends. With an ``address``, tasks are those of a cluster of Ray.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import queue
import re
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, Union

from . import report
from ._craig import Error, InputError, InternalError, Stopped
from .checking import _arguments, _CIRCUITS, _Run, command, listed, version
from .model import Model
from .store import Row, Store

__all__ = ["Result", "Store", "run"]

#: A task whose process was killed is tried again, this often in all.
_ATTEMPTS = 2

#: The reason of an ``unknown`` that a signal has caused.
_INTERRUPTED = "it was interrupted"

@dataclass
class Result:
    """What became of an input."""

    input: str
    #: The property, as the option of that name has it; none if all are decided together.
    property: Optional[str]
    #: ``"safe"``, ``"unsafe"``, ``"unknown"``, or ``"failed"``.
    verdict: str
    #: The report of the entry that has decided, or of the last one.
    report: Optional[report.Report]
    #: The number of that entry of the portfolio.
    entry: int
    #: Whether it was in the store already.
    was_stored: bool
    #: Its key in the store, if it is there.
    key: Optional[str]
    #: Why it has failed.
    error: Optional[Exception] = None


@dataclass
class _Task:
    input: str
    property: Optional[str]
    entry: int
    given: dict[str, Any]
    #: The arguments of the command as text.
    options: str
    version: str
    #: The key in the store; none if what the input stands for can't be told.
    key: Optional[str]
    #: The name of the folder in which the entries of its question exchange clauses; none if they do not.
    room: Optional[str] = None

    def question(self) -> tuple[str, Optional[str]]:
        """What the entries of a portfolio have in common."""
        return self.input, self.property

    def result(self, verdict: str, found: Optional[report.Report], was_stored: bool) -> Result:
        """What became of it."""
        return Result(self.input, self.property, verdict, found, self.entry, was_stored, self.key)


class _Question:
    """An input, with the entries that search for its verdict."""

    def __init__(self) -> None:
        self.n_open = 0
        self.is_decided = False
        self.running: set[_Search] = set()
        self.best: Optional[Result] = None


def run(
    inputs: Iterable[Union[str, Path]],
    store: Store,
    *,
    entries: Sequence[dict[str, Any]] = ({},),
    by_property: bool = False,
    jobs: Optional[int] = None,
    address: Optional[str] = None,
    exchange: bool = False,
    progress: Optional[Callable[[str], object]] = None,
    **options: Any,
) -> Iterator[Result]:
    """Decides inputs, ``jobs`` tasks at a time, and yields the result of each as soon as it is there.

    ``inputs`` are as for ``craig check``: files, folders, and ``@LIST``. ``entries`` are the options of a portfolio's entries: each
    input is a task for each of them, and the first definite verdict ends the others. With ``by_property``, each property of a circuit
    is a question of its own. ``options`` are for all; they are those of ``craig check``, with ``threads=1`` by default. A task that
    has a result in the store is not run again. A process that was killed is tried once more; what has failed is not stored.

    ``address`` is that of a cluster of Ray (``pip install craig-mc[ray]``), as ``ray.init`` takes it; ``"local"`` begins one on this
    machine. With ``dask:`` before it, it is that of a cluster of Dask (``pip install craig-mc[dask]``). Its nodes see the inputs under the same paths, and have the same version of the command; circuits' evidence from there is
    judged here. By default there are as many tasks at a time as it has processors.

    With ``exchange``, entries that search one circuit at a time send each other short clauses, at most 1000 for a question
    (``craig check --exchange``): each uses those that it has proved itself, so that evidence is judged as without. What an entry
    stores may then depend on the others.
    """
    if not isinstance(store, Store):
        raise TypeError("store: expected a craig.cluster.Store, as Store(path) makes one")
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs={jobs}: expected at least 1")
    if not entries:
        raise ValueError("entries: expected at least one; without options, it is {}")
    options.setdefault("threads", 1)
    plan = _plan(listed(inputs), [options | entry for entry in entries], by_property)
    tasks: queue.SimpleQueue[_Task] = queue.SimpleQueue()
    questions: dict[tuple[str, Optional[str]], _Question] = {}
    for task in plan:
        questions.setdefault(task.question(), _Question()).n_open += 1
        tasks.put(task)
    if exchange:
        _give_rooms(plan, questions)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        begin: Callable[[_Task], _Search] = lambda task: _Here(task, folder)
        if address is not None:
            connected = _library(address).connect(address, exchange)
            begin, jobs = connected.begin, jobs or connected.n_cores
            stack.callback(connected.close)
        driver = _Driver(store, questions, tasks, begin, progress)
        threads = [threading.Thread(target=driver.work, daemon=True) for _ in range(jobs or os.cpu_count() or 1)]
        for thread in threads:
            thread.start()
        try:
            for _ in questions:
                result = driver.results.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            driver.stop()
            for thread in threads:
                thread.join()


def _library(address: str) -> Any:
    """The module for a cluster with such an address."""
    from . import _dask, _ray

    return _dask if address.startswith(_dask.PREFIX) else _ray


def _give_rooms(plan: list[_Task], questions: dict[tuple[str, Optional[str]], _Question]) -> None:
    """Lets the entries of a question exchange clauses, if it is about a circuit and there are several."""
    rooms = {question: str(number) for number, question in enumerate(questions)}
    for task in plan:
        if questions[task.question()].n_open > 1 and _is_circuit(task.input):
            task.room = rooms[task.question()]


def _plan(inputs: list[str], entries: list[dict[str, Any]], by_property: bool) -> list[_Task]:
    """The tasks: those of a question one after the other."""
    program = str(command())
    numbers: dict[tuple[str, Optional[str]], list[_Task]] = {}
    for number, given in enumerate(entries):
        keys = _digests(program, inputs, given)
        groups: dict[Optional[str], list[str]] = {}
        for path in keys:
            for one in _properties(path) if by_property and "property" not in given else [None]:
                groups.setdefault(one, []).append(path)
        for one, paths in groups.items():
            asked = given if one is None else given | {"property": one}
            known = keys if one is None else _digests(program, paths, asked)
            for path in paths:
                own = asked | {"each_file": True} if _is_design(path) else asked
                task = _Task(path, one, number, own, json.dumps(_arguments(program, own)), version(program), known[path])
                numbers.setdefault(task.question(), []).append(task)
    return [task for tasks in numbers.values() for task in tasks]


def _properties(path: str) -> list[Optional[str]]:
    """The properties of a circuit, if there are several."""
    if not path.endswith(_CIRCUITS):
        return [None]
    read = Model.from_aiger if path.endswith((".aag", ".aig")) else Model.from_btor2
    try:
        _, _, _, bads, _, justice, _ = read(path)._circuit.counts()
    except (OSError, Error):
        # The task says what is wrong.
        return [None]
    names = [*map(str, range(bads)), *(f"j{number}" for number in range(justice))]
    return [*names] if len(names) > 1 else [None]


def _is_circuit(path: str) -> bool:
    """Whether it is a circuit, or a design that is turned into one."""
    return re.sub(r"\.(gz|xz)$", "", path).endswith((*_CIRCUITS, ".v", ".sv"))


def _is_design(path: str) -> bool:
    """Whether it is in Verilog, where several files are one design unless the command is told."""
    return path.endswith((".v", ".sv"))


def _digests(program: str, inputs: list[str], given: dict[str, Any]) -> dict[str, Optional[str]]:
    """What inputs stand for, folders and lists included, each with its key; none of what can't be read, or is linked."""
    if given.get("link"):
        return dict.fromkeys(inputs)
    digests: dict[str, Optional[str]] = {}
    for are_designs in (False, True):
        own = [path for path in inputs if _is_design(path) == are_designs]
        asked = given | {"each_file": True} if are_designs else given
        # A command line has a limit.
        for begin in range(0, len(own), 500):
            arguments = [program, "check", "--digests", "--json", *_arguments(program, asked)]
            ran = subprocess.run([*arguments, "--", *own[begin : begin + 500]], capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                raise (InputError if ran.returncode == 2 else InternalError)(ran.stderr.strip())
            for line in ran.stdout.splitlines():
                one = json.loads(line)
                digests[one["input"]] = one["digest"]
    return digests


class _Search:
    """A search for the verdict of a task."""

    #: Whether it was told to end: what it says then is no result.
    was_stopped = False

    def stop(self) -> None:
        """Ends all its processes."""
        raise NotImplementedError

    def result(self) -> tuple[report.Report, dict[str, bytes]]:
        """Its report, and the files of evidence."""
        raise NotImplementedError


class _Here(_Search):
    """The command on this machine. Clauses of a room are in a folder of that name."""

    def __init__(self, task: _Task, folder: str) -> None:
        room = {} if task.room is None else {"exchange": Path(folder) / task.room}
        self._run = _Run(task.input, task.given | room, None)

    def stop(self) -> None:
        self.was_stopped = True
        self._run.stop()

    def result(self) -> tuple[report.Report, dict[str, bytes]]:
        found = self._run.wait()
        return found, self._run.written


class _Driver:
    """The workers' common state."""

    def __init__(
        self,
        store: Store,
        questions: dict[tuple[str, Optional[str]], _Question],
        tasks: queue.SimpleQueue[_Task],
        begin: Callable[[_Task], _Search],
        progress: Optional[Callable[[str], object]],
    ) -> None:
        self.results: queue.SimpleQueue[Union[Result, BaseException]] = queue.SimpleQueue()
        self._store = store
        self._questions = questions
        self._tasks = tasks
        self._begin = begin
        self._progress = progress
        self._lock = threading.Lock()
        self._is_over = False

    def stop(self) -> None:
        """Ends all processes, and the workers after them."""
        with self._lock:
            self._is_over = True
            running = [run for question in self._questions.values() for run in question.running]
        for one in running:
            one.stop()

    def work(self) -> None:
        """Takes tasks until there are none."""
        try:
            while not self._is_over:
                try:
                    task = self._tasks.get_nowait()
                except queue.Empty:
                    return
                self._finish(task, self._decide(task))
        except BaseException as error:  # The caller's thread raises it.
            self.results.put(error)

    def _decide(self, task: _Task) -> Optional[Result]:
        """The result of a task, unless its question was decided by another."""
        if self._questions[task.question()].is_decided:
            return None
        known = None if task.key is None else self._store.get(task.key)
        if known is not None:
            return task.result(known.verdict, known, True)
        failure: Optional[Exception] = None
        for _ in range(_ATTEMPTS):
            try:
                found = self._search(task)
            except Stopped as error:
                failure = error
            except Error as error:
                failure = error
                break
            else:
                return task.result(found.verdict, found, False)
            if self._is_over or self._questions[task.question()].is_decided:
                return None
        return dataclasses.replace(task.result("failed", None, False), key=None, error=failure)

    def _search(self, task: _Task) -> report.Report:
        """Runs the command on a task, and stores its result."""
        question = self._questions[task.question()]
        one = self._begin(task)
        with self._lock:
            question.running.add(one)
            is_late = self._is_over or question.is_decided
        try:
            if is_late:
                one.stop()
            found, evidence = one.result()
        finally:
            with self._lock:
                question.running.discard(one)
        if one.was_stopped or any(each.reason == _INTERRUPTED for each in found):
            raise Stopped(f"{task.input}: the search was interrupted")
        if task.key is not None:
            self._store.put(Row(task.key, task.input, task.options, task.version), found, evidence)
        return found

    def _finish(self, task: _Task, result: Optional[Result]) -> None:
        """Counts a task, and passes on the result of its question once it is known."""
        question = self._questions[task.question()]
        others: list[_Search] = []
        with self._lock:
            question.n_open -= 1
            is_first = not question.is_decided
            if result is not None and result.verdict in ("safe", "unsafe") and is_first:
                question.is_decided = True
                question.best = result
                others = list(question.running)
            elif result is not None and is_first and (question.best is None or result.verdict == "unknown"):
                question.best = result
            is_told = is_first and (question.is_decided or question.n_open == 0)
        for one in others:
            one.stop()
        if is_told and question.best is not None:
            if self._progress is not None:
                which = "" if task.property is None else f", property {task.property}"
                self._progress(f"{task.input}{which}: {question.best.verdict}")
            self.results.put(question.best)
