#!/usr/bin/env python3
"""Runs `craig check` on a corpus of C programs with known answers, one after the other.

    bench/c_corpus.py CRAIG CORPUS [--tier core] [--time 60] [--every N] [--from N] [--options "..."] [--output FILE]

CORPUS is a directory with an `index.csv` (columns file, expected, status, tier, data_model, error_names,
cbmc_verdict, family). Programs whose status is `disputed` are left out. Prints how many verdicts are right, wrong and
missing, and the same for each family as a table; the output file has a line for each program.
"""
import argparse
import collections
import csv
import pathlib
import re
import shlex
import subprocess
import time

VERDICTS = {20: "safe", 10: "unsafe", 30: "unknown"}


def programs(corpus, tier):
    """The rows of the index for a tier, without disputed programs."""
    with open(corpus / "index.csv", newline="") as index:
        return [row for row in csv.DictReader(index) if row["tier"] == tier and row["status"] != "disputed"]


def check(craig, corpus, row, limit, options):
    command = [craig, "check", "--quiet", str(corpus / row["file"]), "--timeout", str(limit), *options]
    command += ["--data-model", "ilp32" if row["data_model"] == "32" else "lp64"]
    for name in row["error_names"].split():
        # Other labels are customary marks or names that merely look like one.
        label = re.fullmatch(r"label:(error_\d+)", name)
        if label:
            command += ["--error-label", label.group(1)]
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=2 * limit + 10)
        verdict = VERDICTS.get(done.returncode, f"exit {done.returncode}")
        lines = (done.stdout or done.stderr).splitlines() or [""]
        text = lines[0]
    except subprocess.TimeoutExpired:
        verdict, text = "unknown", "did not stop at the limit"
    return verdict, time.monotonic() - start, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("craig")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--tier", default="core")
    parser.add_argument("--time", type=float, default=60)
    parser.add_argument("--every", type=int, default=1, help="ask about every N-th program")
    parser.add_argument("--from", type=int, default=0, dest="first", help="begin at this program, counted from 0")
    parser.add_argument("--options", type=shlex.split, default=[], help="further options of `craig check`")
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = programs(arguments.corpus, arguments.tier)
    counts = collections.Counter()
    families = collections.defaultdict(collections.Counter)
    output = open(arguments.output, "w") if arguments.output else None
    for row in rows[arguments.first :: arguments.every]:
        verdict, seconds, text = check(
            arguments.craig, arguments.corpus, row, arguments.time, arguments.options
        )
        if verdict == row["expected"]:
            kind = "right"
        elif verdict in ("safe", "unsafe"):
            kind = "WRONG"
        else:
            kind = verdict
        counts[kind] += 1
        # An undecided program was either stopped by the limit or had something that craig does not understand.
        late = kind == "unknown" and seconds >= arguments.time
        for name in (family(row), "**all**"):
            families[name].update(["programs", "out of time" if late else kind])
            families[name]["cbmc right"] += row["cbmc_verdict"] == row["expected"]
        counts[f"cbmc {'right' if row['cbmc_verdict'] == row['expected'] else 'other'}"] += 1
        if row["status"] == "open":
            counts[f"open {kind}"] += 1
        if output:
            output.write(f"{kind}\t{row['file']}\t{row['expected']}\t{row['status']}\t{seconds:.2f}\t{text[:240]}\n")
            output.flush()
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}")
    print_table(families)


def family(row):
    """The family of a program; of the large `svcomp`, its part."""
    parts = row["family"].split(".")
    return ".".join(parts[:2]) if parts[0] == "svcomp" else parts[0]


def print_table(families):
    """Prints a table with a row for each family, that of all programs last."""
    known = ["programs", "right", "WRONG", "unknown", "out of time", "cbmc right"]
    others = sorted({kind for counts in families.values() for kind in counts} - set(known))
    kinds = known[:-1] + others + known[-1:]
    names = {"WRONG": "against the index", "unknown": "not understood"}
    print(f"\n| family | {' | '.join(names.get(kind, kind) for kind in kinds)} |")
    print("|---|" + "---|" * len(kinds))
    for name in sorted(families, key=lambda name: (name.startswith("*"), name)):
        print(f"| {name} | {' | '.join(str(families[name][kind]) for kind in kinds)} |")


if __name__ == "__main__":
    main()
