"""One hard formula, cube by cube, on the processors of this machine or of a cluster.

``craig sat --cubes-only`` splits the formula, and each cube is a process of its own: ``craig sat --assume`` with a limit on
conflicts, beyond which the cube is split again. The proof of each refuted cube is joined to one LRAT proof when it arrives: the
clauses of the two halves of a cube are resolved on the literal that splits it. A process that was killed is started again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import tempfile
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Callable, Iterable, Optional, Union

from ._craig import Error, InputError, InternalError, Stopped
from .checking import command, version
from .store import Outcome, Store

#: A cube whose process was killed is tried this often in all.
_ATTEMPTS = 3

#: More conflicts than there will be.
_UNLIMITED = 1 << 62

#: The exceptions by the exit codes of the command.
_FAULTS = {1: InternalError, 2: InputError}


@dataclass
class Conquered:
    """What became of a formula."""

    #: ``"satisfiable"`` or ``"unsatisfiable"``.
    verdict: str
    #: The literals that are true, of a satisfiable formula.
    model: Optional[list[int]]
    #: How many cubes were refuted, split again, and left out since another one's clause refutes them.
    refuted: int
    split: int
    superfluous: int
    #: How many results came from the store.
    stored: int


@dataclass(frozen=True)
class _Cube:
    """A cube to be decided by a process."""

    program: str
    version: str
    path: str
    literals: tuple[int, ...]
    conflicts: int


class _Attempt:
    """A process that decides a cube."""

    was_stopped = False

    def stop(self) -> None:
        """Ends it."""
        raise NotImplementedError

    def result(self) -> Outcome:
        """Waits for it; ``Stopped`` if it was killed."""
        raise NotImplementedError


class _Here(_Attempt):
    """A process on this machine."""

    def __init__(self, cube: _Cube) -> None:
        self._cube = cube
        self._folder = tempfile.TemporaryDirectory()
        self._proof = Path(self._folder.name) / "proof.lrat"
        arguments = ["sat", cube.path, "--json", f"--conflicts={cube.conflicts}", f"--assume={_text(cube.literals)}"]
        arguments += [f"--trim={self._proof}", "--proof-format=lrat"]
        self._process = subprocess.Popen(
            [cube.program, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # It ends if this process is killed.
            env=os.environ | {"CRAIG_PARENT": str(os.getpid())},
        )

    def stop(self) -> None:
        self.was_stopped = True
        self._process.kill()

    def result(self) -> Outcome:
        with self._folder:
            printed, complaint = self._process.communicate()
            code = self._process.returncode
            if code < 0:
                raise Stopped(f"{self._cube.path}: the process of a cube was killed by signal {-code}")
            if code in _FAULTS:
                raise _FAULTS[code](complaint.strip() or printed.strip())
            found = json.loads(printed)
            if found["verdict"] == "satisfiable":
                return "satisfiable", found["model"], ""
            if found["verdict"] == "unsatisfiable":
                return "unsatisfiable", found["failed_assumptions"] or [], self._proof.read_text()
            return "unknown", [], ""


def _text(literals: Iterable[object]) -> str:
    return " ".join(map(str, literals))


class _Node:
    """A cube in the tree of all."""

    def __init__(self, literal: int, parent: Optional[_Node]) -> None:
        self.literal = literal
        self.parent = parent
        self.children: dict[int, _Node] = {}
        #: Whether it no longer matters.
        self.is_closed = False
        #: Whether it can't be split.
        self.is_final = False
        #: The clause that refutes it, with its number in the joined proof.
        self.clause: Optional[frozenset[int]] = None
        self.number = 0

    def cube(self) -> tuple[int, ...]:
        """The literals from the root on."""
        literals: list[int] = []
        node: Optional[_Node] = self
        while node is not None and node.parent is not None:
            literals.append(node.literal)
            node = node.parent
        return tuple(reversed(literals))

    def add(self, literals: Iterable[int]) -> _Node:
        """The node below this one at the end of a path."""
        node = self
        for literal in literals:
            node = node.children.setdefault(literal, _Node(literal, node))
        return node

    def leaves(self) -> list[_Node]:
        """The open leaves below, from left to right."""
        found, nodes = [], [self]
        while nodes:
            node = nodes.pop()
            if not node.is_closed and not node.children:
                found.append(node)
            nodes.extend(reversed(node.children.values()))
        return found


class _Numbers(dict[str, str]):
    """The numbers of a cube's clauses in the joined proof. Those of the formula, and the 0 at the end, stay."""

    def __init__(self, n_clauses: int) -> None:
        self._n_clauses = n_clauses

    def __missing__(self, word: str) -> str:
        if not 0 <= int(word) <= self._n_clauses:
            raise InternalError(f"the proof of a cube uses a clause {word}, which it does not have")
        return word


