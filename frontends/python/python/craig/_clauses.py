"""Clauses that travel between the entries of one question: from the folder of a search (``craig check --exchange``) to the others' ones.

Nothing of this is trusted: a search uses those clauses that it has proved itself.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Callable

#: The most clauses of a question that travel.
MOST_CLAUSES = 1000

#: The seconds between two looks at a folder.
_PERIOD = 0.5

#: The ending of the files, and the file with what has come from elsewhere.
_ENDING = ".clauses"
_RECEIVED = f"others{_ENDING}"

#: Gives lines away, with the number of those that were taken before; returns those of others since then, and the number after them.
Exchange = Callable[[list[str], int], "tuple[list[str], int]"]


class Rooms:
    """The clauses of each question, in the order of their arrival: what an actor holds for a whole cluster."""

    def __init__(self) -> None:
        self._rooms: dict[str, dict[str, str]] = {}

    def exchange(self, room: str, sender: str, lines: list[str], first: int) -> tuple[list[str], int]:
        """Takes lines of a sender, up to the bound; returns those of others from number ``first`` on, and the number after them."""
        known = self._rooms.setdefault(room, {})
        for line in lines:
            if len(known) < MOST_CLAUSES:
                known.setdefault(line, sender)
        new = list(known.items())[first:]
        return [line for line, of in new if of != sender], len(known)


class Carrier:
    """Carries clauses between a folder and an exchange, beside a search.

    >>> import tempfile
    >>> rooms = Rooms()
    >>> rooms.exchange("0", "another", ["3,2,5 -1 0"], 0)
    ([], 1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     own = Path(folder) / "7-0.clauses"
    ...     _ = own.write_text("3,2,5 1 -2 0" + chr(10) + "3,2,5 torn")
    ...     with Carrier(Path(folder), lambda lines, first: rooms.exchange("0", "this", lines, first)):
    ...         pass
    ...     (Path(folder) / "others.clauses").read_text()
    '3,2,5 -1 0\\n'
    >>> rooms.exchange("0", "another", [], 0)
    (['3,2,5 1 -2 0'], 2)
    """

    def __init__(self, folder: Path, exchange: Exchange) -> None:
        self._folder = folder
        self._exchange = exchange
        self._read: dict[Path, int] = {}
        self._first = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Carrier:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.wait(_PERIOD):
            self._carry()
        self._carry()

    def _carry(self) -> None:
        lines: list[str] = []
        for path in sorted(self._folder.glob(f"*{_ENDING}")):
            if path.name != _RECEIVED:
                lines += self._new(path)
        others, self._first = self._exchange(lines, self._first)
        if others:
            with (self._folder / _RECEIVED).open("a") as file:
                file.write("".join(f"{line}\n" for line in others))

    def _new(self, path: Path) -> list[str]:
        """The whole lines that were appended since the last time."""
        with path.open("rb") as file:
            file.seek(self._read.get(path, 0))
            text = file.read()
        whole = text.rfind(b"\n") + 1
        self._read[path] = self._read.get(path, 0) + whole
        return text[:whole].decode().splitlines()
