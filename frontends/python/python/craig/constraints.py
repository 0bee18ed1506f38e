"""Constraints as clauses: how many literals are true, weighted sums, parities.

Each function returns a formula (:class:`craig.formula.CNFPlus`) over the literals and over new variables, the first of which has the number
after ``top`` and after those of the literals: an assignment of the literals satisfies the constraint if and only if it can be extended to
one of the clauses. Literals may repeat, and then count as often. With ``pool``, an :class:`craig.formula.IDPool` or PySAT's, new variables
have numbers from there.

>>> import craig
>>> from craig import constraints
>>> two = constraints.at_most([1, 2, 3], 2)
>>> odd = constraints.parity([1, 2, 3], True, top=two.nv)
>>> with craig.Solver(bootstrap_with=[*two, *odd]) as solver:
...     sorted(sum(literal > 0 for literal in model) for model in solver.enum_models(projection=[1, 2, 3]))
[1, 1, 1]
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Optional

from . import _craig
from .formula import CNFPlus

__all__ = ["at_least", "at_most", "exactly", "linear_at_least", "linear_at_most", "linear_exactly", "parity", "totalizer"]

#: What the encoder makes of literals and the largest variable: clauses, and the largest variable then.
_Encoder = Callable[[list[int], int], "tuple[list[list[int]], int]"]


def _encode(literals: list[int], top: int, pool: Any, encoder: _Encoder) -> CNFPlus:
    """The clauses of an encoder, with new variables from the pool if there is one."""
    if pool is not None:
        if top:
            raise ValueError("top and pool: only one of them can tell the numbers of new variables")
        top = pool.top
    largest = max([top, *map(abs, literals)])
    clauses, last = encoder(literals, largest)
    made = CNFPlus()
    if pool is not None:
        pool.top = largest
        numbers = {variable: pool.id() for variable in range(largest + 1, last + 1)}
        numbers |= {-variable: -number for variable, number in numbers.items()}
        clauses = [[numbers.get(literal, literal) for literal in clause] for clause in clauses]
        last = pool.top
    made.clauses, made.nv = clauses, last
    return made


def at_most(literals: Iterable[int], bound: int, *, top: int = 0, pool: Any = None) -> CNFPlus:
    """At most ``bound`` of the literals are true: a sequential counter, about ``2 n k`` clauses."""
    given = list(literals)
    if bound < 0:
        return _never(given, top, pool)
    return _encode(given, top, pool, lambda own, largest: _craig.at_most(own, bound, largest))


def at_least(literals: Iterable[int], bound: int, *, top: int = 0, pool: Any = None) -> CNFPlus:
    """At least ``bound`` of the literals are true."""
    given = list(literals)
    return at_most([-literal for literal in given], len(given) - bound, top=top, pool=pool)


def exactly(literals: Iterable[int], bound: int, *, top: int = 0, pool: Any = None) -> CNFPlus:
    """Just ``bound`` of the literals are true."""
    given = list(literals)
    return _both(lambda own: at_least(given, bound, top=own, pool=pool), lambda own: at_most(given, bound, top=own, pool=pool), top, pool)


def linear_at_most(
    literals: Iterable[int], weights: Iterable[int], bound: int, *, top: int = 0, pool: Any = None
) -> CNFPlus:
    """The sum of the weights of the true literals is at most ``bound``. Weights may be negative.

    It is a decision diagram, or a network of adders if that would be large.
    """
    own, positive, left = non_negative(list(literals), list(weights), bound)
    if left < 0:
        return _never(own, top, pool)
    return _encode(own, top, pool, lambda given, largest: _craig.linear_at_most(given, positive, left, largest))


def non_negative(literals: list[int], weights: list[int], bound: int) -> tuple[list[int], list[int], int]:
    """A bound on a weighted sum as one without negative weights. The bound is at most the sum of the weights."""
    if len(literals) != len(weights):
        raise ValueError(f"there are {len(literals)} literals and {len(weights)} weights")
    own, positive = list(literals), list(weights)
    for place, weight in enumerate(weights):
        if weight < 0:
            # -w x = w (not x) - w
            own[place], positive[place] = -own[place], -weight
            bound -= weight
    if sum(positive) >= 1 << 64:
        raise ValueError("weights: their sum is 2^64 or more")
    return own, positive, min(bound, sum(positive))


def linear_at_least(
    literals: Iterable[int], weights: Iterable[int], bound: int, *, top: int = 0, pool: Any = None
) -> CNFPlus:
    """The sum of the weights of the true literals is at least ``bound``."""
    return linear_at_most(literals, [-weight for weight in weights], -bound, top=top, pool=pool)


def linear_exactly(
    literals: Iterable[int], weights: Iterable[int], bound: int, *, top: int = 0, pool: Any = None
) -> CNFPlus:
    """The sum of the weights of the true literals is just ``bound``."""
    own, given = list(literals), list(weights)
    return _both(
        lambda largest: linear_at_least(own, given, bound, top=largest, pool=pool),
        lambda largest: linear_at_most(own, given, bound, top=largest, pool=pool),
        top,
        pool,
    )


def parity(literals: Iterable[int], is_odd: bool, *, top: int = 0, pool: Any = None) -> CNFPlus:
    """An odd number of the literals is true (their exclusive or), or an even one."""
    return _encode(list(literals), top, pool, lambda own, largest: _craig.parity(own, is_odd, largest))


def totalizer(literals: Iterable[int], *, top: int = 0) -> tuple[CNFPlus, list[int]]:
    """Counts the true literals: clauses, and for each ``k`` from 0 on a literal that is true if and only if more than ``k`` are. A bound
    is an assumption then."""
    more: list[int] = []

    def encoder(own: list[int], largest: int) -> tuple[list[list[int]], int]:
        clauses, last, found = _craig.totalizer(own, largest)
        more.extend(found)
        return clauses, last

    return _encode(list(literals), top, None, encoder), more


def _never(literals: list[int], top: int, pool: Any) -> CNFPlus:
    """What no assignment satisfies."""
    return _encode(literals, top, pool, lambda own, largest: ([[]], largest))


def _both(first: Callable[[int], CNFPlus], second: Callable[[int], CNFPlus], top: int, pool: Any) -> CNFPlus:
    """Two constraints, the second with new variables after those of the first."""
    made = first(top)
    other = second(0 if pool is not None else made.nv)
    made.extend(other.clauses)
    made.nv = max(made.nv, other.nv)
    return made


def names(numbers: dict[str, int]) -> type:
    """A class with encodings by their names, as PySAT's have them."""
    return type("EncType", (), {"__doc__": "The encodings that PySAT has: all of them stand for the one of craig.", **numbers})


def given_top(top_id: Optional[int], vpool: Any) -> tuple[int, Any]:
    """The arguments of PySAT's encoders as those of the functions here."""
    if top_id and vpool is not None:
        raise ValueError("top_id and vpool: only one of them can tell the numbers of new variables")
    return top_id or 0, vpool
