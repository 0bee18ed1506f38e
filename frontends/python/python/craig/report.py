"""Verdicts with their evidence."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional

from . import waves

if TYPE_CHECKING:
    from .model import Model


class Trace(list[dict[str, Any]]):
    """The steps of a run: a list of dictionaries.

    Of a circuit, a step has its number (``step``), the values of latches (``state``) and inputs (``inputs``) by name, and
    which bads hold (``bads``). Of a C program, it is a line of the path: ``file``, ``line``, ``text``, ``source``.
    """

    def waves(self) -> str:
        """The run of a circuit as a drawing (SVG): a wave for each latch, input and bad; empty for a C program."""
        return waves.draw(self)

    def _repr_html_(self) -> str:
        return self.waves() or self.table()

    def table(self) -> str:
        """The steps as a table in HTML."""
        rows = [_flat(step) for step in self]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(row.get(name, '')))}</td>" for name in columns) + "</tr>"
            for row in rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _flat(step: dict[str, Any]) -> dict[str, Any]:
    """A step as a row of a table."""
    row: dict[str, Any] = {}
    for key, value in step.items():
        if isinstance(value, dict):
            row.update(value)
        elif key != "bads":
            row[key] = "" if value is None else value
    return row


@dataclass
class Property:
    """The verdict about one property."""

    #: ``b0``, ``j0``: kind and number in a circuit. Of a C program, its name.
    id: str
    name: str
    #: ``"safe"``, ``"unsafe"`` or ``"unknown"``.
    verdict: str
    #: Why there is no answer.
    reason: Optional[str] = None
    engine: Optional[str] = None
    phase: Optional[str] = None
    #: The steps that were searched, or the step in which the bad holds.
    depth: Optional[int] = None
    #: The step at which the loop of a run against a justice property begins.
    loop_start: Optional[int] = None
    seconds: float = 0.0
    #: Whether the evidence was checked by a solver other than that of the engines. Of a C program, ``details`` has more.
    certified: Optional[bool] = None
    #: The run, if the property fails.
    trace: Optional[Trace] = field(default=None, repr=False)
    #: A run or a witness circuit, in the format of the input.
    evidence: Optional[bytes] = field(default=None, repr=False)
    #: The circuit that the evidence is about, if that is not the input.
    evidence_model: Optional[bytes] = field(default=None, repr=False)
    #: Files that the command has written about it.
    files: list[str] = field(default_factory=list)
    statistics: dict[str, Any] = field(default_factory=dict, repr=False)
    #: All that the command prints about it with ``--json``.
    details: dict[str, Any] = field(default_factory=dict, repr=False)

    def certificate(self) -> Model:
        """The evidence of a circuit's property that holds, as a circuit: its bad, over the latches of the input and others, has an
        inductive invariant (Certifaiger's witness circuits).

        >>> from craig import check
        >>> check(b"aag 1 0 1 1 0\\n2 2\\n2\\n")[0].certificate()
        <craig.Model 'evidence of b0': 0 inputs, 1 latches, 0 gates, 1 bads, 0 constraints, 0 justice properties>
        """
        from .model import Model

        if not self.is_safe or self.evidence is None or not self.evidence.startswith((b"aag ", b"aig ")):
            raise ValueError(f"{self.name}: there is no witness circuit")
        return Model.from_aiger(self.evidence, f"evidence of {self.name}")

    @property
    def is_safe(self) -> bool:
        """Whether it holds."""
        return self.verdict == "safe"

    @property
    def is_unsafe(self) -> bool:
        """Whether it fails."""
        return self.verdict == "unsafe"


class Unwinding(str):
    """What an engine has unwound of a C program: a page in HTML, whose drawing notebooks show."""

    def _repr_html_(self) -> str:
        begin, end = self.find("<svg"), self.rfind("</svg>")
        return str(self) if begin < 0 or end < 0 else self[begin : end + len("</svg>")]


@dataclass
class Report:
    """The verdict about an input, and that of each of its properties."""

    input: str
    verdict: str
    properties: list[Property]
    seconds: float = 0.0
    #: Whether it was decided in this process, and not by the command.
    in_process: bool = True
    #: What was unwound of a C program, if that was asked for.
    unwinding: Optional[Unwinding] = field(default=None, repr=False)
    #: All that the command prints with ``--json``.
    details: dict[str, Any] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Iterator[Property]:
        return iter(self.properties)

    def __getitem__(self, key: int | str) -> Property:
        if isinstance(key, int):
            return self.properties[key]
        for one in self.properties:
            if key in (one.id, one.name):
                return one
        known = ", ".join(one.id for one in self.properties)
        raise KeyError(f"there is no property {key!r}: expected one of {known}")

    @property
    def is_safe(self) -> bool:
        """Whether all properties hold."""
        return self.verdict == "safe"

    @property
    def is_unsafe(self) -> bool:
        """Whether a property fails."""
        return self.verdict == "unsafe"

    def records(self) -> list[dict[str, Any]]:
        """A dictionary for each property, without evidence: rows of a table."""
        names = ("id", "name", "verdict", "reason", "engine", "phase", "depth", "seconds", "certified")
        return [{"input": self.input} | {name: getattr(one, name) for name in names} for one in self.properties]

    def __str__(self) -> str:
        lines = [f"{self.input}: {self.verdict.upper()}"]
        for one in self.properties:
            by = f" ({one.engine})" if one.engine and one.verdict != "unknown" else ""
            why = f": {one.reason}" if one.reason else ""
            lines.append(f"  {one.name}: {one.verdict}{by}{why}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        columns = ("name", "verdict", "engine", "depth", "seconds", "reason")
        head = "".join(f"<th>{name}</th>" for name in columns)
        rows = []
        for one in self.properties:
            values = [getattr(one, name) for name in columns]
            cells = ["" if value is None else value for value in values]
            cells = [f"{value:.3f}" if isinstance(value, float) else html.escape(str(value)) for value in cells]
            rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        title = f"<p><b>{html.escape(self.input)}</b>: {self.verdict}</p>"
        return f"{title}<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


#: The endings of files of evidence.
_EVIDENCE = frozenset({".aag", ".aig", ".yml", ".yaml", ".witness"})


def overall(verdicts: list[str]) -> str:
    """The verdict of an input whose properties have these."""
    if "unsafe" in verdicts:
        return "unsafe"
    return "safe" if verdicts and all(verdict == "safe" for verdict in verdicts) else "unknown"


def of_circuit(name: str, found: list[dict[str, Any]], seconds: float) -> Report:
    """The report of a circuit that was decided in this process."""
    properties = []
    for one in found:
        values = {key: value for key, value in one.items() if key not in ("property", "trace", "certify_seconds")}
        trace = one["trace"]
        properties.append(Property(id=one["property"], trace=None if trace is None else Trace(trace), **values))
    verdict = overall([one.verdict for one in properties])
    return Report(input=name, verdict=verdict, properties=properties, seconds=seconds)


def of_command(printed: dict[str, Any]) -> Report:
    """The report of what the command has printed with ``--json``."""
    properties = []
    for one in printed.get("properties", ()):
        path = one.get("path")
        kind = {"bad": "b", "justice": "j"}.get(one["class"])
        properties.append(
            Property(
                id=f"{kind}{one['number']}" if kind else one["name"],
                name=one["name"],
                verdict=one["verdict"],
                reason=one["reason"],
                engine=one["engine"],
                phase=one["phase"],
                depth=one.get("depth"),
                loop_start=one.get("loop_start"),
                seconds=one["seconds"],
                certified=one.get("certified"),
                trace=Trace(path) if path else None,
                files=list(one["files"]),
                statistics=dict(one["statistics"]),
                details=one,
            )
        )
    return Report(
        input=printed["file"],
        verdict=printed["verdict"],
        properties=properties,
        seconds=printed["seconds"],
        in_process=False,
        details=printed,
    )


def add_evidence(found: Report, files: Mapping[str, bytes]) -> None:
    """Gives the properties of a report the files of their evidence, by the names that the command has noted."""
    for one in found.properties:
        paths = [PurePath(name) for name in one.files]
        own = [path for path in paths if path.suffix in _EVIDENCE and path.name in files]
        if own:
            one.evidence = files[own[0].name]
            one.evidence_model = files.get(f"{own[0].stem}.model{own[0].suffix}")
