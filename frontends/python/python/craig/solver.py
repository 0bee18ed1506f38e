"""A SAT solver with the calls of PySAT's solvers."""

from __future__ import annotations

import time
from typing import Any, Iterable, Iterator, NoReturn, Optional

from ._craig import Proof, SolverCore, Stopped
from .constraints import non_negative
from .propagator import Bridge


class SolverNames:
    """The names by which PySAT knows its solvers: programs written for it may keep them."""

    cadical103 = ("cd", "cd103", "cdl", "cdl103", "cadical103")
    cadical153 = ("cd15", "cd153", "cdl15", "cdl153", "cadical153")
    cadical195 = ("cd19", "cd195", "cdl19", "cdl195", "cadical195")
    cadical300 = ("cd30", "cd300", "cdl30", "cdl300", "cadical300")
    cryptosat = ("cms", "cms5", "crypto", "crypto5", "cryptominisat", "cryptominisat5")
    ergo = ("ergo",)
    gluecard3 = ("gc3", "gc30", "gluecard3", "gluecard30")
    gluecard4 = ("gc4", "gc41", "gluecard4", "gluecard41")
    glucose3 = ("g3", "g30", "glucose3", "glucose30")
    glucose4 = ("g4", "g41", "glucose4", "glucose41")
    glucose42 = ("g42", "g421", "glucose42", "glucose421")
    kissat404 = ("ks", "ks4", "kissat", "kissat4", "kissat404")
    lingeling = ("lgl", "lingeling")
    maplechrono = ("mcb", "chrono", "chronobt", "maplechrono")
    maplecm = ("mcm", "maplecm")
    maplesat = ("mpl", "maple", "maplesat")
    mergesat3 = ("mg3", "mgs3", "mergesat3", "mergesat30")
    minicard = ("mc", "mcard", "minicard")
    minisat22 = ("m22", "msat22", "minisat22")
    minisatgh = ("mgh", "msat-gh", "minisat-gh")
    minisatep = ("mep", "msat-ep", "minisat-ep", "minisatep")


_PYSAT_NAMES = frozenset(
    name for names in vars(SolverNames).values() if isinstance(names, tuple) for name in names
) | {"cadical"}


class NoSuchSolverError(NameError):
    """A name that is neither craig's nor one of ``SolverNames``."""


