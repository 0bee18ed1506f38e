"""Many inputs with a store: nothing is done twice, and what was interrupted goes on.

Each task is the command ``craig check`` on one input with one entry of a portfolio, in a process group of its own. Its result
is stored with its evidence as soon as it is there, under a hash of the input's content, the options and the version of the
command. A run that was killed begins where its store ends. With an ``address``, tasks are those of a cluster of Ray.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence, Union

from . import report
from ._craig import Error, Stopped
from .checking import _arguments, _Run, command

#: A task whose process was killed is tried again, this often in all.
_ATTEMPTS = 2

#: The reason of an ``unknown`` that a signal has caused.
_INTERRUPTED = "it was interrupted"

_TABLES = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, input TEXT NOT NULL, options TEXT NOT NULL, version TEXT NOT NULL,
    verdict TEXT NOT NULL, report TEXT NOT NULL, seconds REAL NOT NULL, stored REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS evidence (
    key TEXT NOT NULL REFERENCES results(key), name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (key, name)
);
CREATE TABLE IF NOT EXISTS cubes (key TEXT PRIMARY KEY, outcome TEXT NOT NULL);
"""


class Store:
    """Results in a file of SQLite, with their evidence.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
    ...     store.get("no such key"), store.records()
    (None, [])
    """

    def __init__(self, path: Union[str, Path]) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, timeout=60, check_same_thread=False)
        self._database.executescript(_TABLES)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._database.close()

    def get(self, key: str) -> Optional[report.Report]:
        """The report under a key."""
        with self._lock:
            row = self._database.execute("SELECT report FROM results WHERE key = ?", (key,)).fetchone()
        return None if row is None else report.of_command(json.loads(row[0]))

    def evidence(self, key: str) -> dict[str, bytes]:
        """The files of evidence under a key."""
        with self._lock:
            rows = self._database.execute("SELECT name, content FROM evidence WHERE key = ?", (key,)).fetchall()
        return dict(rows)

    def records(self) -> list[dict[str, Any]]:
        """A dictionary for each result, in the order in which they were stored."""
        names = ("key", "input", "options", "version", "verdict", "seconds", "stored")
        with self._lock:
            rows = self._database.execute(f"SELECT {', '.join(names)} FROM results ORDER BY stored, key").fetchall()
        return [dict(zip(names, row)) for row in rows]

    def cube(self, key: str) -> Optional[tuple[str, list[int], str]]:
        """What is known of a cube of a formula (:func:`craig.conquest.conquer`)."""
        with self._lock:
            row = self._database.execute("SELECT outcome FROM cubes WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        answer, literals, proof = json.loads(row[0])
        return answer, literals, proof

    def put_cube(self, key: str, outcome: tuple[str, list[int], str]) -> None:
        """Stores what is known of a cube."""
        with self._lock, self._database:
            self._database.execute("INSERT OR REPLACE INTO cubes VALUES (?, ?)", (key, json.dumps(outcome)))

    def put(self, task: _Task, found: report.Report, evidence: dict[str, bytes]) -> None:
        """Stores a result with its evidence: both or neither."""
        row = (task.key, task.input, task.options, task.version, found.verdict, json.dumps(found.details))
        with self._lock, self._database:
            self._database.execute(
                "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, found.seconds, time.time())
            )
            self._database.execute("DELETE FROM evidence WHERE key = ?", (task.key,))
            self._database.executemany(
                "INSERT INTO evidence VALUES (?, ?, ?)", [(task.key, *item) for item in evidence.items()]
            )


@dataclass
class Result:
    """What became of an input."""

    input: str
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
    entry: int
    given: dict[str, Any]
    #: The arguments of the command as text.
    options: str
    version: str
    #: The key in the store; none if what the input stands for can't be told.
    key: Optional[str]


class _Question:
    """An input, with the entries that search for its verdict."""

    def __init__(self, n_entries: int) -> None:
        self.n_open = n_entries
        self.is_decided = False
        self.running: set[_Search] = set()
        self.best: Optional[Result] = None


def run(
    inputs: Iterable[Union[str, Path]],
    store: Store,
    *,
    entries: Sequence[dict[str, Any]] = ({},),
    jobs: Optional[int] = None,
    address: Optional[str] = None,
    progress: Optional[Callable[[str], object]] = None,
    **options: Any,
) -> Iterator[Result]:
    """Decides inputs, ``jobs`` tasks at a time, and yields the result of each as soon as it is there.

    ``entries`` are the options of a portfolio's entries: each input is a task for each of them, and the first definite
    verdict ends the others. ``options`` are for all. They are those of ``craig check``; ``threads=1`` by default. A task that
    has a result in the store is not run again. A process that was killed is tried once more; what has failed is not stored.

    ``address`` is that of a cluster of Ray (``pip install craig-mc[ray]``), as ``ray.init`` takes it; ``"local"`` begins one on this
    machine. Its nodes see the inputs under the same paths, and have the same version of the command. By default there are as many
    tasks at a time as it has processors.
    """
    options.setdefault("threads", 1)
    program = str(command())
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    paths = list(dict.fromkeys(os.fspath(path) for path in inputs))
    tasks: queue.SimpleQueue[_Task] = queue.SimpleQueue()
    for path in paths:
        for number, entry in enumerate(entries):
            given = options | entry
            arguments = _arguments(program, given)
            key = _key(path, given, arguments, version)
            tasks.put(_Task(path, number, given, json.dumps(arguments), version, key))
    begin: Callable[[_Task], _Search] = _Here
    if address is not None:
        from . import _ray

        begin = _ray.connect(address)
        jobs = jobs or _ray.cores()
    driver = _Driver(store, {path: _Question(len(entries)) for path in paths}, tasks, begin, progress)
    threads = [threading.Thread(target=driver.work, daemon=True) for _ in range(jobs or os.cpu_count() or 1)]
    for thread in threads:
        thread.start()
    try:
        for _ in paths:
            result = driver.results.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        driver.stop()
        for thread in threads:
            thread.join()


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
    """The command on this machine."""

    def __init__(self, task: _Task) -> None:
        self._folder = tempfile.TemporaryDirectory()
        is_program = task.input.endswith((".c", ".i"))
        witness = Path(self._folder.name) / ("witness.yml" if is_program else "witness.aag")
        self._run = _Run(task.input, {"witness": witness} | task.given, None)

    def stop(self) -> None:
        self.was_stopped = True
        self._run.stop()

    def result(self) -> tuple[report.Report, dict[str, bytes]]:
        with self._folder as folder:
            found = self._run.wait()
            return found, {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


class _Driver:
    """The workers' common state."""

    def __init__(
        self,
        store: Store,
        questions: dict[str, _Question],
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
        if self._questions[task.input].is_decided:
            return None
        known = None if task.key is None else self._store.get(task.key)
        if known is not None:
            return Result(task.input, known.verdict, known, task.entry, True, task.key)
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
                return Result(task.input, found.verdict, found, task.entry, False, task.key)
            if self._is_over or self._questions[task.input].is_decided:
                return None
        return Result(task.input, "failed", None, task.entry, False, None, failure)

    def _search(self, task: _Task) -> report.Report:
        """Runs the command on a task, and stores its result."""
        question = self._questions[task.input]
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
            self._store.put(task, found, evidence)
        return found

    def _finish(self, task: _Task, result: Optional[Result]) -> None:
        """Counts a task, and passes on the result of its question once it is known."""
        question = self._questions[task.input]
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
                self._progress(f"{task.input}: {question.best.verdict}")
            self.results.put(question.best)


def _key(path: str, given: dict[str, Any], arguments: list[str], version: str) -> Optional[str]:
    """The hash of what a result depends on."""
    content = _content(path, given)
    if content is None:
        return None
    parts = [Path(path).suffix.encode(), hashlib.sha256(content).digest(), json.dumps(arguments).encode(), version.encode()]
    # Files that options name are part of the question: properties, line-ups, restrictions.
    for value in given.values():
        if isinstance(value, (str, os.PathLike)) and Path(value).is_file():
            parts.append(hashlib.sha256(Path(value).read_bytes()).digest())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _listed(value: Any) -> list[Any]:
    """The values of an option that may be repeated."""
    return list(value) if isinstance(value, (list, tuple)) else [value] if value else []


def _content(path: str, given: dict[str, Any]) -> Optional[bytes]:
    """What an input stands for: of a C program after preprocessing, since headers may change. Nothing if that fails, or if it
    may include other files in a way that is not known here."""
    try:
        content = Path(path).read_bytes()
    except OSError:
        return None
    if path.endswith((".aag", ".aig", ".btor", ".btor2", ".i")):
        return content
    compiler = shutil.which("cc")
    if not path.endswith(".c") or compiler is None or given.get("link"):
        return None
    flags = [f"-I{os.fspath(folder)}" for folder in _listed(given.get("I"))]
    flags += [f"-D{macro}" for macro in _listed(given.get("D"))]
    flags += [f"-std={given['std']}"] if given.get("std") else []
    made = subprocess.run([compiler, "-E", "-w", *flags, path], capture_output=True, check=False)
    return made.stdout if made.returncode == 0 else None
