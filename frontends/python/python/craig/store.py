"""What was decided, with its evidence: in a file of SQLite, or in a folder of JSON lines that ``craig batch --resume`` shares."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import sqlite3
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

from . import report
from ._craig import Error

#: What became of a cube: the answer, the literals of the model or the failed assumptions, and the proof.
Outcome = tuple[str, list[int], str]

_TABLES = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, input TEXT NOT NULL, options TEXT NOT NULL, version TEXT NOT NULL,
    verdict TEXT NOT NULL, report TEXT NOT NULL, seconds REAL NOT NULL, stored REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS evidence (
    key TEXT NOT NULL REFERENCES results(key), name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (key, name)
);
CREATE TABLE IF NOT EXISTS cubes (key TEXT PRIMARY KEY, outcome TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Row:
    """What a result is about."""

    #: The hash of the input, the options and the version, as the command computes it (``craig check --digests``).
    key: str
    input: str
    #: The arguments of the command, as JSON.
    options: str
    version: str


class Store:
    """Results with their evidence, under the hash of input, options and version.

    A path of a folder, or one with ``/`` at its end, is a folder of JSON lines: for storage that several machines share, and for
    ``craig batch --resume FOLDER``, which knows by it what is decided, and whose results are known here. All else is a file of
    SQLite. A result without the evidence for its verdict counts as none.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
    ...     store.get("no such key"), store.records()
    (None, [])
    """

    def __init__(self, path: Union[str, Path]) -> None:
        is_folder = Path(path).is_dir() or os.fspath(path).endswith("/")
        self._lock = threading.Lock()
        self._kept: Union[_Lines, _Database] = _Lines(Path(path)) if is_folder else _Database(path)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes its files."""
        with self._lock:
            self._kept.close()

    def get(self, key: str) -> Optional[report.Report]:
        """The report under a key, with its evidence."""
        with self._lock:
            printed = self._kept.printed(key)
            evidence = {} if printed is None else self._kept.evidence(key)
        if printed is None:
            return None
        found = report.of_command(json.loads(printed))
        if found.verdict in ("safe", "unsafe") and not evidence:
            return None
        report.add_evidence(found, evidence)
        return found

    def evidence(self, key: str) -> dict[str, bytes]:
        """The files of evidence under a key."""
        with self._lock:
            return self._kept.evidence(key)

    def records(self) -> list[dict[str, Any]]:
        """A dictionary for each result: ``key``, ``input``, ``options``, ``version``, ``verdict``, ``seconds``, ``stored``. Those of
        one writer are in the order in which they were stored; ``stored`` is what its clock said."""
        with self._lock:
            return self._kept.records()

    def put(self, row: Row, found: report.Report, evidence: dict[str, bytes]) -> None:
        """Stores a result with its evidence: both or neither."""
        with self._lock:
            self._kept.put(row, found, evidence)

    def cube(self, key: str) -> Optional[Outcome]:
        """What is known of a cube of a formula (:func:`craig.conquest.conquer`)."""
        with self._lock:
            text = self._kept.cube(key)
        if text is None:
            return None
        answer, literals, proof = json.loads(text)
        return answer, literals, proof

    def put_cube(self, key: str, outcome: Outcome) -> None:
        """Stores what is known of a cube."""
        with self._lock:
            self._kept.put_cube(key, json.dumps(outcome))


_FIELDS = ("key", "input", "options", "version", "verdict", "seconds", "stored")


class _Database:
    """A file of SQLite."""

    def __init__(self, path: Union[str, Path]) -> None:
        self._database = sqlite3.connect(path, timeout=60, check_same_thread=False)
        self._database.executescript(_TABLES)

    def close(self) -> None:
        self._database.close()

    def _one(self, query: str, key: str) -> Optional[str]:
        row = self._database.execute(query, (key,)).fetchone()
        return None if row is None else row[0]

    def printed(self, key: str) -> Optional[str]:
        return self._one("SELECT report FROM results WHERE key = ?", key)

    def evidence(self, key: str) -> dict[str, bytes]:
        return dict(self._database.execute("SELECT name, content FROM evidence WHERE key = ?", (key,)).fetchall())

    def records(self) -> list[dict[str, Any]]:
        # Not by the time: a clock may be wrong.
        rows = self._database.execute(f"SELECT {', '.join(_FIELDS)} FROM results ORDER BY rowid").fetchall()
        return [dict(zip(_FIELDS, row)) for row in rows]

    def put(self, row: Row, found: report.Report, evidence: dict[str, bytes]) -> None:
        values = (row.key, row.input, row.options, row.version, found.verdict, json.dumps(found.details))
        with self._database:
            self._database.execute(
                "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*values, found.seconds, time.time())
            )
            self._database.execute("DELETE FROM evidence WHERE key = ?", (row.key,))
            self._database.executemany(
                "INSERT INTO evidence VALUES (?, ?, ?)", [(row.key, *item) for item in evidence.items()]
            )

    def cube(self, key: str) -> Optional[str]:
        return self._one("SELECT outcome FROM cubes WHERE key = ?", key)

    def put_cube(self, key: str, text: str) -> None:
        with self._database:
            self._database.execute("INSERT OR REPLACE INTO cubes VALUES (?, ?)", (key, text))


