#!/usr/bin/env python3
"""A line-up by greedy cover: which engine, with which options, adds most to those chosen before.

    bench/cover.py SECONDS COUNT RESULTS... [-- ROW...]

RESULTS are CSV files as `bench/ablation.py` writes them, for the set `alone` above all: a row's name, a circuit, the exit
code (10 unsafe, 20 safe, anything else for no answer), processor seconds, and what follows is not read. A later line about the
same row and circuit replaces an earlier one. Rows named after `--` are chosen first, in that order; all rows are candidates.

At each of COUNT places, the row is chosen with which the rows chosen so far decide the most circuits within SECONDS, if each
has a processor of its own; of these, the one with the least PAR-2: the mean over all circuits of the least processor seconds
of a chosen row that decides it, twice SECONDS where none does. A circuit that a row was not asked about counts as not decided by it, and is
shown as missing. Prints for each place the row, the circuits decided so far, PAR-2, and the circuits that the row adds.

Exits with an error if two rows contradict each other.
"""

import csv
import os
import sys


def read(paths):
    """The results: row, circuit -> exit code and seconds."""
    results = {}
    for path in paths:
        with open(path) as file:
            for line in csv.reader(file):
                row, circuit, code, seconds = line[:4]
                results[row, os.path.basename(circuit).removesuffix(".aig")] = int(code), float(seconds)
    return results


def best_times(rows, circuits, times):
    """The least seconds of one of the rows, for each circuit that one of them decides."""
    best = {}
    for circuit in circuits:
        of_rows = [times[row, circuit] for row in rows if (row, circuit) in times]
        if of_rows:
            best[circuit] = min(of_rows)
    return best


def main(arguments):
    first = []
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, first = arguments[:cut], arguments[cut + 1 :]
    if len(arguments) < 3:
        sys.exit(__doc__)
    limit, count, paths = float(arguments[0]), int(arguments[1]), arguments[2:]
    results = read(paths)
    rows = list(dict.fromkeys(row for row, _ in results))
    circuits = sorted({circuit for _, circuit in results})
    for circuit in circuits:
        answers = {results[row, circuit][0] for row in rows if (row, circuit) in results} & {10, 20}
        if len(answers) > 1:
            sys.exit(f"{circuit}: both safe and unsafe")
    for row in first:
        if row not in rows:
            sys.exit(f"{row}: not in the results; expected one of {', '.join(rows)}")
    times = {
        key: seconds for key, (code, seconds) in results.items() if code in (10, 20) and seconds <= limit
    }

    def measure(chosen):
        best = best_times(chosen, circuits, times)
        par2 = sum(best.get(circuit, 2 * limit) for circuit in circuits) / len(circuits)
        return len(best), par2

    print(f"{len(circuits)} circuits, {limit:g} s; of these {measure(rows)[0]} decided by some row\n")
    print("| | row | alone | together | PAR-2 | adds | missing |")
    print("| ---: | --- | ---: | ---: | ---: | --- | ---: |")
    chosen = []
    while len(chosen) < min(count, len(rows)):
        left = [row for row in rows if row not in chosen]
        if len(chosen) < len(first):
            row = first[len(chosen)]
        else:
            row = min(left, key=lambda row: (-measure(chosen + [row])[0], measure(chosen + [row])[1]))
        before = best_times(chosen, circuits, times)
        chosen.append(row)
        after = best_times(chosen, circuits, times)
        together, par2 = measure(chosen)
        added = [circuit for circuit in after if circuit not in before] if len(chosen) > 1 else []
        missing = sum((row, circuit) not in results for circuit in circuits)
        names = ", ".join(f"`{circuit}`" for circuit in added)
        print(f"| {len(chosen)} | {row} | {measure([row])[0]} | {together} | {par2:.2f} | {names} | {missing} |")


main(sys.argv[1:])
