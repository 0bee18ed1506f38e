"""Verdicts about files: in this process where that is possible, else by the command ``craig``."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Union

from . import report
from ._craig import Error, InputError, InternalError, Stopped
from .model import Model, Source, content


#: Options with which circuits are decided in this process.
_IN_PROCESS = frozenset({"engine", "threads", "max_depth", "time", "timeout", "property"})

#: Options that change what the command prints, which this module reads, or that are for several inputs.
_RESERVED = frozenset({"json", "quiet", "verbose", "exit_code", "jobs", "shard", "resume", "digests"})

#: Other names of options, as the calls of this package have them.
_ALSO = {"time": "timeout"}

#: Options with which no evidence is asked for: they write it themselves, or ask other questions.
_WITHOUT_WITNESS = frozenset({"witness", "witness_dir", "list", "each", "cover"})

#: The file with the drawing of an unwinding.
_DRAWING = "unwinding.html"

#: The endings of circuits that are read in this process.
_CIRCUITS = (".aag", ".aig", ".btor", ".btor2")


def command() -> Path:
    """The command that decides what is not decided in this process: that of the environment variable ``CRAIG_COMMAND``, else
    the one that was installed with this package, else the first on ``PATH``."""
    named = os.environ.get("CRAIG_COMMAND")
    if named:
        if not os.access(named, os.X_OK):
            raise Error(f"CRAIG_COMMAND={named}: it can't be run")
        return Path(named)
    name = "craig.exe" if os.name == "nt" else "craig"
    beside = Path(sysconfig.get_path("scripts")) / name
    if os.access(beside, os.X_OK):
        return beside
    found = shutil.which(name)
    if found is None:
        raise Error(f"there is no command `craig` in {beside.parent} or on PATH, and CRAIG_COMMAND is not set")
    return Path(found)


@functools.lru_cache(maxsize=8)
def version(program: str) -> str:
    """The version of a command, with its commit."""
    # Not `--version`, which also tells what the build has.
    return subprocess.run([program, "-V"], capture_output=True, text=True, check=True).stdout.strip()


def options() -> dict[str, Optional[str]]:
    """The options of ``check`` in Python, each with what the command calls its value; ``None`` for a switch.

    They are those of the command's own table (``craig options check``).
    """
    return {name: value for name, (_, value) in _table(str(command())).items()}


@functools.lru_cache(maxsize=8)
def _table(program: str) -> dict[str, tuple[str, Optional[str]]]:
    """By name in Python: the option of the command, and the name of its value."""
    asked = subprocess.run([program, "options", "check"], capture_output=True, text=True, check=False)
    try:
        rows = json.loads(asked.stdout)["options"]
    except (ValueError, KeyError, TypeError):
        raise Error(f"{program}: `options check` does not list the options of craig: is it another program?") from None
    table = {}
    for row in rows:
        flag = row["name"]
        for name in (flag, *row["aliases"]):
            table[name.lstrip("-").replace("-", "_")] = (flag, row["value"])
    for name, of in _ALSO.items():
        table[name] = table[of]
    for name in _RESERVED:
        table.pop(name, None)
    return table


def _arguments(program: str, given: dict[str, Any]) -> list[str]:
    """The command's arguments for options of Python."""
    table = _table(program)
    arguments = []
    for name, value in given.items():
        if name not in table:
            _refuse(name, table)
        flag, expected = table[name]
        if value is None or value is False:
            continue
        if expected is None:
            if value is not True:
                raise TypeError(f"{name}={value!r}: it is a switch, True or False")
            arguments.append(flag)
            continue
        if value is True:
            raise TypeError(f"{name}=True: expected {expected}")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                arguments.append(flag)
            elif flag.startswith("--"):
                arguments.append(f"{flag}={os.fspath(one) if isinstance(one, os.PathLike) else one}")
            else:
                arguments += [flag, str(one)]
    return arguments


def _refuse(name: str, table: dict[str, Any]) -> None:
    """Raises the error about an option that there is not."""
    near = difflib.get_close_matches(name, table, n=3)
    hint = f": did you mean {' or '.join(near)}?" if near else "; craig.options() lists all"
    if name in _RESERVED:
        hint = ": it changes what the command prints, which this function reads"
    raise TypeError(f"check() has no option {name!r}{hint}")


