"""craig: a SAT solver with proofs, Craig interpolants, and model checking with evidence.

>>> import craig
>>> with craig.Solver(bootstrap_with=[[1, 2], [-1, 2]]) as solver:
...     solver.solve(assumptions=[-2]), solver.get_core()
(False, [-2])

``Solver`` has the calls of PySAT's solvers, ``interpolants`` and ``Proof`` are about refutations, ``Model`` about circuits,
and ``check`` decides files: circuits, designs in Verilog and C programs.
"""

from . import itp
from ._craig import (
    Error,
    Expression,
    InputError,
    InternalError,
    Proof,
    Satisfiable,
    Stopped,
    __version__,
)
from .checking import check, check_async, check_many, command, options
from .interpolation import interpolant, interpolants
from .model import Bit, Model, Unrolling, Word
from .report import Property, Report, Trace
from .solver import Solver

__all__ = [
    "Bit",
    "Error",
    "Expression",
    "InputError",
    "InternalError",
    "Model",
    "Proof",
    "Property",
    "Report",
    "Satisfiable",
    "Solver",
    "Stopped",
    "Trace",
    "Unrolling",
    "Word",
    "__version__",
    "check",
    "check_async",
    "check_many",
    "command",
    "interpolant",
    "interpolants",
    "itp",
    "options",
]
