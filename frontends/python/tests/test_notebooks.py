"""The notebooks run from their first cell to the last."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("CRAIG_REPOSITORY", ".")).resolve()
NOTEBOOKS = ROOT / "examples" / "notebooks"


class Notebooks(unittest.TestCase):
    def run_it(self, name):
        command = [sys.executable, str(NOTEBOOKS / "run.py"), str(NOTEBOOKS / name)]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_all_are_tested(self):
        self.assertEqual(len(list(NOTEBOOKS.glob("*.ipynb"))), 3)

    def test_interpolant_strength(self):
        self.run_it("interpolant_strength.ipynb")

    def test_engine_sweep(self):
        self.run_it("engine_sweep.ipynb")

    @unittest.skipUnless("CRAIG_COMMAND" in os.environ, "the command `craig` was not built")
    def test_c_function(self):
        self.run_it("c_function.ipynb")