def check(source: Source, *, progress: Optional[Callable[[str], object]] = None, **options: Any) -> report.Report:
    """Decides the properties of a file: a circuit (AIGER, BTOR2), a design in Verilog, or a C program.

    ``source`` is a path, the bytes of a circuit, or an open file with them. Options are those of ``craig check``, with underscores: ``time=10`` is
    ``--time 10``, ``no_first_steps=True`` a switch, and a list repeats an option. Circuits without other options than
    ``engine``, ``threads``, ``max_depth``, ``time`` and ``property`` are decided in this process, all else by the command.
    Ctrl-C ends either. ``progress`` is called with lines about the search. The evidence is in the report; with ``unwinding=True``, an
    engine that unwinds a C program draws what it has unwound there, too.

    >>> report = check(b"aag 1 0 1 1 0\\n2 3\\n2\\n")
    >>> report.verdict, report[0].trace[-1]["state"]
    ('unsafe', {'l0': 1})
    """
    source = content(source)
    here = _here(source, options)
    if here is not None:
        model, chosen = here
        return model.check(progress=progress, **chosen)
    with _file(source) as path:
        run = _Run(path, options, progress)
        try:
            return run.wait()
        except BaseException:
            run.stop()
            raise


async def check_async(
    source: Source, *, progress: Optional[Callable[[str], object]] = None, **options: Any
) -> report.Report:
    """As ``check``, for ``await``: other tasks go on. If the task is cancelled, so is the search.

    >>> import asyncio
    >>> asyncio.run(check_async(b"aag 1 0 1 1 0\\n2 2\\n2\\n")).verdict
    'safe'
    """
    cancelled = threading.Event()

    loop = asyncio.get_running_loop()
    source = content(source)
    here = _here(source, options)
    with contextlib.ExitStack() as stack:
        if here is not None:
            model, chosen = here
            search: Callable[[], report.Report] = functools.partial(model.check, progress=progress, cancelled=cancelled.is_set, **chosen)
        else:
            run = _Run(stack.enter_context(_file(source)), options, progress)
            search = run.wait
        future = loop.run_in_executor(None, search)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            cancelled.set()
            if here is None:
                run.stop()
            # The search ends before the files that it reads are removed.
            await asyncio.wait([future])
            future.exception()
            raise