class Solver:
    """An incremental SAT solver. Literals are integers that are not 0, as in DIMACS.

    A program that was written for ``pysat.solvers`` imports ``craig.solvers``: names of PySAT's solvers are accepted, and all
    of them stand for the one solver of craig. What it lacks raises ``NotImplementedError``.

    >>> from craig import Solver
    >>> solver = Solver(name="g4", bootstrap_with=[[-1, 2], [-2, 3]])
    >>> solver.solve(assumptions=[1])
    True
    >>> solver.get_model()
    [1, 2, 3]
    >>> solver.solve(assumptions=[1, -3]), sorted(solver.get_core())
    (False, [-3, 1])
    >>> solver.delete()

    ``with_proof=True`` records a proof; other keywords are options of the search, such as ``seed`` and ``eliminate``.
    """

    def __init__(
        self,
        name: str = "craig",
        bootstrap_with: Optional[Iterable[Iterable[int]]] = None,
        use_timer: bool = False,
        *,
        with_proof: bool = False,
        incr: bool = False,
        warm_start: bool = False,
        **options: Any,
    ) -> None:
        if not isinstance(name, str):
            raise TypeError("name: expected the name of a solver; clauses are given as bootstrap_with=..")
        if name != "craig" and name.lower() not in _PYSAT_NAMES:
            raise NoSuchSolverError(f"there is no solver {name!r}: expected 'craig', or the name of a solver of PySAT")
        # Each solver of craig is incremental, and keeps what it has learned: these change nothing here.
        del incr, warm_start
        values = [(key, _text(value)) for key, value in options.items()]
        self._core: Optional[SolverCore] = SolverCore(with_proof, values)
        self._use_timer = use_timer
        self._seconds = 0.0
        self._all_seconds = 0.0
        self._conflicts: Optional[int] = None
        self._propagations: Optional[int] = None
        self._bridge: Optional[Bridge] = None
        self._is_active = True
        self._is_searching = False
        self._observed: set[int] = set()
        if bootstrap_with is not None:
            self.append_formula(bootstrap_with)

    def new(self, *arguments: Any, **keywords: Any) -> None:
        """Replaces the solver by a new one; the arguments are those of the class."""
        self.__init__(*arguments, **keywords)  # type: ignore[misc]

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *exception: object) -> None:
        self.delete()

    def _solver(self) -> SolverCore:
        if self._core is None:
            raise ValueError("the solver was deleted")
        return self._core

    def __copy__(self) -> Solver:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Solver:
        return self.clone()

    def __repr__(self) -> str:
        if self._core is None:
            return "<craig.Solver: deleted>"
        if self._is_searching:
            return "<craig.Solver: searching>"
        return f"<craig.Solver: {self.nof_vars()} variables, {self.nof_clauses()} clauses>"

    def delete(self) -> None:
        """Frees the solver. A search in another thread ends, as by ``interrupt``."""
        if self._core is not None:
            self._core.interrupt()
        self._core = None

    def add_clause(self, clause: Iterable[int], no_return: bool = True) -> Optional[bool]:
        """Adds a clause. With ``no_return=False``, returns ``False`` if the clauses are known to contradict each other."""
        self._solver().add_clause(list(clause))
        return None if no_return else self._is_open()

    def append_formula(self, formula: Iterable[Iterable[int]], no_return: bool = True) -> Optional[bool]:
        """Adds clauses: a list, or a formula of PySAT. If one has a number that is no literal, none is added."""
        if isinstance(formula, (str, bytes)):
            raise TypeError("expected lists of literals: craig.formula.CNF(from_file=.., from_string=..) reads DIMACS")
        # PySAT's formulas with operators have further clauses than `clauses`: iteration gives all. Where there are cardinality constraints,
        # it gives these, too.
        given: Any = formula
        clauses = given.clauses if hasattr(given, "atmosts") else given
        self._solver().append_formula([list(clause) for clause in clauses])
        for atmost in getattr(formula, "atmosts", None) or ():
            self.add_atmost(*atmost)
        return None if no_return else self._is_open()

    def _is_open(self) -> bool:
        """Whether the clauses are not known to contradict each other: by an earlier search, or by unit propagation."""
        solver = self._solver()
        return not solver.is_inconsistent() and solver.propagate([])[0]

    def solve(self, assumptions: Iterable[int] = ()) -> bool:
        """Whether there is a model in which the assumptions are true.

        Limits and an earlier ``interrupt`` do not apply. Ctrl-C and an ``interrupt`` during the search end it.
        """
        solver = self._solver()
        solver.clear_interrupt()
        answer = self._timed(assumptions, None, None)
        if answer is None:
            raise Stopped("the search was interrupted: solve_limited() returns None then")
        return answer

    def solve_limited(self, assumptions: Iterable[int] = (), expect_interrupt: bool = False) -> Optional[bool]:
        """As ``solve``, within the budgets; ``None`` if one is used up, or after ``interrupt``.

        Searches can always be interrupted: ``expect_interrupt`` is there for programs written for PySAT.
        """
        del expect_interrupt
        conflicts, propagations = self._conflicts, self._propagations
        self._conflicts = self._propagations = None
        return self._timed(assumptions, conflicts, propagations)

    def _timed(
        self, assumptions: Iterable[int], conflicts: Optional[int], propagations: Optional[int]
    ) -> Optional[bool]:
        begin = time.perf_counter()
        self._is_searching = True
        try:
            return self._solver().search(list(assumptions), conflicts=conflicts, propagations=propagations)
        finally:
            self._seconds = time.perf_counter() - begin
            self._all_seconds += self._seconds
            self._is_searching = False
            if self._bridge is not None:
                self._bridge.finish()

    def conf_budget(self, budget: int = -1) -> None:
        """Limits the conflicts of the next ``solve_limited``; 0 and less is no limit."""
        self._conflicts = budget if budget > 0 else None

    def prop_budget(self, budget: int = -1) -> None:
        """Limits the propagations of the next ``solve_limited``; 0 and less is no limit."""
        self._propagations = budget if budget > 0 else None

    def dec_budget(self, budget: int) -> NoReturn:
        """Not supported."""
        self._lacks("a limit on decisions", "conf_budget() and prop_budget() limit conflicts and propagations")

    def interrupt(self) -> None:
        """Ends a search in another thread, and each later ``solve_limited`` until ``clear_interrupt``."""
        self._solver().interrupt()

    def clear_interrupt(self) -> None:
        """Allows searches after ``interrupt``."""
        self._solver().clear_interrupt()

    def get_status(self) -> Optional[bool]:
        """The last answer."""
        return self._solver().get_status()

    def get_model(self) -> Optional[list[int]]:
        """A literal of each variable, if the last answer was ``True``."""
        return self._solver().get_model()

    def get_core(self) -> Optional[list[int]]:
        """Assumptions that can't hold together, if the last answer was ``False``."""
        return self._solver().get_core()

    def get_proof(self) -> Optional[list[str]]:
        """The lines of a proof in DRAT, if the last answer was ``False`` and proofs are recorded.

        Assumptions that have failed are clauses of what it refutes: ``proof().clauses`` has them at the end.
        """
        if not self._solver().has_proof() or self.get_status() is not False:
            return None
        return self.proof().to_bytes("drat").decode().splitlines()

    def proof(self) -> Proof:
        """The refutation as an object, after the answer ``False`` of a solver ``with_proof=True``.

        >>> solver = Solver(bootstrap_with=[[1, 2], [-1, 2], [1, -2], [-1, -2], [3]], with_proof=True)
        >>> solver.solve()
        False
        >>> proof = solver.proof()
        >>> proof.check()
        >>> proof.core
        [0, 1, 2, 3]
        """
        return self._solver().proof()

    def set_phases(self, literals: Iterable[int] = (), hard: bool = False) -> None:
        """Sets the values that variables are tried at first. ``hard`` changes nothing, as in PySAT."""
        del hard
        self._solver().set_phases(list(literals))

    def nof_vars(self) -> int:
        """The number of variables."""
        return self._solver().nof_vars()

    def nof_clauses(self) -> int:
        """The number of clauses that were added."""
        return self._solver().nof_clauses()

    def accum_stats(self) -> dict[str, int]:
        """Restarts, conflicts, decisions and propagations so far."""
        counters = self._solver().statistics()
        return {name: counters[name] for name in ("restarts", "conflicts", "decisions", "propagations")}

    def statistics(self) -> dict[str, int]:
        """All counters of the search."""
        return self._solver().statistics()

    def time(self) -> float:
        """The seconds of the last search; with ``use_timer=True``."""
        return self._timer(self._seconds)

    def time_accum(self) -> float:
        """The seconds of all searches; with ``use_timer=True``."""
        return self._timer(self._all_seconds)

    def _timer(self, seconds: float) -> float:
        if not self._use_timer:
            raise ValueError("the solver was made without use_timer=True")
        return seconds

    def enum_models(
        self, assumptions: Iterable[int] = (), projection: Iterable[int] = ()
    ) -> Iterator[list[int]]:
        """All models, or what they say of the variables in ``projection``. Each is excluded by a clause that stays in the solver.

        >>> [model for model in Solver(bootstrap_with=[[1, 2], [-1, -2]]).enum_models(assumptions=[1])]
        [[1, -2]]
        """
        assumed, variables = list(assumptions), list(projection)
        if len(set(variables)) < len(variables) or any(variable <= 0 for variable in variables):
            raise ValueError("projection: expected different variables, numbers above 0")
        while self.solve(assumed):
            model = self.get_model()
            assert model is not None
            if variables:
                if max(variables) > len(model):
                    raise ValueError(f"projection: there are {len(model)} variables, and none with number {max(variables)}")
                model = [model[variable - 1] for variable in variables]
            yield model
            self.add_clause([-literal for literal in model])

    def clone(self) -> Solver:
        """A copy with the same clauses, learned ones included."""
        copy = Solver(use_timer=self._use_timer)
        copy._core = self._solver().clone()
        return copy

    def propagate(self, assumptions: Iterable[int] = (), phase_saving: int = 0) -> tuple[bool, list[int]]:
        """What follows from assumptions by unit propagation over the clauses that were added: whether there is no contradiction, and
        the literals, assumptions included, without those that follow from no assumption. ``phase_saving`` changes nothing.

        >>> Solver(bootstrap_with=[[-1, 2], [-2, 3]]).propagate([1])
        (True, [1, 2, 3])
        """
        del phase_saving
        return self._solver().propagate(list(assumptions))

    def connect_propagator(self, propagator: Any) -> None:
        """Connects a propagator: an object with the methods of :class:`craig.propagator.Propagator`, or one of PySAT's.

        Its clauses stay in the solver. A solver ``with_proof=True`` has none.
        """
        if self._bridge is not None:
            raise ValueError("the solver has a propagator: disconnect_propagator() takes it back")
        self._is_active = not getattr(propagator, "is_lazy", False)
        bridge = Bridge(propagator, lambda: self._is_active)
        self._solver().set_propagator(bridge, [])
        self._bridge = bridge
        self._observed.clear()

    def disconnect_propagator(self) -> None:
        """Takes the propagator back, and forgets what it observes."""
        self._solver().set_propagator(None)
        self._bridge = None
        self._observed.clear()

    def enable_propagator(self) -> None:
        """The propagator is asked for decisions and clauses again."""
        self._connected()
        self._is_active = True

    def disable_propagator(self) -> None:
        """The propagator only hears of assignments, and checks models."""
        self._connected()
        self._is_active = False

    def propagator_active(self) -> bool:
        """Whether it is enabled."""
        self._connected()
        return self._is_active

    def observe(self, var: int) -> None:
        """The propagator hears of a variable, in searches that begin later."""
        if var <= 0:
            raise ValueError(f"observe({var}): expected the number of a variable")
        self._set_observed(self._observed | {var})

    def ignore(self, var: int) -> None:
        """The propagator does not hear of a variable any more."""
        self._set_observed(self._observed - {var})

    def reset_observed(self) -> None:
        """The propagator hears of no variable any more."""
        self._set_observed(set())

    def _set_observed(self, variables: set[int]) -> None:
        bridge = self._connected()
        if self._is_searching:
            raise ValueError("what a propagator observes may change between searches only")
        self._solver().set_propagator(bridge, sorted(variables))
        self._observed = variables

    def _connected(self) -> Bridge:
        if self._bridge is None:
            raise ValueError("the solver has no propagator")
        return self._bridge

    def start_mode(self, warm: bool = False) -> None:
        """There for programs written for PySAT: a solver always goes on with what it has learned."""

    def add_atmost(
        self, lits: Iterable[int], k: int, weights: Iterable[int] = (), no_return: bool = True
    ) -> Optional[bool]:
        """At most ``k`` of the literals are true, or the sum of their weights is at most ``k``.

        The constraint becomes clauses with variables that are not shown. A solver ``with_proof=True``, or with a propagator, has none:
        :mod:`craig.card` makes clauses with variables that have numbers.

        >>> with Solver(bootstrap_with=[[1, 2, 3]]) as solver:
        ...     solver.add_atmost([1, 2, 3], 1)
        ...     solver.solve([1]), solver.solve([1, 2]), solver.nof_vars()
        (True, False, 3)
        """
        literals, given = list(lits), list(weights)
        literals, given, bound = non_negative(literals, given or [1] * len(literals), k)
        if bound < 0:
            self._solver().add_clause([])
        else:
            self._solver().add_at_most(literals, given, bound)
        return None if no_return else self._is_open()

    def add_xor_clause(self, lits: Iterable[int], value: bool = True) -> None:
        """The exclusive or of the literals is ``value``: an odd number of them is true, or an even one. As :meth:`add_atmost`.

        >>> with Solver() as solver:
        ...     solver.add_xor_clause([1, 2, 3])
        ...     solver.solve([1, 2]), solver.get_model(), solver.solve([1, 2, -3])
        (True, [1, 2, 3], False)
        """
        self._solver().add_parity(list(lits), value)

    def supports_atmost(self) -> bool:
        """Whether there are cardinality constraints."""
        return True

    def activate_atmost(self) -> None:
        """There for programs written for PySAT."""

    def _lacks(self, what: str, instead: str) -> NoReturn:
        raise NotImplementedError(f"craig's solver has no {what}: {instead}")


def _refusal(name: str, what: str, instead: str) -> Any:
    """A method that raises the error about what there is not."""

    def refuse(self: Solver, *arguments: Any, **keywords: Any) -> NoReturn:
        self._lacks(what, instead)

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Not supported: there are no {what}."
    return refuse


#: Calls of PySAT's solvers for which there is nothing in craig's: what they are about, and what to do instead.
_LACKING = [
    (
        "is_decision attach_vpool sync_vpool sync_vars",
        "such questions about a search",
        "a propagator hears of levels and assignments",
    ),
    ("configure", "options that change later", "give them when the solver is made"),
    ("get_activities set_activities flip_bits apply_jw", "activities to be read or set", "set_phases() sets values"),
]
for _names, _what, _instead in _LACKING:
    for _name in _names.split():
        setattr(Solver, _name, _refusal(_name, _what, _instead))


def _text(value: Any) -> str:
    """An option's value as the solver reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
