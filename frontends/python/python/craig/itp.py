"""The study of interpolants: those of several proofs, transforms and systems side by side, by size and by strength."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator, Optional, Sequence

from ._craig import Expression, Proof
from .interpolation import interpolant

__all__ = ["Entry", "Study", "study"]

#: The systems that a study has by default: the strongest first, where they are ordered.
SYSTEMS = ("mcmillan", "symmetric", "inverse", "pss", "ps", "psw", "clausewise")


@dataclass
class Entry:
    """An interpolant, and where it comes from."""

    system: str
    transform: Optional[str]
    #: The seed with which its proof was found.
    seed: int
    formula: Expression
    #: Its class in ``Study.classes``: entries with equivalent formulas have one.
    number: int = 0
    #: The classes that it implies, its own left out.
    implies: list[int] = field(default_factory=list)


class Study:
    """Interpolants of one problem."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = list(entries)
        #: A formula for each set of equivalent ones.
        self.classes: list[Expression] = []
        for entry in self.entries:
            for number, formula in enumerate(self.classes):
                if formula.is_equivalent(entry.formula):
                    entry.number = number
                    break
            else:
                entry.number = len(self.classes)
                self.classes.append(entry.formula)
        below = [
            [other for other, weaker in enumerate(self.classes) if other != number and formula.implies(weaker)]
            for number, formula in enumerate(self.classes)
        ]
        for entry in self.entries:
            entry.implies = below[entry.number]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def strongest(self) -> list[Entry]:
        """The entries whose formulas no formula of another class implies."""
        implied = {number for entry in self.entries for number in entry.implies}
        return [entry for entry in self.entries if entry.number not in implied]

    def weakest(self) -> list[Entry]:
        """The entries whose formulas imply no formula of another class."""
        return [entry for entry in self.entries if not entry.implies]

    def records(self) -> list[dict[str, Any]]:
        """A dictionary for each entry: rows of a table."""
        return [
            {"system": one.system, "transform": one.transform, "seed": one.seed, "class": one.number}
            | {"implies": list(one.implies)}
            | one.formula.size()
            for one in self.entries
        ]

    def _repr_html_(self) -> str:
        records = self.records()
        columns = list(records[0]) if records else []
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_cell(row[name]))}</td>" for name in columns) + "</tr>" for row in records
        )
        title = f"<p>{len(self.entries)} interpolants, {len(self.classes)} of them different</p>"
        return f"{title}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def __repr__(self) -> str:
        return f"<craig.itp.Study: {len(self.entries)} interpolants, {len(self.classes)} of them different>"


def _cell(value: Any) -> str:
    """A value in a table."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def study(
    a: Iterable[Iterable[int]],
    b: Iterable[Iterable[int]],
    *,
    systems: Sequence[str] = SYSTEMS,
    transforms: Sequence[Optional[str]] = (None, "reduce"),
    seeds: Sequence[int] = (0,),
    simplify: bool = False,
    time: Optional[float] = None,
) -> Study:
    """The interpolants of two parts that contradict each other: of a proof for each of the ``seeds``, by each of the ``transforms`` and
    ``systems``. All are checked by SAT, and compared. ``time`` limits each search for a proof and each interpolant.

    >>> found = study([[1, 2], [-1, 2]], [[-2, 3], [-3]], systems=["mcmillan", "inverse"])
    >>> found
    <craig.itp.Study: 4 interpolants, 1 of them different>
    >>> found.records()[0]["gates"], str(found.classes[0])
    (0, '2')
    """
    parts = [[list(clause) for clause in part] for part in (a, b)]
    clauses = parts[0] + parts[1]
    entries = []
    for seed in seeds:
        proof = Proof.find(clauses, seed=seed, time=time)
        for transform in transforms:
            for system in systems:
                formula = interpolant(
                    *parts, system=system, transform=transform, simplify=simplify, time=time, proof=proof
                )
                entries.append(Entry(system, transform, seed, formula))
    return Study(entries)
