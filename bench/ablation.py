#!/usr/bin/env python3
"""What each pass of the reduction is worth: circuits decided, PAR-2 and sizes of certificates, with each pass left out.

    bench/ablation.py CRAIG SECONDS FILE... [-- OPTION...]

Runs `CRAIG check FILE` once with all passes, once with each of them left out, and once without any, each run for at most so
many seconds of processor time; what follows `--` is passed on to every run. Prints a table: per row the runs decided, the
mean PAR-2 (processor seconds, twice the limit for a run that decides nothing), the sizes of the certificates in bytes (binary
AIGER), and the circuits that are decided with all passes and not in this row, or the other way round. Sizes are summed
over the circuits that every row has found safe, so that they can be compared. A run that ends with an internal failure stops the script.
"""

import os
import resource
import subprocess
import sys
import tempfile

PASSES = ["cone", "constants", "combinational", "latches", "signals", "inputs"]
ROWS = (
    [("all", [])]
    + [(f"without {name}", ["--skip-pass", name]) for name in PASSES]
    + [("with folding", ["--extra-pass", "folding"]), ("no reduction", ["--no-preprocess"])]
)


def run(craig, seconds, file, options, witness):
    """Exit code, processor seconds, and the size of the certificate if there is one."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [craig, "check", file, "-q", "--witness", witness, *options]
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
        return 30, spent, None
    return code, spent, os.path.getsize(witness) if code == 20 else None


def main(arguments):
    options = []
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, options = arguments[:cut], arguments[cut + 1 :]
    if len(arguments) < 3:
        sys.exit(__doc__)
    craig, seconds, files = arguments[0], float(arguments[1]), arguments[2:]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        witness = os.path.join(folder, "witness.aig")
        for name, more in ROWS:
            for file in files:
                results[name, file] = run(craig, seconds, file, options + more, witness)
    for file in files:
        answers = {results[name, file][0] for name, _ in ROWS} - {30}
        if len(answers) > 1:
            sys.exit(f"{file}: both safe and unsafe")
    names = [name for name, _ in ROWS]
    common = [file for file in files if all(results[name, file][0] == 20 for name in names)]
    print(f"{len(files)} circuits, {seconds:g} s each; sizes over {len(common)} that are safe in every row\n")
    print("| passes | decided | PAR-2 | certificates, bytes | lost | won |")
    print("| --- | ---: | ---: | ---: | --- | --- |")
    for name in names:
        decided = [file for file in files if results[name, file][0] != 30]
        par2 = sum(min(results[name, file][1], seconds) if file in decided else 2 * seconds for file in files)
        size = sum(results[name, file][2] for file in common)
        usual = [file for file in files if results["all", file][0] != 30]
        short = lambda some: ", ".join(os.path.basename(file).removesuffix(".aig") for file in some)
        lost = short([file for file in usual if file not in decided])
        won = short([file for file in decided if file not in usual])
        print(f"| {name} | {len(decided)} | {par2 / len(files):.2f} | {size} | {lost} | {won} |")


main(sys.argv[1:])
