"""The names of ``pysat.solvers``: a program for PySAT says ``from craig.solvers import ...``, and changes nothing else.

Each class is the one solver of craig.

>>> from craig.solvers import Glucose4, SolverNames
>>> with Glucose4(bootstrap_with=[[-1, 2], [1]]) as solver:
...     solver.solve(), solver.get_model()
(True, [1, 2])
>>> "g4" in SolverNames.glucose4
True
"""

from __future__ import annotations

from typing import Any, Iterable, Optional

from .solver import NoSuchSolverError, Solver, SolverNames

__all__ = [
    "Cadical103",
    "Cadical153",
    "Cadical195",
    "Cadical300",
    "CryptoMinisat",
    "Ergo",
    "Gluecard3",
    "Gluecard4",
    "Glucose3",
    "Glucose4",
    "Glucose42",
    "Kissat404",
    "Lingeling",
    "MapleCM",
    "MapleChrono",
    "Maplesat",
    "Mergesat3",
    "Minicard",
    "Minisat22",
    "MinisatEP",
    "MinisatGH",
    "NoSuchSolverError",
    "Solver",
    "SolverNames",
]


class _Named(Solver):
    """As ``craig.Solver``, whose name is that of the class."""

    def __init__(
        self, bootstrap_with: Optional[Iterable[Iterable[int]]] = None, use_timer: bool = False, **options: Any
    ) -> None:
        super().__init__(bootstrap_with=bootstrap_with, use_timer=use_timer, **options)


class Cadical103(_Named):
    __doc__ = _Named.__doc__


class Cadical153(_Named):
    __doc__ = _Named.__doc__


class Cadical195(_Named):
    __doc__ = _Named.__doc__


class Cadical300(_Named):
    __doc__ = _Named.__doc__


class CryptoMinisat(_Named):
    __doc__ = _Named.__doc__


class Ergo(_Named):
    __doc__ = _Named.__doc__


class Gluecard3(_Named):
    __doc__ = _Named.__doc__


class Gluecard4(_Named):
    __doc__ = _Named.__doc__


class Glucose3(_Named):
    __doc__ = _Named.__doc__


class Glucose4(_Named):
    __doc__ = _Named.__doc__


class Glucose42(_Named):
    __doc__ = _Named.__doc__


class Kissat404(_Named):
    __doc__ = _Named.__doc__


class Lingeling(_Named):
    __doc__ = _Named.__doc__


class MapleCM(_Named):
    __doc__ = _Named.__doc__


class MapleChrono(_Named):
    __doc__ = _Named.__doc__


class Maplesat(_Named):
    __doc__ = _Named.__doc__


class Mergesat3(_Named):
    __doc__ = _Named.__doc__


class Minicard(_Named):
    __doc__ = _Named.__doc__


class Minisat22(_Named):
    __doc__ = _Named.__doc__


class MinisatEP(_Named):
    __doc__ = _Named.__doc__


class MinisatGH(_Named):
    __doc__ = _Named.__doc__
