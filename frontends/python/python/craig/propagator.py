"""Constraints of users, stated by clauses during the search (IPASIR-UP, Fazekas et al., SAT 2023), with PySAT's interface."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Optional

from ._craig import Error


class Propagator:
    """The base of propagators: as ``pysat.engines.Propagator``, whose subclasses do as well.

    It is connected by :meth:`craig.Solver.connect_propagator`, and hears of the variables that :meth:`craig.Solver.observe` names.

    >>> from craig import Solver
    >>> class NotBoth(Propagator):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.clauses = []
    ...     def check_model(self, model):
    ...         if model[0] > 0 and model[1] > 0:
    ...             self.clauses.append([-1, -2])
    ...         return not self.clauses
    ...     def add_clause(self):
    ...         return self.clauses.pop() if self.clauses else []
    >>> solver = Solver(bootstrap_with=[[1, 2], [1, -2]])
    >>> solver.connect_propagator(NotBoth())
    >>> solver.observe(1), solver.observe(2)
    (None, None)
    >>> solver.solve(), solver.get_model()
    (True, [1, -2])
    """

    def __init__(self) -> None:
        #: Whether only whole assignments are checked. It is asked when the propagator is connected.
        self.is_lazy = False

    def on_assignment(self, lit: int, fixed: bool = False) -> None:
        """A literal has become true; for good, if it is ``fixed``."""

    def on_new_level(self) -> None:
        """A level of decisions begins."""

    def on_backtrack(self, to: int) -> None:
        """The levels above ``to`` are undone."""

    def check_model(self, model: list[int]) -> bool:
        """Whether the constraint holds, where ``model`` has a literal of each observed variable. If not, ``add_clause`` is asked for
        a clause that says so."""
        return True

    def decide(self) -> int:
        """The next decision, or 0."""
        return 0

    def propagate(self) -> list[int]:
        """Literals that follow; :meth:`provide_reason` is asked for the reason of each at once."""
        return []

    def provide_reason(self, lit: int) -> list[int]:
        """A clause of the constraint with ``lit``, whose other literals are false."""
        raise NotImplementedError("a propagator whose propagate() returns literals has provide_reason()")

    def add_clause(self) -> list[int]:
        """A clause of the constraint; ``[]`` if there is none, or, where there is a method ``has_clause``, the empty clause."""
        return []


class Bridge:
    """What the solver asks (``SolverCore.set_propagator``), on top of a propagator with PySAT's methods."""

    def __init__(self, propagator: Any, is_active: Callable[[], bool]) -> None:
        self._propagator = propagator
        self._is_active = is_active
        #: The literals that are true at level 0, also of earlier searches, and at all levels.
        self._fixed: set[int] = set()
        self._trail: list[int] = []
        self._starts: list[int] = []
        #: Clauses that were propagated together, and are not given yet.
        self._pending: list[list[int]] = []
        #: What was given since anything was assigned: it is not given again.
        self._given: set[tuple[int, ...]] = set()

    def assigned(self, literals: list[int]) -> None:
        """Literals have become true."""
        self._given.clear()
        for literal in literals:
            if not self._starts:
                if literal in self._fixed:
                    continue
                self._fixed.add(literal)
            self._trail.append(literal)
            self._propagator.on_assignment(literal, not self._starts)

    def new_level(self) -> None:
        """A level begins."""
        self._starts.append(len(self._trail))
        self._propagator.on_new_level()

    def backtracked(self, level: int) -> None:
        """Levels are undone."""
        self._given.clear()
        if level < len(self._starts):
            del self._trail[self._starts[level] :]
            del self._starts[level:]
        self._propagator.on_backtrack(level)

    def finish(self) -> None:
        """The search has ended, and all its levels with it."""
        self._pending.clear()
        if self._starts:
            self.backtracked(0)

    def decide(self) -> int:
        """The next decision, or 0."""
        return int(self._propagator.decide() or 0) if self._is_active() else 0

    def clause(self) -> Optional[list[int]]:
        """The next clause."""
        if not self._is_active():
            return None
        if not self._pending:
            true = set(self._trail)
            for literal in self._propagator.propagate() or ():
                if literal not in true:
                    # Now: after other assignments, it may not know the reason any more.
                    self._pending.append(list(self._propagator.provide_reason(literal)))
        while self._pending:
            found = self._new(self._pending.pop(0))
            if found is not None:
                return found
        return self._new(self._external())

    def check(self, model: list[int]) -> list[list[int]]:
        """Clauses that a model violates."""
        if self._propagator.check_model(model):
            return []
        found = self._external()
        if found is None:
            raise Error("the propagator's check_model() has returned False, and add_clause() has no clause")
        return [found]

    def _external(self) -> Optional[list[int]]:
        """A clause that the propagator adds."""
        has_clause = getattr(self._propagator, "has_clause", None)
        if has_clause is not None:
            return list(self._propagator.add_clause()) if has_clause() else None
        found: Iterable[int] = self._propagator.add_clause() or ()
        return list(found) or None

    def _new(self, clause: Optional[list[int]]) -> Optional[list[int]]:
        """A clause, unless it was given already."""
        if clause is None or tuple(clause) in self._given:
            return None
        self._given.add(tuple(clause))
        return clause
