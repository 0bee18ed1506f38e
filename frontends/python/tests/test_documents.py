"""The programs of the guide run."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("CRAIG_REPOSITORY", "."))


class Guide(unittest.TestCase):
    def test_its_programs_run(self):
        before = Path.cwd()
        os.chdir(ROOT)
        self.addCleanup(os.chdir, before)
        blocks = re.findall(r"```python\n(.*?)```", Path("docs/guide/python.md").read_text(), re.DOTALL)
        self.assertGreater(len(blocks), 2)
        names: dict = {}
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = temporary.name
        n_run = 0
        for block in blocks:
            if "examples/" in block and "CRAIG_COMMAND" not in os.environ:
                continue
            # What it writes goes to a folder of the test.
            block = block.replace("/tmp/", f"{folder}/")
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                exec(compile(block, "python.md", "exec"), names)
            n_run += 1
            for line in block.splitlines():
                printed = re.search(r"^print\(.*\)\s+# (.*)$", line)
                if printed:
                    self.assertIn(printed[1], shown.getvalue())
        self.assertGreater(n_run, 1)
