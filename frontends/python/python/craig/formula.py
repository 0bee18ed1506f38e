"""Formulas in clauses, and numbers for variables, by the names of ``pysat.formula``.

>>> from craig.formula import CNF
>>> formula = CNF(from_clauses=[[-1, 2], [3]])
>>> formula.append([4, -5])
>>> formula.nv, formula.clauses
(5, [[-1, 2], [3], [4, -5]])
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any, Hashable, Iterable, Iterator, Optional, Union

from ._craig import InputError, read_dimacs

__all__ = ["CNF", "CNFPlus", "IDPool"]

Clause = list[int]


class CNF:
    """A formula: ``clauses``, a list of lists of literals, and ``nv``, the number of variables.

    It is made from clauses, or read from DIMACS: a file (compressed by gzip or xz, or not), an open file, or text.
    """

    def __init__(
        self,
        from_file: Union[str, Path, None] = None,
        from_fp: Optional[IO[Any]] = None,
        from_string: Union[str, bytes, None] = None,
        from_clauses: Iterable[Iterable[int]] = (),
    ) -> None:
        self.clauses: list[Clause] = []
        self.nv = 0
        #: There are none: constraints are clauses here (:mod:`craig.card`).
        self.atmosts: list[Any] = []
        if from_file is not None:
            self.from_file(from_file)
        elif from_fp is not None:
            self.from_fp(from_fp)
        elif from_string is not None:
            self.from_string(from_string)
        else:
            self.from_clauses(from_clauses)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(from_clauses={self.clauses!r})"

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    def __len__(self) -> int:
        return len(self.clauses)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CNF) and (self.clauses, self.nv) == (other.clauses, other.nv)

    __hash__ = None  # type: ignore[assignment]

    def _read(self, data: Union[str, bytes], name: str) -> None:
        encoded = data.encode() if isinstance(data, str) else bytes(data)
        self.clauses, self.nv = read_dimacs(encoded, name)

    def from_file(self, fname: Union[str, Path]) -> None:
        """Reads a file instead of what was here."""
        name = os.fspath(fname)
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise InputError(f"{name}: can't be read: {error.strerror}") from error
        self._read(data, name)

    def from_fp(self, file_pointer: IO[Any]) -> None:
        """Reads an open file, with text or bytes."""
        self._read(file_pointer.read(), str(getattr(file_pointer, "name", "file")))

    def from_string(self, string: Union[str, bytes]) -> None:
        """Reads text."""
        self._read(string, "string")

    def from_clauses(self, clauses: Iterable[Iterable[int]]) -> None:
        """Takes these clauses instead of what was here."""
        self.clauses, self.nv = [], 0
        self.extend(clauses)

    def append(self, clause: Iterable[int]) -> None:
        """Adds a clause."""
        literals = list(clause)
        self.nv = max([self.nv, *map(abs, literals)])
        self.clauses.append(literals)

    def extend(self, clauses: Iterable[Iterable[int]]) -> None:
        """Adds clauses."""
        for clause in clauses:
            self.append(clause)

    def copy(self) -> CNF:
        """Another formula with these clauses."""
        new = type(self)(from_clauses=self.clauses)
        new.nv = self.nv
        return new

    def to_dimacs(self) -> str:
        """The formula in DIMACS."""
        lines = [f"p cnf {self.nv} {len(self.clauses)}"]
        lines += [" ".join(map(str, [*clause, 0])) for clause in self.clauses]
        return "\n".join(lines) + "\n"

    def to_fp(self, file_pointer: IO[str]) -> None:
        """Writes the formula into an open file."""
        file_pointer.write(self.to_dimacs())

    def to_file(self, fname: Union[str, Path]) -> None:
        """Writes the formula into a file."""
        Path(fname).write_text(self.to_dimacs())


class CNFPlus(CNF):
    """As :class:`CNF`: what PySAT returns of an encoding has this name."""


class IDPool:
    """Numbers for variables, each for an object.

    >>> pool = IDPool(occupied=[[2, 10]])
    >>> [pool.id(name) for name in ("a", "b", "a")], pool.obj(11)
    ([1, 11, 1], 'b')
    """

    def __init__(self, start_from: int = 1, occupied: Iterable[Iterable[int]] = ()) -> None:
        self.restart(start_from, occupied)

    def restart(self, start_from: int = 1, occupied: Iterable[Iterable[int]] = ()) -> None:
        """Forgets all."""
        #: The largest number that was given.
        self.top = start_from - 1
        self._occupied: list[tuple[int, int]] = []
        for interval in occupied:
            self.occupy(*interval)
        self.obj2id: dict[Hashable, int] = {}
        self.id2obj: dict[int, Hashable] = {}

    def id(self, obj: Optional[Hashable] = None) -> int:
        """The number of an object; without one, a new number."""
        known = None if obj is None else self.obj2id.get(obj)
        if known is not None:
            return known
        self.top += 1
        for start, stop in self._occupied:
            if start <= self.top <= stop:
                self.top = stop + 1
        if obj is not None:
            self.obj2id[obj] = self.top
            self.id2obj[self.top] = obj
        return self.top

    def obj(self, vid: int) -> Optional[Hashable]:
        """The object with a number."""
        return self.id2obj.get(vid)

    def occupy(self, start: int, stop: int) -> None:
        """Numbers from ``start`` to ``stop`` are not given."""
        if stop >= start:
            self._occupied = sorted([*self._occupied, (start, stop)])
