"""Problems of several tests."""

import random
from itertools import combinations


def pigeons(n_pigeons, n_holes):
    """Each pigeon has a hole, and no hole has two."""
    sits = lambda pigeon, hole: 1 + pigeon * n_holes + hole
    clauses = [[sits(pigeon, hole) for hole in range(n_holes)] for pigeon in range(n_pigeons)]
    for hole in range(n_holes):
        clauses += [[-sits(one, hole), -sits(other, hole)] for one, other in combinations(range(n_pigeons), 2)]
    return clauses


def random_clauses(seed, n_vars=8, n_clauses=34):
    """Clauses of three literals."""
    numbers = random.Random(seed)
    some = lambda: numbers.sample(range(1, n_vars + 1), 3)
    return [[variable * numbers.choice((1, -1)) for variable in some()] for _ in range(n_clauses)]


def satisfies(model, clauses):
    true = set(model)
    return all(any(literal in true for literal in clause) for clause in clauses)


def models(clauses, n_vars):
    """All models, by trying."""
    for number in range(1 << n_vars):
        model = [var if number >> (var - 1) & 1 else -var for var in range(1, n_vars + 1)]
        if satisfies(model, clauses):
            yield model
