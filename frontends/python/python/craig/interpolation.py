"""Craig interpolants of clauses in several parts."""

from __future__ import annotations

from typing import Iterable, Mapping, Optional, Sequence, Union

from ._craig import Expression, Proof

Clauses = Iterable[Iterable[int]]
#: Sides of variables: their number, and "a", "b" or "ab".
Labelling = Mapping[int, str]


def interpolants(
    parts: Sequence[Clauses],
    *,
    shape: str = "sequence",
    tree: Optional[Sequence[Optional[int]]] = None,
    system: str = "mcmillan",
    labelling: Union[Labelling, str, None] = None,
    transform: Union[str, Sequence[str], None] = None,
    simplify: bool = False,
    verify: bool = True,
    seed: int = 0,
    time: Optional[float] = None,
    proof: Optional[Proof] = None,
) -> list[Expression]:
    """Interpolants of clauses that contradict each other.

    ``shape`` is ``"sequence"`` (one at each cut between two parts), ``"symmetric"`` (of each part against all others), or
    ``"tree"`` (of each subtree of ``tree``, which has the parent of each part, and ``None`` for the root). ``system`` is
    ``"mcmillan"`` (the strongest), ``"symmetric"``, ``"inverse"`` (the weakest), ``"pss"``, ``"ps"``, ``"psw"`` or
    ``"clausewise"``; ``labelling`` instead has sides of variables, or is the text of a labelling file. ``transform`` names
    transforms of the proof, such as ``"reduce"``. All results are checked by SAT, without the proof, unless ``verify`` is
    false.

    >>> [str(formula) for formula in interpolants([[[1], [-1, 2]], [[-2, 3]], [[-3]]])]
    ['2', '3']

    The exception ``Satisfiable`` has a model as its second argument.
    """
    lists = [[list(clause) for clause in part] for part in parts]
    if len(lists) < 2:
        raise ValueError("expected at least two parts")
    if shape == "cut":
        raise ValueError("one interpolant is computed by craig.interpolant(a, b)")
    if tree is not None and shape != "tree":
        raise ValueError(f"tree: it is for shape=\"tree\", not {shape!r}")
    return _interpolants(
        lists, shape, list(tree or ()), system, labelling, transform, simplify, verify, seed, time, proof
    )


def interpolant(
    a: Clauses,
    b: Clauses,
    *,
    system: str = "mcmillan",
    labelling: Union[Labelling, str, None] = None,
    transform: Union[str, Sequence[str], None] = None,
    simplify: bool = False,
    verify: bool = True,
    seed: int = 0,
    time: Optional[float] = None,
    proof: Optional[Proof] = None,
) -> Expression:
    """A formula over the variables of both parts that ``a`` implies and that contradicts ``b``.

    >>> formula = interpolant([[1, 2], [-1, 2]], [[-2, 3], [-3]])
    >>> print(formula, formula.evaluate([2]), formula.evaluate([-2]))
    2 True False
    """
    lists = [[list(clause) for clause in part] for part in (a, b)]
    found = _interpolants(
        lists, "cut", [], system, labelling, transform, simplify, verify, seed, time, proof
    )
    return found[0]


def _interpolants(
    parts: list[list[list[int]]],
    shape: str,
    tree: list[Optional[int]],
    system: str,
    labelling: Union[Labelling, str, None],
    transform: Union[str, Sequence[str], None],
    simplify: bool,
    verify: bool,
    seed: int,
    time: Optional[float],
    proof: Optional[Proof],
) -> list[Expression]:
    if labelling is not None and system != "mcmillan":
        raise ValueError("system and labelling are two ways to say which labels variables have: give one of them")
    clauses = [clause for part in parts for clause in part]
    numbers = [number for number, part in enumerate(parts) for _ in part]
    if proof is None:
        proof = Proof.find(clauses, seed=seed, time=time)
    elif proof.clauses != clauses:
        raise ValueError("proof: its clauses are not those of the parts, in their order")
    if isinstance(labelling, Mapping):
        labelling = "".join(f"{variable} {side}\n" for variable, side in labelling.items())
    transforms = [transform] if isinstance(transform, str) else list(transform or ())
    return proof._interpolants(
        {
            "parts": numbers,
            "shape": shape,
            "tree": tree,
            "system": system,
            "labelling": labelling,
            "transforms": transforms,
            "simplify": simplify,
            "verify": verify,
            "time": time,
        }
    )
