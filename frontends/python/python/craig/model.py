"""Circuits, built from Python's operators."""

from __future__ import annotations

import os
import time as clock
from pathlib import Path
from typing import IO, Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from . import report
from ._craig import Circuit, Expression, unroll
from ._craig import check as check_circuit
from .interpolation import interpolants

#: A path, the bytes of a circuit, or an open file with them.
Source = Union[str, Path, bytes, IO[Any]]
#: What stands for a signal: one of a model, or a constant.
BitLike = Union["Bit", bool, int]
#: What stands for a word: one of a model, or a number.
WordLike = Union["Word", int]


class Bit:
    """A signal of a model: ``&``, ``|``, ``^`` and ``~`` make gates."""

    __slots__ = ("code", "model")

    def __init__(self, model: Model, code: int) -> None:
        self.model = model
        self.code = code

    def _with(self, other: BitLike) -> Bit:
        return self.model.bit(other)

    def __invert__(self) -> Bit:
        return Bit(self.model, self.code ^ 1)

    def __and__(self, other: BitLike) -> Bit:
        return Bit(self.model, self.model._circuit.and_(self.code, self._with(other).code))

    def __or__(self, other: BitLike) -> Bit:
        return ~(~self & ~self._with(other))

    def __xor__(self, other: BitLike) -> Bit:
        return Bit(self.model, self.model._circuit.xor(self.code, self._with(other).code))

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def implies(self, other: BitLike) -> Bit:
        """Whether the other is true if this is."""
        return ~self | other

    def ite(self, then: BitLike, otherwise: BitLike) -> Bit:
        """``then`` where this is true, else ``otherwise``."""
        codes = (self.code, self._with(then).code, self._with(otherwise).code)
        return Bit(self.model, self.model._circuit.ite(*codes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bit) and self.model is other.model and self.code == other.code

    def __hash__(self) -> int:
        return hash((id(self.model), self.code))

    def __bool__(self) -> bool:
        raise TypeError("a signal has no value: use `&`, `|`, `~` instead of `and`, `or`, `not`, and ite() instead of `if`")

    def __repr__(self) -> str:
        return f"<craig.Bit {self.code}>"


class Word:
    """Signals as a number without sign, the lowest bit first. Arithmetic wraps around.

    ``+``, ``-``, ``*``, ``&``, ``|``, ``^``, ``~``, ``<<`` and ``>>`` by a constant, slices, and the comparisons ``eq``,
    ``ne``, ``lt``, ``le`` (without sign).
    """

    __slots__ = ("bits", "model")

    def __init__(self, model: Model, bits: Iterable[Bit]) -> None:
        self.model = model
        self.bits = list(bits)

    def __len__(self) -> int:
        return len(self.bits)

    def __getitem__(self, key: Union[int, slice]) -> Any:
        if isinstance(key, slice):
            return Word(self.model, self.bits[key])
        return self.bits[key]

    def __iter__(self) -> Any:
        return iter(self.bits)

    def _with(self, other: WordLike) -> list[Bit]:
        if isinstance(other, Word):
            if len(other) != len(self):
                raise ValueError(f"words of {len(self)} and {len(other)} bits")
            return other.bits
        return self.model.constant(other, len(self)).bits

    def _each(self, other: WordLike, gate: Callable[[Bit, Bit], Bit]) -> Word:
        return Word(self.model, map(gate, self.bits, self._with(other)))

    def __and__(self, other: WordLike) -> Word:
        return self._each(other, lambda left, right: left & right)

    def __or__(self, other: WordLike) -> Word:
        return self._each(other, lambda left, right: left | right)

    def __xor__(self, other: WordLike) -> Word:
        return self._each(other, lambda left, right: left ^ right)

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def __invert__(self) -> Word:
        return Word(self.model, (~bit for bit in self.bits))

    def _sum(self, others: list[Bit], carry: Bit) -> tuple[Word, Bit]:
        sums = []
        for left, right in zip(self.bits, others):
            half = left ^ right
            sums.append(half ^ carry)
            carry = (left & right) | (half & carry)
        return Word(self.model, sums), carry

    def __add__(self, other: WordLike) -> Word:
        return self._sum(self._with(other), self.model.false)[0]

    __radd__ = __add__

    def __sub__(self, other: WordLike) -> Word:
        return self._sum([~bit for bit in self._with(other)], self.model.true)[0]

    def __rsub__(self, other: int) -> Word:
        return self.model.constant(other, len(self)) - self

    def __neg__(self) -> Word:
        return 0 - self

    def __mul__(self, other: WordLike) -> Word:
        total = self.model.constant(0, len(self))
        for place, bit in enumerate(self._with(other)):
            total = total + Word(self.model, [bit & other for other in (self << place).bits])
        return total

    __rmul__ = __mul__

    def __lshift__(self, by: int) -> Word:
        zeros = [self.model.false] * min(by, len(self))
        return Word(self.model, (zeros + self.bits)[: len(self)])

    def __rshift__(self, by: int) -> Word:
        zeros = [self.model.false] * min(by, len(self))
        return Word(self.model, self.bits[by:] + zeros)

    def eq(self, other: WordLike) -> Bit:
        """Whether both are the same number."""
        return ~self.ne(other)

    def ne(self, other: WordLike) -> Bit:
        """Whether they are different numbers."""
        different = self.model.false
        for left, right in zip(self.bits, self._with(other)):
            different = different | (left ^ right)
        return different

    def lt(self, other: WordLike) -> Bit:
        """Whether it is smaller, without sign."""
        return ~self._sum([~bit for bit in self._with(other)], self.model.true)[1]

    def le(self, other: WordLike) -> Bit:
        """Whether it is not greater, without sign."""
        return ~Word(self.model, self._with(other)).lt(self)

    def gt(self, other: WordLike) -> Bit:
        """Whether it is greater, without sign."""
        return ~self.le(other)

    def ge(self, other: WordLike) -> Bit:
        """Whether it is not smaller, without sign."""
        return ~self.lt(other)

    def __repr__(self) -> str:
        return f"<craig.Word of {len(self)} bits>"


class Model:
    """A circuit: inputs, latches, gates, bads and constraints.

    A counter that an input stops can't pass its limit:

    >>> from craig import Model
    >>> model = Model("counter")
    >>> count, enable = model.latches("count", 4), model.input("enable")
    >>> model.next(count, model.ite(enable & count.lt(9), count + 1, count))
    >>> model.bad(count.eq(10), "ten")
    0
    >>> model.bad(count.eq(2), "two")
    1
    >>> report = model.check()
    >>> report["ten"].verdict, report["two"].verdict, len(report["two"].trace)
    ('safe', 'unsafe', 3)
    >>> report["two"].trace[-1]["state"]
    {'count[0]': 0, 'count[1]': 1, 'count[2]': 0, 'count[3]': 0}
    """

    def __init__(self, name: str = "model") -> None:
        self.name = name
        self._circuit = Circuit()

    @classmethod
    def _of(cls, circuit: Circuit, name: str) -> Model:
        model = cls(name)
        model._circuit = circuit
        return model

    @classmethod
    def from_aiger(cls, source: Source, name: Optional[str] = None) -> Model:
        """Reads a circuit in AIGER: the bytes of one, the path of a file, or an open file."""
        data, name = _read(source, name)
        return cls._of(Circuit.from_aiger(data, name), name)

    @classmethod
    def from_btor2(cls, source: Source, name: Optional[str] = None) -> Model:
        """Reads a circuit in BTOR2. Its signals are bits as soon as it is changed."""
        data, name = _read(source, name)
        return cls._of(Circuit.from_btor2(data, name), name)

    def to_aiger(self, *, binary: bool = False) -> bytes:
        """The circuit in AIGER."""
        return self._circuit.to_aiger(binary)

    def to_btor2(self) -> bytes:
        """The circuit in BTOR2: as it was read, or with words of one bit."""
        return self._circuit.to_btor2()

    @property
    def false(self) -> Bit:
        """The constant 0."""
        return Bit(self, 0)

    @property
    def true(self) -> Bit:
        """The constant 1."""
        return Bit(self, 1)

    def bit(self, value: BitLike) -> Bit:
        """The signal of a constant; a signal of this model itself."""
        if isinstance(value, Bit):
            if value.model is not self:
                raise ValueError("a signal of another model")
            return value
        if value not in (0, 1):
            raise ValueError(f"{value!r} is no signal: expected a Bit, 0 or 1")
        return self.true if value else self.false

    def constant(self, value: int, width: int) -> Word:
        """A number as a word."""
        if not -(1 << width) < value < 1 << width:
            raise ValueError(f"{value} does not fit in {width} bits")
        return Word(self, (self.bit(value >> place & 1) for place in range(width)))

    def word(self, bits: Iterable[BitLike]) -> Word:
        """Signals as a word, the lowest bit first."""
        return Word(self, map(self.bit, bits))

    def input(self, name: str = "") -> Bit:
        """A new input."""
        return Bit(self, self._circuit.add_input(name))

    def inputs(self, name: str, width: int) -> Word:
        """A word of new inputs, named ``name[0]`` and so on."""
        return Word(self, [self.input(f"{name}[{place}]") for place in range(width)])

    def latch(self, name: str = "", init: Optional[BitLike] = 0) -> Bit:
        """A new latch, which keeps its value until ``next`` says otherwise; with ``init=None`` it starts at either value."""
        first = None if init is None else bool(init)
        return Bit(self, self._circuit.add_latch(name, first))

    def latches(self, name: str, width: int, init: Optional[int] = 0) -> Word:
        """A word of new latches; with ``init=None`` it starts at any value."""
        if init is not None and not 0 <= init < 1 << width:
            raise ValueError(f"init={init} does not fit in {width} bits")
        first = [None if init is None else init >> place & 1 for place in range(width)]
        return Word(self, [self.latch(f"{name}[{place}]", one) for place, one in enumerate(first)])

    def next(self, latch: Union[Bit, Word], value: Union[BitLike, WordLike]) -> None:
        """Sets the value of a latch, or of a word of latches, one step later."""
        if isinstance(latch, Word):
            for one, bit in zip(latch.bits, latch._with(value)):  # type: ignore[arg-type]
                self._circuit.set_next(one.code, bit.code)
        else:
            self._circuit.set_next(latch.code, self.bit(value).code)  # type: ignore[arg-type]

    def ite(self, condition: BitLike, then: Any, otherwise: Any) -> Any:
        """``then`` where the condition holds, else ``otherwise``: two signals, or two words of which one may be a number."""
        condition = self.bit(condition)
        if not isinstance(then, Word) and not isinstance(otherwise, Word):
            return condition.ite(then, otherwise)
        if not isinstance(then, Word):
            then = Word(self, otherwise._with(then))
        return then._each(otherwise, condition.ite)

    def bad(self, signal: BitLike, name: str = "") -> int:
        """Adds a bad: the signal must never be true. Returns its number."""
        return self._circuit.add_bad(self.bit(signal).code, name)

    def constraint(self, signal: BitLike, name: str = "") -> None:
        """Adds a constraint: only steps count in which the signal is true."""
        self._circuit.add_constraint(self.bit(signal).code, name)

    def justice(self, signals: Sequence[BitLike], name: str = "") -> int:
        """Adds a justice property: not all signals are true infinitely often. Returns its number."""
        return self._circuit.add_justice([self.bit(signal).code for signal in signals], name)

    def fairness(self, signal: BitLike, name: str = "") -> None:
        """Adds a fairness constraint of justice properties: the signal is true infinitely often."""
        self._circuit.add_fairness(self.bit(signal).code, name)

    def signals(self) -> dict[str, list[Bit]]:
        """The signals of inputs, latches and bads."""
        circuit = self._circuit
        codes = {"inputs": circuit.inputs(), "latches": circuit.latches(), "bads": circuit.bads()}
        return {kind: [Bit(self, code) for code in each] for kind, each in codes.items()}

    def names(self) -> dict[str, list[str]]:
        """The names of inputs, latches and bads."""
        return dict(zip(("inputs", "latches", "bads"), self._circuit.names()))

    def simulate(
        self, inputs: Sequence[Union[Mapping[str, BitLike], Sequence[BitLike]]], initial: Optional[Mapping[str, BitLike]] = None
    ) -> report.Trace:
        """The steps of a run. Inputs of a step are by name (those that are missing are 0), or a value for each.

        >>> model = Model()
        >>> toggle = model.latch("toggle")
        >>> model.next(toggle, toggle ^ model.input("flip"))
        >>> [step["state"]["toggle"] for step in model.simulate([{"flip": 1}, {}, {"flip": 1}])]
        [0, 1, 1]
        """
        names = self.names()
        steps = [_values(one, names["inputs"], f"step {step}") for step, one in enumerate(inputs)]
        first: list[Optional[bool]] = [None] * len(names["latches"])
        for name, value in (initial or {}).items():
            first[_place(name, names["latches"], "initial")] = bool(value)
        trace = report.Trace()
        for step, (latches, given, constraints, bads) in enumerate(self._circuit.simulate(first, steps)):
            trace.append(
                {
                    "step": step,
                    "state": dict(zip(names["latches"], map(int, latches))),
                    "inputs": dict(zip(names["inputs"], map(int, given))),
                    "constraints": constraints,
                    "bads": bads,
                }
            )
        return trace

    def check(
        self,
        properties: Optional[Sequence[str]] = None,
        *,
        engine: str = "portfolio",
        threads: Optional[int] = None,
        seed: int = 0,
        max_depth: Optional[int] = None,
        time: Optional[float] = None,
        progress: Optional[Callable[[str], object]] = None,
        cancelled: Optional[Callable[[], bool]] = None,
    ) -> report.Report:
        """Decides all properties, or some (``"b0"``, ``"j1"``), in this process. Evidence is checked before it returns.

        ``engine`` is a name of ``craig engines``, with options as in ``"pdr:max-depth=20"``. ``progress`` is called with lines
        about what the engines do; an exception in it ends the search, and so does Ctrl-C. Once ``cancelled`` returns true,
        the search ends with the exception ``Stopped``.
        """
        begin = clock.perf_counter()
        for option, value, kind in (("time", time, (int, float)), ("threads", threads, int), ("max_depth", max_depth, int)):
            if value is not None and not isinstance(value, kind):
                raise TypeError(f"{option}={value!r}: expected a number")
        asked = {
            "properties": None if properties is None else list(properties),
            "engine": engine,
            "threads": threads,
            "seed": seed,
            "max_depth": max_depth,
            "time": time,
            "progress": progress,
            "cancelled": cancelled,
        }
        found = check_circuit(self._circuit, asked)
        return report.of_circuit(self.name, found, clock.perf_counter() - begin)

    def unroll(self, bound: int, property: int = 0) -> Unrolling:
        """The clauses that a bad holds in step ``bound``, in a part for each step."""
        return Unrolling(self, bound, property)

    def __repr__(self) -> str:
        inputs, latches, gates, bads, constraints, justice, _ = self._circuit.counts()
        properties = f"{bads} bads, {constraints} constraints, {justice} justice properties"
        return f"<craig.Model {self.name!r}: {inputs} inputs, {latches} latches, {gates} gates, {properties}>"


class Unrolling:
    """The steps of a circuit as clauses. Two successive parts share the variables of the latches between them.

    >>> model = Model()
    >>> first, second = model.latch("first"), model.latch("second")
    >>> model.next(second, first)
    >>> model.bad(second)
    0
    >>> unrolling = model.unroll(2)
    >>> [unrolling.describe(formula) for formula in unrolling.interpolants()]
    ['~first@1', '~second@2']
    """

    def __init__(self, model: Model, bound: int, property: int) -> None:
        self.clauses, self.part_of_clause, latches, inputs = unroll(model._circuit, property, bound)
        names = model.names()
        #: The name of each variable of a latch or an input: ``NAME@STEP``.
        self.names: dict[int, str] = {}
        for kind, steps in (("latches", latches), ("inputs", inputs)):
            for step, variables in enumerate(steps):
                self.names.update((var, f"{name}@{step}") for var, name in zip(variables, names[kind]))

    @property
    def parts(self) -> list[list[list[int]]]:
        """The clauses of each step."""
        parts: list[list[list[int]]] = [[] for _ in range(self.part_of_clause[-1] + 1)] if self.clauses else []
        for clause, part in zip(self.clauses, self.part_of_clause):
            parts[part].append(clause)
        return parts

    def interpolants(self, **options: Any) -> list[Expression]:
        """Interpolants between the steps (``craig.interpolants`` has the options). If the bad holds in the last step, the
        exception ``Satisfiable`` has the run as a model."""
        return interpolants(self.parts, **options)

    def describe(self, formula: Expression) -> str:
        """The text of a formula with the names of latches."""
        text = str(formula)
        if text.startswith("<"):
            return text
        words = text.replace("(", "( ").replace(")", " )").split()
        named = [_named(word, self.names) for word in words]
        return " ".join(named).replace("( ", "(").replace(" )", ")")


def _named(word: str, names: Mapping[int, str]) -> str:
    """A word of a formula: a literal by its name."""
    if not word.lstrip("-").isdigit():
        return word
    name = names.get(abs(int(word)), word.lstrip("-"))
    return f"~{name}" if word.startswith("-") else name


def content(source: Source) -> Union[str, bytes]:
    """The bytes of a source that has them, or its path."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if "\n" in path:
            raise TypeError("expected a path, or the content as bytes and not as text")
        return path
    read = getattr(source, "read", None)
    found = source if read is None else read()
    if isinstance(found, str):
        return found.encode()
    if not isinstance(found, (bytes, bytearray, memoryview)):
        raise TypeError(f"expected a path, bytes or an open file, not {type(source).__name__}")
    return bytes(found)


def _read(source: Source, name: Optional[str]) -> tuple[bytes, str]:
    found = content(source)
    if isinstance(found, str):
        return Path(found).read_bytes(), name or found
    return found, name or str(getattr(source, "name", "circuit"))


def _place(name: str, names: list[str], where: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        known = ", ".join(names[:20])
        raise ValueError(f"{where}: there is no {name!r}: expected one of {known}") from None


def _values(given: Union[Mapping[str, BitLike], Sequence[BitLike]], names: list[str], where: str) -> list[bool]:
    """The value of each input in a step."""
    if not isinstance(given, Mapping):
        return [bool(value) for value in given]
    values = [False] * len(names)
    for name, value in given.items():
        values[_place(name, names, where)] = bool(value)
    return values
