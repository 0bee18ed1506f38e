#!/usr/bin/env python3
"""What each technique is worth: circuits decided, PAR-2 and sizes of certificates, with each technique left out in turn.

    bench/ablation.py CRAIG SECONDS SET RESULTS FILE... [-- OPTION...]

Runs `CRAIG check FILE` for every row of SET and every FILE, each run for at most so many seconds of processor time; what
follows `--` is passed on to every run. SET is `reduction` (the passes of the reduction), `portfolio` (the engines of the
line-up for one thread, and what precedes the search), `pdr` (the techniques of PDR) or `alone` (each engine by itself, with the
options that a line-up may give it, for `bench/cover.py`). RESULTS is a CSV file to which each run
is appended; what it has already is not run again, so an interrupted call can go on.

Prints a table: per row the runs decided, the mean PAR-2 (processor seconds, twice the limit for a run that decides
nothing), the sizes of the certificates in bytes (binary AIGER, summed over the circuits that every row has found safe), and
the circuits that are decided in the first row and not in this one, or the other way round. A run that ends with an internal
failure stops the script.
"""

import csv
import os
import re
import resource
import subprocess
import sys
import tempfile

PASSES = ["cone", "constants", "combinational", "latches", "signals", "inputs"]
TECHNIQUES = ["joins", "parents", "invariants", "skip-untouched", "shrink", "turns"]

ALONE = {
    "pdr": "pdr --pdr-without turns",
    "pdr, plain": "pdr --pdr-without turns --pdr-generalisation plain",
    "pdr, extended": "pdr --pdr-without turns --pdr-generalisation extended",
    "pdr, dynamic": "pdr --pdr-without turns --pdr-generalisation dynamic --seed 1",
    "pdr, original": "pdr --pdr-without turns --no-preprocess",
    "gla": "gla",
    "gla, original": "gla --no-preprocess",
    "avy": "avy",
    "avy, symmetric": "avy --system symmetric",
    "kavy": "kavy",
    "tra": "tra",
    "imc": "imc",
    "imc-backward": "imc-backward",
    "isb": "isb",
    "dar": "dar",
    "kind": "kind",
    "bdd": "bdd --bdd-nodes 262144",
    "sim": "sim --sim-unguided",
    "sim, guided": "sim",
    "bmc": "bmc",
    "bmc, 10": "bmc --bmc-stride 10 --bmc-fresh",
    "bmc, 65": "bmc --bmc-stride 65 --bmc-fresh",
    "bmc, doubling": "bmc --bmc-stride doubling --bmc-fresh",
}


def line_up_without(craig, engine, folder):
    """A file with the line-up of `craig`, less the entries of an engine."""
    text = subprocess.run([craig, "line-up"], check=True, capture_output=True, text=True).stdout
    parts = re.split(r"(?m)^(?=\[\[)", text)
    kept = [part for part in parts if not re.search(rf'(?m)^engine = "{engine}"$', part)]
    path = os.path.join(folder, f"without-{engine}.toml")
    with open(path, "w") as file:
        file.write("".join(kept))
    return ["--line-up", path]


def rows(name, craig, folder):
    """The rows of a set: a label and the options that make it."""
    if name == "reduction":
        return (
            [("all", [])]
            + [(f"without {one}", ["--skip-pass", one]) for one in PASSES]
            + [("with folding", ["--extra-pass", "folding"]), ("no reduction", ["--no-preprocess"])]
        )
    if name == "portfolio":
        engines = ["pdr", "gla", "sim", "bmc", "avy"]
        return (
            [("all", [])]
            + [(f"without {one}", line_up_without(craig, one, folder)) for one in engines]
            + [
                ("without isomorphic blocks", ["--no-isomorphic"]),
                ("without first steps", ["--no-first-steps"]),
                ("without correspondence", ["--skip-pass", "signals"]),
                ("no reduction", ["--no-preprocess"]),
            ]
        )
    if name == "pdr":
        engine = ["--engine", "pdr"]
        return (
            [("all", engine)]
            + [(f"without {one}", engine + ["--pdr-without", one]) for one in TECHNIQUES]
            + [
                (f"{one} alone", engine + ["--pdr-without", "turns", "--pdr-generalisation", one])
                for one in ["plain", "extended", "dynamic"]
            ]
            + [("with predecessors", engine + ["--pdr-predecessors"])]
        )
    if name == "alone":
        return [(label, ["--engine", *options.split()]) for label, options in ALONE.items()]
    sys.exit(f"{name}: not a set; expected `reduction`, `portfolio`, `pdr` or `alone`")


def run(craig, seconds, file, options, witness):
    """Exit code, processor seconds, and the size of the certificate if there is one."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [craig, "check", file, "-q", "--threads", "1", "--witness", witness, *options]
    # The clock is there for a run that waits rather than works.
    try:
        ended = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit, timeout=20 * seconds + 20
        )
        code, errors = ended.returncode, ended.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        code, errors = 30, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if code in (1, 2):
        sys.exit(f"{' '.join(command)}: exit code {code}: {errors}")
    if code not in (10, 20) or spent > seconds:
        return 30, spent, 0
    return code, spent, os.path.getsize(witness) if code == 20 else 0


def main(arguments):
    options = []
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, options = arguments[:cut], arguments[cut + 1 :]
    if len(arguments) < 5:
        sys.exit(__doc__)
    craig, seconds, name, path, files = arguments[0], float(arguments[1]), arguments[2], arguments[3], arguments[4:]
    results = {}
    if os.path.exists(path):
        with open(path) as file:
            for row, circuit, code, spent, size in csv.reader(file):
                results[row, circuit] = int(code), float(spent), int(size)
    with tempfile.TemporaryDirectory() as folder, open(path, "a") as file:
        witness = os.path.join(folder, "witness.aig")
        output = csv.writer(file)
        names = [row for row, _ in rows(name, craig, folder)]
        for row, more in rows(name, craig, folder):
            for circuit in files:
                if (row, circuit) not in results:
                    results[row, circuit] = run(craig, seconds, circuit, options + more, witness)
                    output.writerow([row, circuit, *results[row, circuit]])
                    file.flush()
    print_table(names, files, seconds, results)


def print_table(names, files, seconds, results):
    """Prints the table of all rows, after a check that no two rows contradict each other."""
    for file in files:
        answers = {results[name, file][0] for name in names} - {30}
        if len(answers) > 1:
            sys.exit(f"{file}: both safe and unsafe")
    common = [file for file in files if all(results[name, file][0] == 20 for name in names)]
    usual = [file for file in files if results[names[0], file][0] != 30]
    print(f"{len(files)} circuits, {seconds:g} s each; sizes over {len(common)} that are safe in every row\n")
    print("| | decided | PAR-2 | certificates, bytes | lost | won |")
    print("| --- | ---: | ---: | ---: | --- | --- |")
    for name in names:
        decided = [file for file in files if results[name, file][0] != 30]
        par2 = sum(results[name, file][1] if file in decided else 2 * seconds for file in files)
        size = sum(results[name, file][2] for file in common)
        short = lambda some: ", ".join(f"`{os.path.basename(file).removesuffix('.aig')}`" for file in some)
        lost = short([file for file in usual if file not in decided])
        won = short([file for file in decided if file not in usual])
        print(f"| {name} | {len(decided)} | {par2 / len(files):.2f} | {size} | {lost} | {won} |")


main(sys.argv[1:])