class _Joined:
    """The joined proof, in LRAT."""

    def __init__(self, clauses: list[frozenset[int]], output: IO[str]) -> None:
        self._clauses = clauses
        self._output = output
        self._last = len(clauses)

    def add(self, proof: str, clause: frozenset[int]) -> int:
        """Adds the proof of a clause; returns the clause's number."""
        # Words stay words: millions of lines come here one after the other, whatever the number of workers.
        numbers = _Numbers(len(self._clauses))
        lines: list[str] = []
        number, last = self._last, None
        for line in proof.splitlines():
            words = line.split()
            if words[1] == "d":
                lines.append(f"{number} d {' '.join([numbers[word] for word in words[2:]])}\n")
                continue
            end = words.index("0", 1)
            hints = " ".join([numbers[word] for word in words[end:]])
            number += 1
            last = words[1:end]
            numbers[words[0]] = str(number)
            lines.append(f"{number} {' '.join(last)} {hints}\n" if last else f"{number} {hints}\n")
        self._output.writelines(lines)
        self._last = number
        if last is not None and frozenset(map(int, last)) == clause:
            return number
        # No step is needed for a clause of the formula.
        if last is None and clause in self._clauses:
            return self._clauses.index(clause) + 1
        raise InternalError("the proof of a cube ends in another clause than that of its failed literals")

    def resolve(self, left: _Node, right: _Node) -> tuple[frozenset[int], int]:
        """Resolves the clauses of the two halves of a cube."""
        assert left.clause is not None and right.clause is not None
        clause = (left.clause - {-left.literal}) | (right.clause - {-right.literal})
        return clause, self._step(sorted(clause), [left.number, right.number])

    def _step(self, literals: list[int], hints: list[int]) -> int:
        self._last += 1
        self._output.write(f"{_text([self._last, *literals, 0, *hints, 0])}\n")
        return self._last


def conquer(
    path: Union[str, Path],
    *,
    cubes: int = 64,
    conflicts: int = 20000,
    jobs: Optional[int] = None,
    address: Optional[str] = None,
    store: Optional[Store] = None,
    proof: Union[str, Path, None] = None,
    progress: Optional[Callable[[str], object]] = None,
) -> Conquered:
    """Decides a formula in DIMACS by ``cubes`` cubes at first, ``jobs`` at a time.

    A cube that takes more than ``conflicts`` conflicts is split in two. ``proof`` is where the joined LRAT proof is written; it has
    its name once it is a refutation. With a ``store``, the result of each cube is kept, and a run that was killed goes on where it
    was. ``address`` is that of a cluster of Ray or Dask, as in :func:`craig.cluster.run`.
    """
    stack = contextlib.ExitStack()
    begin: Callable[[_Cube], _Attempt] = _Here
    if address is not None:
        from .cluster import _library

        connected = _library(address).connect_cubes(address)
        begin, jobs = connected.begin, jobs or connected.n_cores
        stack.callback(connected.close)
    with stack, tempfile.TemporaryDirectory() as folder:
        target = None if proof is None else Path(proof)
        beside = Path(folder) if target is None else target.parent
        with tempfile.NamedTemporaryFile("w", dir=beside, prefix=".proof-", delete=False) as output:
            try:
                run = _Run(os.fspath(path), Path(folder), conflicts, begin, store, progress, output)
                found = run.all(cubes, jobs or os.cpu_count() or 1)
                output.close()
                if target is not None and found.verdict == "unsatisfiable":
                    os.replace(output.name, target)
            finally:
                output.close()
                Path(output.name).unlink(missing_ok=True)
    return found