class _Log:
    """The files of a folder with one ending, each with an object of JSON on a line. Each process appends to a file of its own."""

    def __init__(self, folder: Path, ending: str) -> None:
        self._folder = folder
        self._ending = ending
        self._own = folder / f"python-{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}{ending}"
        #: How much of each file was read: whole lines.
        self._read: dict[Path, int] = {}

    def new(self) -> list[tuple[Path, dict[str, Any]]]:
        """The lines that were written since the last time, by all. A line without its end is being written, or torn."""
        found = []
        for path in sorted(self._folder.glob(f"*{self._ending}")):
            with path.open("rb") as file:
                file.seek(self._read.get(path, 0))
                text = file.read()
            whole = text.rfind(b"\n") + 1
            self._read[path] = self._read.get(path, 0) + whole
            for line in text[:whole].splitlines():
                try:
                    value = json.loads(line)
                except ValueError:
                    value = None
                if not isinstance(value, dict):
                    raise Error(f"{path}: expected lines that `--resume` or craig.cluster has written")
                found.append((path, value))
        return found

    def append(self, value: dict[str, Any]) -> None:
        """Writes a line: all of it, or none."""
        with self._own.open("ab") as file:
            before = file.tell()
            try:
                file.write(json.dumps(value).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                # Half a line, on a disk that is full, must not swallow the next one.
                os.truncate(self._own, before)
                raise


class _Lines:
    """A folder with the results of all its writers as lines of JSON, in the format of the command's ``--resume``, and the files of
    evidence below ``evidence/``."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._results = _Log(folder, ".jsonl")
        self._cubes = _Log(folder, ".cubes")
        self._known: dict[str, dict[str, Any]] = {}
        self._known_cubes: dict[str, str] = {}

    def close(self) -> None:
        """There is nothing open between two calls."""

    def _entry(self, key: str) -> Optional[dict[str, Any]]:
        entry = self._known.get(key)
        if entry is None or entry["evidence"] is None:
            self._refresh()
        return self._known.get(key)

    def _refresh(self) -> None:
        for path, entry in self._results.new():
            try:
                key, has_evidence = entry["digest"], entry["evidence"] is not None
                before = self._known.get(key)
                # What has evidence is of more use.
                if entry["report"] is not None and (has_evidence or before is None or before["evidence"] is None):
                    self._known[key] = entry
            except KeyError as error:
                raise Error(f"{path}: a line has no {error}") from None

    def printed(self, key: str) -> Optional[str]:
        entry = self._entry(key)
        return None if entry is None else entry["report"]

    def evidence(self, key: str) -> dict[str, bytes]:
        entry = self._entry(key)
        if entry is None or entry["evidence"] is None:
            return {}
        own = self._folder / "evidence" / key
        if own.is_dir():
            files = sorted(own.iterdir())
        else:
            # The command has noted those about single properties in its report.
            properties = json.loads(entry["report"])["properties"]
            files = [Path(entry["evidence"]), *(Path(name) for one in properties for name in one["files"])]
        return {path.name: path.read_bytes() for path in files if path.is_file()}

    def records(self) -> list[dict[str, Any]]:
        self._refresh()
        found = []
        for key, entry in self._known.items():
            printed = json.loads(entry["report"])
            tool, options = printed["tool"], json.dumps(printed["arguments"])
            version = f"{tool['name']} {tool['version']} ({tool['commit']})"
            values = (key, entry["input"], options, version, entry["outcome"], entry["seconds"], None)
            found.append(dict(zip(_FIELDS, values)))
        return found

    def put(self, row: Row, found: report.Report, evidence: dict[str, bytes]) -> None:
        place: Optional[Path] = None
        if evidence:
            place = self._folder / "evidence" / row.key
            beside = place.with_name(f".{row.key}-{secrets.token_hex(4)}")
            beside.mkdir(parents=True)
            try:
                for name, content in evidence.items():
                    (beside / name).write_bytes(content)
                if place.exists():
                    shutil.rmtree(place)
                os.replace(beside, place)
            finally:
                shutil.rmtree(beside, ignore_errors=True)
        entry = {
            "input": row.input,
            "digest": row.key,
            "outcome": found.verdict,
            "seconds": found.seconds,
            "evidence": None if place is None else str(place),
            "report": json.dumps(found.details) + "\n",
        }
        self._results.append(entry)

    def cube(self, key: str) -> Optional[str]:
        if key not in self._known_cubes:
            for _, value in self._cubes.new():
                self._known_cubes[value["key"]] = value["outcome"]
        return self._known_cubes.get(key)

    def put_cube(self, key: str, text: str) -> None:
        self._cubes.append({"key": key, "outcome": text})