def _refuse_one(paths: object) -> None:
    """Refuses one input in the place of several: its letters would be taken for inputs."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError(f"expected a list of inputs: [{os.fspath(paths)!r}]")


def listed(paths: Iterable[Union[str, Path]]) -> list[str]:
    """The paths of inputs."""
    _refuse_one(paths)
    return [os.fspath(path) for path in paths]


def check_many(
    paths: Iterable[Source], *, jobs: Optional[int] = None, **options: Any
) -> Iterator[tuple[Source, Union[report.Report, Error]]]:
    """Decides several inputs, ``jobs`` at a time, each by a command of its own. Yields each with its report, or the exception
    of an input that can't be decided, in the order in which they are done.

    Options are those of ``check``; ``threads=1`` by default, since inputs share the cores.
    """
    _refuse_one(paths)
    inputs = list(paths)
    options.setdefault("threads", 1)
    program = str(command())
    _arguments(program, options)
    running: set[_Run] = set()
    is_over = threading.Event()

    def one(source: Source) -> tuple[Source, Union[report.Report, Error]]:
        if is_over.is_set():
            return source, Stopped("not begun")
        try:
            with _file(content(source)) as path:
                run = _Run(path, options, None)
                running.add(run)
                try:
                    if is_over.is_set():
                        run.stop()
                    return source, run.wait()
                finally:
                    running.discard(run)
        except Error as error:
            return source, error

    pool = ThreadPoolExecutor(max_workers=jobs or os.cpu_count() or 1)
    try:
        futures = [pool.submit(one, source) for source in inputs]
        for future in as_completed(futures):
            yield future.result()
    finally:
        is_over.set()
        for run in list(running):
            run.stop()
        pool.shutdown(wait=True)


def _here(source: Union[str, bytes], given: dict[str, Any]) -> Optional[tuple[Model, dict[str, Any]]]:
    """The circuit and its options, if it can be decided in this process."""
    if not _IN_PROCESS.issuperset(name for name, value in given.items() if value not in (None, False)):
        return None
    if isinstance(source, bytes):
        data, name = source, "circuit"
        is_words = not data.startswith((b"aag ", b"aig "))
    else:
        name = source
        if not name.endswith(_CIRCUITS):
            return None
        is_words = not name.endswith((".aag", ".aig"))
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise InputError(f"{name}: can't be read: {error.strerror}") from error
    chosen = {name: value for name, value in given.items() if value not in (None, False)}
    if "timeout" in chosen:
        if "time" in chosen:
            raise TypeError("time and timeout are the same option")
        chosen["time"] = chosen.pop("timeout")
    if "property" in chosen:
        chosen["properties"] = [str(chosen.pop("property"))]
    read = Model.from_btor2 if is_words else Model.from_aiger
    return read(data, name), chosen


@contextlib.contextmanager
def _file(source: Union[str, bytes]) -> Iterator[str]:
    """The path of an input; bytes are in a file of their own until they are decided."""
    if isinstance(source, str):
        yield source
        return
    ending = ".aig" if source.startswith(b"aig ") else ".aag" if source.startswith(b"aag ") else ".btor2"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"circuit{ending}"
        path.write_bytes(source)
        yield str(path)


class _Run:
    """A command that decides an input, in a process group of its own."""

    def __init__(self, path: str, given: dict[str, Any], progress: Optional[Callable[[str], object]]) -> None:
        if path.startswith("@") or Path(path).is_dir():
            raise Error(f"{path}: check() decides one input; check_many() decides several")
        program = str(command())
        self._folder = tempfile.TemporaryDirectory()
        #: The files that the command has written for this module, by name, once it has ended.
        self.written: dict[str, bytes] = {}
        arguments = [program, "check", "--json", *_arguments(program, self._with_outputs(path, given))]
        if progress is not None:
            arguments.append("--verbose")
        self._path = path
        self._progress = progress
        #: Whether its processes were told to end: what it prints then is no result.
        self.was_stopped = False
        self._process = subprocess.Popen(
            [*arguments, "--", path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # It ends if this process is killed.
            env=os.environ | {"CRAIG_PARENT": str(os.getpid())},
        )

    def _with_outputs(self, path: str, given: dict[str, Any]) -> dict[str, Any]:
        """Options with files for the evidence, and for a drawing if one is asked for."""
        given = {name: value for name, value in given.items() if value not in (None, False)}
        if _WITHOUT_WITNESS.isdisjoint(given):
            given["witness"] = Path(self._folder.name) / f"witness{_ending(path, given)}"
        if given.get("unwinding") is True:
            given["unwinding"] = Path(self._folder.name) / _DRAWING
        return given

    def stop(self) -> None:
        """Ends all processes of the run."""
        self.was_stopped = True
        if self._process.poll() is None:
            for sent in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, sent)
                try:
                    self._process.wait(timeout=2)
                    break
                except subprocess.TimeoutExpired:
                    continue

    def wait(self) -> report.Report:
        """The report of the run."""
        printed: list[str] = []
        stdout, stderr = self._process.stdout, self._process.stderr
        assert stdout is not None and stderr is not None

        def read() -> None:
            with stdout:
                printed.extend(stdout)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        errors = []
        with stderr:
            for line in stderr:
                errors.append(line)
                if self._progress is not None:
                    self._progress(line.rstrip("\n"))
        code = self._process.wait()
        reader.join()
        with self._folder as folder:
            self.written = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
            text = "".join(printed).replace(json.dumps(folder)[1:-1] + os.sep, "")
        found = _report(self._path, code, text, "".join(errors))
        report.add_evidence(found, self.written)
        if _DRAWING in self.written:
            found.unwinding = report.Unwinding(self.written[_DRAWING].decode())
        return found


def _ending(path: str, given: dict[str, Any]) -> str:
    """The ending of the file with the evidence about an input."""
    kind = given.get("format") or given.get("input_format") or Path(re.sub(r"\.(gz|xz)$", "", path)).suffix[1:]
    return ".yml" if kind in ("c", "i", "json") else ".aag"


def _report(path: str, code: int, printed: str, errors: str) -> report.Report:
    """What the command has printed, or the exception for it."""
    try:
        found = json.loads(printed)
    except json.JSONDecodeError:
        found = None
    if found is not None and "properties" in found and code not in (1, 2):
        return report.of_command(found)
    text = errors.strip() or (found or {}).get("error") or f"{path}: the command has ended with exit code {code}"
    if code == 2:
        raise InputError(text)
    if code < 0:
        raise Stopped(f"{path}: the command was ended by signal {-code}")
    raise InternalError(text)
