"""The command of several tests: one that can be caught in the middle."""

import os
import tempfile
from pathlib import Path

#: Stands for the command: notes the process that has started it, takes its time, then is the command.
SLOWED = """#!/bin/sh
case "$*" in {pattern})
    echo $PPID >> "$LOG"
    sleep 1
esac
exec "$REAL" "$@"
"""


def slowed(test, pattern):
    """Puts a slow command in the place of the true one during a test. Returns a folder for the test, and the log of the command."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    log, script = (Path(folder.name) / name for name in ("log", "craig"))
    script.write_text(SLOWED.format(pattern=pattern))
    script.chmod(0o755)
    before = os.environ["CRAIG_COMMAND"]
    test.addCleanup(os.environ.__setitem__, "CRAIG_COMMAND", before)
    os.environ.update(CRAIG_COMMAND=str(script), REAL=before, LOG=str(log))
    return Path(folder.name), log
