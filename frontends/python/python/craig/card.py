"""Cardinality constraints by the names of ``pysat.card``: a program written for PySAT changes the import.

>>> from craig.card import CardEnc, EncType
>>> formula = CardEnc.atmost(lits=[1, 2, 3], encoding=EncType.seqcounter)
>>> formula.nv > 3, [literal for literal in formula.clauses if not literal]
(True, [])

All encodings stand for those of :mod:`craig.constraints`: numbers of clauses and of new variables are other ones than PySAT's.
"""

from __future__ import annotations

from typing import Any, Iterable, Optional

from . import constraints
from .formula import CNFPlus

__all__ = ["CardEnc", "EncType", "ITotalizer", "NoSuchEncodingError", "UnsupportedBound"]

_NAMES = "pairwise seqcounter sortnetwrk cardnetwrk bitwise ladder totalizer mtotalizer kmtotalizer native"
EncType: Any = constraints.names({name: number for number, name in enumerate(_NAMES.split())})


class NoSuchEncodingError(Exception):
    """A number that is no encoding."""


class UnsupportedBound(Exception):
    """There for programs written for PySAT: each bound is supported here."""


class CardEnc:
    """Bounds on the number of true literals."""

    @classmethod
    def atmost(
        cls, lits: Iterable[int], bound: int = 1, top_id: Optional[int] = None, vpool: Any = None, encoding: int = 1
    ) -> CNFPlus:
        """At most ``bound`` of the literals are true."""
        own, (top, pool) = _checked(lits, bound, encoding), constraints.given_top(top_id, vpool)
        return constraints.at_most(own, bound, top=top, pool=pool)

    @classmethod
    def atleast(
        cls, lits: Iterable[int], bound: int = 1, top_id: Optional[int] = None, vpool: Any = None, encoding: int = 1
    ) -> CNFPlus:
        """At least ``bound`` of the literals are true."""
        own, (top, pool) = _checked(lits, bound, encoding), constraints.given_top(top_id, vpool)
        if bound > len(own):
            raise ValueError(f"bound={bound}: there are {len(own)} literals")
        return constraints.at_least(own, bound, top=top, pool=pool)

    @classmethod
    def equals(
        cls, lits: Iterable[int], bound: int = 1, top_id: Optional[int] = None, vpool: Any = None, encoding: int = 1
    ) -> CNFPlus:
        """Just ``bound`` of the literals are true."""
        own, (top, pool) = _checked(lits, bound, encoding), constraints.given_top(top_id, vpool)
        if bound > len(own):
            raise ValueError(f"bound={bound}: there are {len(own)} literals")
        return constraints.exactly(own, bound, top=top, pool=pool)


def _checked(lits: Iterable[int], bound: int, encoding: int) -> list[int]:
    if not 0 <= encoding <= 9:
        raise NoSuchEncodingError(encoding)
    if bound < 0:
        raise ValueError(f"bound={bound}: expected 0 or more")
    return list(lits)


class ITotalizer:
    """The number of true literals in unary: ``-rhs[k]`` as an assumption says that at most ``k`` of them are true.

    >>> from craig import Solver
    >>> with ITotalizer(lits=[1, 2, 3], ubound=1) as counter, Solver(bootstrap_with=counter.cnf) as solver:
    ...     solver.solve([1, 2, -counter.rhs[1]]), solver.solve([1, 2, -counter.rhs[2]])
    (False, True)
    """

    def __init__(self, lits: Iterable[int] = (), ubound: int = 1, top_id: Optional[int] = None) -> None:
        self.new(lits, ubound, top_id)

    def new(self, lits: Iterable[int] = (), ubound: int = 1, top_id: Optional[int] = None) -> None:
        """Begins anew."""
        self.lits = list(lits)
        self.ubound = ubound
        #: The clauses for all bounds, whatever ``ubound`` is.
        self.cnf, self.rhs = constraints.totalizer(self.lits, top=top_id or 0)
        self.top_id = self.cnf.nv
        self.nof_new = len(self.cnf.clauses)

    def __enter__(self) -> ITotalizer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.delete()

    def delete(self) -> None:
        """There for programs written for PySAT."""

    def increase(self, ubound: int = 1, top_id: Optional[int] = None) -> None:
        """Allows a larger bound: there are no new clauses."""
        del top_id
        self.ubound = max(self.ubound, ubound)
        self.nof_new = 0

    def extend(self, lits: Iterable[int] = (), ubound: Optional[int] = None, top_id: Optional[int] = None) -> None:
        """Counts further literals, too: by a new tree, which replaces ``rhs``. The clauses before hold as well."""
        self.lits += lits
        self.ubound = max(self.ubound, ubound or 0)
        new, self.rhs = constraints.totalizer(self.lits, top=max(self.top_id, top_id or 0))
        self.cnf.extend(new.clauses)
        self.cnf.nv = self.top_id = new.nv
        self.nof_new = len(new.clauses)

    def merge_with(self, another: ITotalizer, ubound: Optional[int] = None, top_id: Optional[int] = None) -> None:
        """Counts the literals of another one, too."""
        self.extend(another.lits, ubound, max(another.top_id, top_id or 0))
