#!/usr/bin/env python3
"""What each part of the portfolio for C is worth: programs decided and seconds, with each part left out in turn.

    bench/c_parts.py CRAIG CORPUS SECONDS RESULTS [--tier core] [--list FILE] [--every N] [--from N] [--parts "PART..."]
    bench/c_parts.py --table SECONDS RESULTS...

Runs `craig check --threads 2 --timeout SECONDS` on the programs of the index that are not disputed, once with all parts and
once without each (`--without PART`), the runs about one program after each other, so that other load meets all rows. RESULTS
is a CSV file to which each run is appended; what it has already is not run again, so an interrupted call can go on. The
file after `--list` names the programs to ask, a line each.

With `--table`, prints a row for each part over all runs in the files: the verdicts that are right, those that are lost and won
without the part, and the seconds by the clock with and without it over the programs that both decide.
"""
import argparse
import csv
import pathlib
import sys

from c_corpus import check, programs

PARTS = [
    *["invariants", "explicit", "unfolding", "domains", "signals", "unwind", "loops"],
    *["elements", "objects", "run", "tail-calls", "procedures"],
]
ALL = "all"


def read(path):
    """The runs of a file, by row and program: verdict, expected verdict and seconds."""
    if not pathlib.Path(path).exists():
        return {}
    with open(path, newline="") as file:
        return {(row, name): (verdict, expected, float(spent)) for row, name, verdict, expected, spent in csv.reader(file)}


def run(arguments):
    done = read(arguments.results)
    rows = programs(arguments.corpus, arguments.tier)
    if arguments.list:
        listed = set(arguments.list.read_text().split())
        rows = [row for row in rows if row["file"] in listed]
    with open(arguments.results, "a", newline="") as file:
        output = csv.writer(file)
        for row in rows[arguments.first :: arguments.every]:
            for part in [ALL, *arguments.parts.split()]:
                if (part, row["file"]) in done:
                    continue
                options = ["--threads", "2"] + (["--without", part] if part != ALL else [])
                verdict, seconds, _ = check(arguments.craig, arguments.corpus, row, arguments.seconds, options)
                output.writerow([part, row["file"], verdict, row["expected"], f"{seconds:.3f}"])
                file.flush()


def short(names):
    """Programs by the name of their file, or of its folder where the file is `main`."""
    paths = map(pathlib.Path, names)
    return ", ".join(f"`{path.parent.name if path.stem == 'main' else path.stem}`" for path in paths)


def table(seconds, paths):
    runs = {}
    for path in paths:
        runs |= read(path)
    names = sorted({name for row, name in runs if row == ALL})
    parts = list(dict.fromkeys(row for row, _ in runs if row != ALL))
    decided = lambda row, name: (row, name) in runs and runs[row, name][0] in ("safe", "unsafe")
    for name in names:
        answers = {runs[row, name][0] for row in [ALL, *parts] if decided(row, name)}
        if len(answers) > 1:
            sys.exit(f"{name}: both safe and unsafe")
    usual = [name for name in names if decided(ALL, name)]
    print(f"{len(names)} programs, {seconds} s each, {len(usual)} decided with all parts\n")
    print("| part left out | decided | seconds with and without, where both decide | lost | won |")
    print("|---|---|---|---|---|")
    for part in parts:
        asked = [name for name in names if (part, name) in runs]
        both = [name for name in asked if decided(part, name) and decided(ALL, name)]
        time = [sum(runs[row, name][2] for name in both) for row in (ALL, part)]
        lost = [name for name in asked if decided(ALL, name) and not decided(part, name)]
        won = [name for name in asked if decided(part, name) and not decided(ALL, name)]
        count = sum(decided(part, name) for name in asked)
        times = f"{time[0]:.0f} and {time[1]:.0f}"
        print(f"| `{part}` | {count} of {len(asked)} | {times} | {len(lost)}: {short(lost)} | {len(won)}: {short(won)} |")


def main():
    if sys.argv[1:2] == ["--table"] and len(sys.argv) > 3:
        table(sys.argv[2], sys.argv[3:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("craig")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--tier", default="core")
    parser.add_argument("--list", type=pathlib.Path, help="ask about these programs alone")
    parser.add_argument("--every", type=int, default=1, help="ask about every N-th program")
    parser.add_argument("--from", type=int, default=0, dest="first", help="begin at this program, counted from 0")
    parser.add_argument("--parts", default=" ".join(PARTS), help="the parts that are left out in turn")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
