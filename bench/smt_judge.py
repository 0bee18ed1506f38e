"""Asks z3 about interpolants of `craig smt`: `python3 bench/smt_judge.py CRAIG [--number N] [--seed S]`.

Each problem is a random script of bit-vectors (every fourth with an array) in three parts that contradict each other. For the
sequence I1, I2 of them z3 has to find: A implies I1, I1 and B imply I2, I2 and C are inconsistent; and each symbol of I1 and I2 has
to occur on both sides of its cut. Without z3 (`pip install z3-solver`) the script says so and ends with code 0.
"""

import argparse
import random
import subprocess
import sys
import tempfile

try:
    import z3
except ImportError:
    print("skipped: z3 is missing (pip install z3-solver)")
    sys.exit(0)

OPERATORS = ["bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvudiv", "bvurem"]
RELATIONS = ["=", "bvult", "bvule", "bvslt", "bvsle", "distinct"]
PARTS = [["a", "b", "x"], ["x", "c", "y"], ["y", "d", "a"]]


def term(rng, names, width, has_array, depth):
    if depth == 0 or rng.random() < 0.3:
        if rng.random() < 0.3:
            return f"(_ bv{rng.randrange(1 << width)} {width})"
        name = rng.choice(names)
        if has_array and rng.random() < 0.4:
            return f"(select m ((_ extract 2 0) {name}))"
        return name
    op = rng.choice(OPERATORS)
    left, right = (term(rng, names, width, has_array, depth - 1) for _ in range(2))
    return f"({op} {left} {right})"


def problem(rng, has_array):
    """The declarations, and the formulas of three parts."""
    width = rng.choice([4, 5, 8])
    declared = [f"(declare-const {name} (_ BitVec {width}))" for name in "abcdxy"]
    if has_array:
        declared.append(f"(declare-const m (Array (_ BitVec 3) (_ BitVec {width})))")
    parts = []
    for names in PARTS:
        relations = []
        for _ in range(rng.randint(2, 3)):
            left, right = (term(rng, names, width, has_array, 2) for _ in range(2))
            relations.append(f"({rng.choice(RELATIONS)} {left} {right})")
        parts.append(f"(and {' '.join(relations)})")
    return declared, parts


def symbols(expression):
    found, stack, seen = set(), [expression], set()
    while stack:
        node = stack.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.add(node.decl().name())
        stack.extend(node.children())
    return found


def is_inconsistent(*formulas):
    solver = z3.Solver()
    solver.add(*formulas)
    return solver.check() == z3.unsat


def judge(declared, parts, answer):
    """What is wrong with an answer; None if nothing is."""
    head = "\n".join(declared)

    def read(text):
        return z3.And(list(z3.parse_smt2_string(f"{head}\n(assert {text})")))

    items = split(answer)
    if len(items) != 2:
        return f"{len(items)} interpolants"
    one, two = map(read, items)
    a, b, c = map(read, parts)
    checks = [
        ("A implies I1", [a, z3.Not(one)]),
        ("I1 and B imply I2", [one, b, z3.Not(two)]),
        ("I2 and C", [two, c]),
    ]
    for name, formulas in checks:
        if not is_inconsistent(*formulas):
            return name
    cuts = [(one, [a], [b, c]), (two, [a, b], [c])]
    for formula, before, behind in cuts:
        shared = [set().union(*map(symbols, side)) for side in (before, behind)]
        if not symbols(formula) <= shared[0] & shared[1]:
            return "symbols"
    return None


def split(answer):
    """The items of a list."""
    items, depth, item = [], 0, ""
    for char in answer.strip()[1:-1]:
        depth += (char == "(") - (char == ")")
        if depth == 0 and char.isspace():
            items.append(item)
            item = ""
        else:
            item += char
    return [item.strip() for item in [*items, item] if item.strip()]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("craig")
    arguments.add_argument("--number", type=int, default=20)
    arguments.add_argument("--seed", type=int, default=1)
    arguments = arguments.parse_args()
    rng = random.Random(arguments.seed)
    accepted, over_words, wrong, agreed = 0, 0, [], 0
    while accepted + len(wrong) < arguments.number:
        declared, parts = problem(rng, rng.randrange(4) == 0)
        script = "\n".join(
            ["(set-logic QF_ABV)", *declared]
            + [f"(assert (! {part} :named {name}))" for part, name in zip(parts, "ABC")]
            + ["(check-sat)"]
        )
        expected = z3.Solver()
        expected.add(z3.parse_smt2_string("\n".join(declared) + "".join(f"(assert {part})" for part in parts)))
        expected = str(expected.check())
        options = [] if rng.random() < 0.5 else ["--bits", "--system", rng.choice(["mcmillan", "symmetric", "inverse"])]
        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
            file.write(script + ("(get-interpolants A B C)" if expected == "unsat" else "(get-model)"))
            file.flush()
            ran = subprocess.run([arguments.craig, "smt", file.name, *options], capture_output=True, text=True)
        verdict, _, answer = ran.stdout.partition("\n")
        if verdict != expected:
            wrong.append(f"{script}\ncraig: {verdict} {ran.stderr} z3: {expected}")
            continue
        agreed += 1
        if verdict == "unsat":
            fault = judge(declared, parts, answer)
            if fault:
                wrong.append(f"{script}\n{answer}\n{fault}")
            else:
                accepted += 1
                over_words += not options
    print(f"{agreed} verdicts agree; {accepted} sequences of interpolants accepted ({over_words} tried over words), {len(wrong)} wrong")
    for fault in wrong:
        print(fault)
    sys.exit(1 if wrong else 0)


main()
