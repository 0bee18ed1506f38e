"""The command ``craig-cluster``: many inputs, and formulas by cubes, with a store, here or on a cluster of Ray."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from typing import Any, Optional, Sequence

from . import cluster, conquest
from ._craig import Error, InputError
from .scaling import scaling
from .store import Store

#: The exit codes of ``craig check``, the one that counts first.
_CODES = {"failed": 1, "unsafe": 10, "unknown": 30, "safe": 20}


def _options(text: str) -> dict[str, Any]:
    """Options as ``NAME=VALUE,NAME,..``: without a value, a switch."""
    found: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        found[name.strip().lstrip("-").replace("-", "_")] = value if equals else True
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="craig-cluster", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    run = commands.add_parser("run", help="decide many inputs; exit codes are those of craig check")
    run.add_argument("inputs", nargs="+", metavar="INPUT", help="a file, a folder, @LIST, or a compile_commands.json")
    run.add_argument("--entry", action="append", default=[], metavar="NAME=VALUE,..", help="an entry of the portfolio; may be repeated")
    run.add_argument("--option", action="append", default=[], metavar="NAME=VALUE,..", help="options of craig check for all entries")
    run.add_argument("--by-property", action="store_true", help="each property of a circuit is a question of its own")

    run.add_argument("--exchange", action="store_true", help="entries that search one circuit send each other clauses")

    cubes = commands.add_parser("cubes", help="decide a formula in DIMACS by cubes; exit codes are those of craig sat")
    cubes.add_argument("formula")
    cubes.add_argument("--cubes", type=int, default=64, help="how many there are at first (default: 64)")
    cubes.add_argument("--conflicts", type=int, default=20000, help="after how many a cube is split again (default: 20000)")
    cubes.add_argument("--proof", metavar="FILE", help="where the joined LRAT proof is written")

    for command in (run, cubes):
        command.add_argument("--address", help="of a cluster of Ray, such as auto, or of Dask, such as dask:HOST:PORT; local or dask:local begins one here; by default, there is none")
        command.add_argument("--jobs", type=int, help="how many tasks at a time")
        command.add_argument("--quiet", action="store_true", help="say nothing of single results")
    show = commands.add_parser("show", help="print what is stored, as lines of JSON")
    simulate = commands.add_parser("simulate", help="how long the stored tasks would take on other numbers of workers")
    simulate.add_argument("--workers", default="1,2,4,1000", help="numbers, separated by commas (default: 1,2,4,1000)")
    simulate.add_argument("--overhead", type=float, default=0.0, metavar="SECONDS", help="what the driver needs for a task")
    for command in (run, cubes, show, simulate):
        is_needed = command is not cubes
        command.add_argument("--store", required=is_needed, help="a file of SQLite, or a folder of JSON lines (with / at its end)")
    return parser


def _run(given: argparse.Namespace, store: Store) -> int:
    merged: dict[str, Any] = {}
    for text in given.option:
        merged |= _options(text)
    entries = [_options(text) for text in given.entry] or [{}]
    worst = "safe"
    found = cluster.run(
        given.inputs, store, entries=entries, by_property=given.by_property, jobs=given.jobs, address=given.address,
        exchange=given.exchange, **merged
    )
    for one in found:
        worst = min(worst, one.verdict, key=list(_CODES).index)
        which = "" if one.property is None else f" {one.property}"
        known = " (stored)" if one.was_stored else ""
        if not given.quiet:
            print(f"{one.verdict:<8}{one.input}{which}{known}", flush=True)
        if one.error is not None:
            print(f"error: {one.error}", file=sys.stderr)
    return _CODES[worst]


def _cubes(given: argparse.Namespace, store: Optional[Store]) -> int:
    tell = None if given.quiet else print
    options = {name: getattr(given, name) for name in ("cubes", "conflicts", "jobs", "address", "proof")}
    found = conquest.conquer(given.formula, store=store, progress=tell, **options)
    print(f"s {found.verdict.upper()}")
    if found.model is not None:
        print("v", *found.model, 0)
    return 10 if found.verdict == "satisfiable" else 20


def _simulate(given: argparse.Namespace, store: Store) -> int:
    seconds = [one["seconds"] for one in store.records()]
    print("workers  seconds  speedup  utilisation")
    for one in scaling(seconds, map(int, given.workers.split(",")), given.overhead):
        print(f"{one.workers:>7}  {one.seconds:>7.1f}  {one.speedup:>7.2f}  {one.utilisation:>11.3f}")
    return 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; returns its exit code."""
    given = _parser().parse_args(arguments)
    try:
        if given.store is None:
            return _cubes(given, None)
        with Store(given.store) as store:
            if given.command == "run":
                return _run(given, store)
            if given.command == "cubes":
                return _cubes(given, store)
            if given.command == "simulate":
                return _simulate(given, store)
            for record in store.records():
                print(json.dumps(record))
            return 0
    except (Error, TypeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, (InputError, TypeError, OSError)) else 1
    except sqlite3.Error as error:
        print(f"error: {given.store}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
