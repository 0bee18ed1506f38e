"""Runs notebooks: with nbclient where it is installed, else cell by cell in this process.

python examples/notebooks/run.py [--plain] NOTEBOOK.ipynb..
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from pathlib import Path


def run_plainly(path: Path) -> None:
    """Executes the cells of a notebook, and shows the last value of each as a notebook would."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names: dict = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        name = f"{path.name}, cell {number}"
        exec(compile(tree, name, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
            for form in ("_repr_html_", "_repr_svg_", "__repr__"):
                if hasattr(value, form):
                    getattr(value, form)()
                    break


def run_with_nbclient(path: Path) -> None:
    """Executes a notebook in a kernel, in the current folder."""
    import nbclient
    import nbformat

    nbclient.NotebookClient(nbformat.read(path, as_version=4), timeout=600, kernel_name="python3").execute()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--plain", action="store_true", help="do not use nbclient")
    arguments = parser.parse_args()
    run = run_plainly
    if not arguments.plain:
        try:
            import ipykernel  # noqa: F401
            import nbclient  # noqa: F401
        except ImportError:
            print("nbclient and ipykernel are not installed: cells are run in this process", file=sys.stderr)
        else:
            run = run_with_nbclient
    for path in arguments.notebooks:
        run(path)
        print(f"{path}: done")


if __name__ == "__main__":
    main()