class _Run:
    """The driver of one run."""

    def __init__(
        self,
        path: str,
        folder: Path,
        conflicts: int,
        begin: Callable[[_Cube], _Attempt],
        store: Optional[Store],
        progress: Optional[Callable[[str], object]],
        output: IO[str],
    ) -> None:
        self._path = os.path.abspath(path)
        self._folder = folder
        self._conflicts = conflicts
        self._begin = begin
        self._store = store
        self._progress = progress
        self._output = output
        self._program = str(command())
        self._version = version(self._program)
        self._hash = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        self._root = _Node(0, None)
        self._lock = threading.Lock()
        self._running: dict[_Node, _Attempt] = {}
        self._counts = {"refuted": 0, "split": 0, "superfluous": 0, "stored": 0}

    def all(self, n_cubes: int, jobs: int) -> Conquered:
        """Decides cubes until the root is decided."""
        text = self._split((), n_cubes)
        lines = [line.split() for line in text.splitlines()[1:]]
        clauses = [frozenset(map(int, words[:-1])) for words in lines if words[0] != "a"]
        joined = _Joined(clauses, self._output)
        self._add(text)
        with ThreadPoolExecutor(jobs) as pool:
            futures = {pool.submit(self._decide, leaf): leaf for leaf in self._root.leaves()}
            try:
                while futures:
                    for future in wait(futures, return_when=FIRST_COMPLETED).done:
                        node = futures.pop(future)
                        model = self._use(node, future, joined)
                        if model is not None:
                            return Conquered("satisfiable", model, **self._counts)
                        if self._root.clause is not None:
                            return Conquered("unsatisfiable", None, **self._counts)
                        if not node.is_closed:
                            leaves = node.leaves()
                            futures |= {pool.submit(self._decide, leaf): leaf for leaf in leaves}
            finally:
                self._root.is_closed = True
                for future in futures:
                    future.cancel()
                with self._lock:
                    attempts = list(self._running.values())
                for attempt in attempts:
                    attempt.stop()
        raise InternalError(f"{self._path}: all cubes are done, but the formula is not decided")

    def _split(self, literals: tuple[int, ...], n_cubes: int) -> str:
        """The formula with cubes below one."""
        target = self._folder / f"cubes-{threading.get_ident()}"
        arguments = [self._program, "sat", self._path, f"--cubes={n_cubes}", f"--cubes-only={target}"]
        arguments += [f"--assume={_text(literals)}"] if literals else []
        ran = subprocess.run(arguments, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise _FAULTS.get(ran.returncode, Error)(ran.stderr.strip())
        return target.read_text()

    def _add(self, text: str) -> None:
        """Adds the cubes of a file to the tree."""
        for line in text.splitlines():
            if line.startswith("a "):
                self._root.add(int(word) for word in line.split()[1:-1])

    def _decide(self, node: _Node) -> Optional[tuple[Outcome, str]]:
        """The result of a cube that still matters; if it is to be split, with its cubes."""
        if self._is_closed(node):
            return None
        conflicts = _UNLIMITED if node.is_final else self._conflicts
        cube = _Cube(self._program, self._version, self._path, node.cube(), conflicts)
        key = hashlib.sha256(repr((self._hash, self._version, cube.literals, cube.conflicts)).encode()).hexdigest()
        known = None if self._store is None else self._store.cube(key)
        if known is not None:
            with self._lock:
                self._counts["stored"] += 1
            outcome = known
        else:
            found = self._try(node, cube)
            if found is None:
                return None
            outcome = found
            if self._store is not None:
                self._store.put_cube(key, outcome)
        return outcome, self._split(cube.literals, 2) if outcome[0] == "unknown" else ""

    def _try(self, node: _Node, cube: _Cube) -> Optional[Outcome]:
        for attempt_number in range(_ATTEMPTS):
            attempt = self._begin(cube)
            with self._lock:
                self._running[node] = attempt
            try:
                if self._is_closed(node):
                    attempt.stop()
                return attempt.result()
            except Stopped:
                if attempt.was_stopped:
                    return None
                if attempt_number == _ATTEMPTS - 1:
                    raise
            finally:
                with self._lock:
                    del self._running[node]
        return None

    def _is_closed(self, node: _Node) -> bool:
        return node.is_closed or self._root.is_closed

    def _use(self, node: _Node, future: Future[Any], joined: _Joined) -> Optional[list[int]]:
        """Uses the result of a cube; returns a model if it has one."""
        result = None if future.cancelled() else future.result()
        if result is None or node.is_closed:
            return None
        (answer, literals, proof), cubes = result
        if answer == "satisfiable":
            model: list[int] = literals
            return model
        if answer == "unknown":
            self._counts["split"] += 1
            self._add(cubes)
            # If nothing is left to split on, it goes on without a limit.
            node.is_final = not node.children
            return None
        self._counts["refuted"] += 1
        clause = frozenset(-literal for literal in literals)
        self._refute(node, clause, joined.add(proof, clause), joined)
        if self._progress is not None:
            self._progress(f"{self._path}: {_text(f'{count} {name}' for name, count in self._counts.items())}")
        return None

    def _refute(self, node: _Node, clause: frozenset[int], number: int, joined: _Joined) -> None:
        """A clause refutes a cube: closes it, and those above as far as it goes."""
        while True:
            node.is_closed = True
            node.clause, node.number = clause, number
            parent = node.parent
            if parent is None:
                return
            other = parent.children[-node.literal]
            if -node.literal not in clause:
                self._close(other)
            elif other.clause is not None:
                clause, number = joined.resolve(node, other)
            else:
                return
            node = parent

    def _close(self, node: _Node) -> None:
        """A cube above is refuted."""
        with self._lock:
            leaves = node.leaves()
            self._counts["superfluous"] += len(leaves)
            node.is_closed = True
            for leaf in leaves:
                leaf.is_closed = True
            attempts = [self._running[leaf] for leaf in leaves if leaf in self._running]
        for attempt in attempts:
            attempt.stop()
