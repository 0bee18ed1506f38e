"""Weighted sums (pseudo-Boolean constraints) by the names of ``pysat.pb``: a program written for PySAT changes the import.

>>> from craig import Solver
>>> from craig.pb import PBEnc
>>> formula = PBEnc.atmost(lits=[1, 2, 3], weights=[1, 2, 3], bound=3)
>>> with Solver(bootstrap_with=formula) as solver:
...     solver.solve([1, 2]), solver.solve([1, 3])
(True, False)

All encodings stand for that of :func:`craig.constraints.linear_at_most`. Weights and bounds may be negative.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Optional

from . import constraints
from .card import NoSuchEncodingError
from .formula import CNFPlus

__all__ = ["EncType", "NoSuchEncodingError", "PBEnc"]

_NAMES = "best bdd seqcounter sortnetwrk adder binmerge native watchdog totalizer mixedradix"
EncType: Any = constraints.names({name: number for number, name in enumerate(_NAMES.split())})

_Function = Callable[..., CNFPlus]


def _encoder(function: _Function, meaning: str) -> _Function:
    """A method of :class:`PBEnc`."""

    def encode(
        lits: Iterable[Any],
        weights: Optional[Iterable[int]] = None,
        bound: int = 1,
        top_id: Optional[int] = None,
        vpool: Any = None,
        encoding: int = 0,
        conditionals: Optional[Iterable[int]] = None,
    ) -> CNFPlus:
        if not 0 <= encoding <= 9:
            raise NoSuchEncodingError(encoding)
        literals, own = _terms(list(lits), weights)
        conditions = list(conditionals or ())
        top, pool = constraints.given_top(top_id, vpool)
        largest = max(map(abs, conditions), default=0)
        if pool is None:
            top = max(top, largest)
        else:
            pool.top = max(pool.top, largest)
        made = function(literals, own, bound, top=top, pool=pool)
        if conditions:
            made.clauses = [[*(-literal for literal in conditions), *clause] for clause in made.clauses]
            made.nv = max(made.nv, largest)
        return made

    encode.__doc__ = meaning
    return encode


def _terms(literals: list[Any], weights: Optional[Iterable[int]]) -> tuple[list[int], list[int]]:
    """Literals and their weights."""
    if weights is not None:
        return literals, list(weights)
    if any(isinstance(one, (tuple, list)) for one in literals):
        return [literal for literal, _ in literals], [weight for _, weight in literals]
    return literals, [1] * len(literals)


class PBEnc:
    """Bounds on weighted sums. ``lits`` are literals, with ``weights`` or all of weight 1, or pairs of a literal and its weight. The
    constraint holds if all ``conditionals`` do."""

    leq = atmost = staticmethod(_encoder(constraints.linear_at_most, "The sum is at most ``bound``."))
    geq = atleast = staticmethod(_encoder(constraints.linear_at_least, "The sum is at least ``bound``."))
    equals = staticmethod(_encoder(constraints.linear_exactly, "The sum is just ``bound``."))
