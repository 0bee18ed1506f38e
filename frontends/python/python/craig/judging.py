"""Evidence that comes from elsewhere is judged where it arrives."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from . import report
from ._craig import InternalError

#: The seconds for the evidence about a C program, whose check is a proof of its own.
_SECONDS = 20

#: The endings of what `craig certify` judges.
_CIRCUITS = (".aag", ".aig", ".btor", ".btor2")
_PROGRAMS = (".c", ".i")


def judge(program: str, path: str, given: dict[str, Any], found: report.Report) -> None:
    """Judges the evidence of each verdict in a report by ``craig certify``, another process than the one that has found it.

    Raises ``InternalError`` for a verdict without evidence, or with evidence that is refuted. That about a C program may remain
    undecided, and designs in Verilog and linked programs are not judged: their circuits are made on the way.
    """
    if not path.endswith(_CIRCUITS + _PROGRAMS):
        return
    for one in found.properties:
        if one.verdict not in ("safe", "unsafe"):
            continue
        if one.evidence is None:
            raise InternalError(f"{path}: {one.name}: {one.verdict}, but no evidence came with it")
        arguments = [program, "certify"]
        is_program = path.endswith(_PROGRAMS)
        if is_program:
            arguments.append(f"--timeout={_SECONDS}")
            arguments += [f"-I{os.fspath(folder)}" for folder in _listed(given.get("I"))]
            arguments += [f"-D{macro}" for macro in _listed(given.get("D"))]
        else:
            arguments.append(f"--property={one.id.removeprefix('b')}")
        with tempfile.TemporaryDirectory() as folder:
            evidence = Path(folder) / ("evidence.yml" if is_program else "evidence.aag")
            evidence.write_bytes(one.evidence)
            ran = subprocess.run([*arguments, "--", path, str(evidence)], capture_output=True, text=True, check=False)
        is_undecided = is_program and ran.returncode == 30
        # A run names the property that it violates itself.
        is_other = not is_program and one.is_unsafe and f"({one.id} " not in ran.stdout
        if not is_undecided and (is_other or not ran.stdout.startswith(f"valid {one.verdict}")):
            said = ran.stdout.strip() or ran.stderr.strip()
            raise InternalError(f"{path}: {one.name}: {one.verdict}, but its evidence is refused: {said}")


def _listed(value: Any) -> list[Any]:
    """The values of an option that may be repeated."""
    return list(value) if isinstance(value, (list, tuple)) else [value] if value else []
