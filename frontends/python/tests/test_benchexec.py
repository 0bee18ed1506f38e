"""The tool-info module for BenchExec, if that is installed."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

try:
    import benchexec.result as result
    import benchexec.tools.template as template
except ImportError:
    result = None

ROOT = Path(os.environ.get("CRAIG_REPOSITORY", ".")).resolve()
MODULES = ROOT / "contrib" / "benchexec"


@unittest.skipIf(result is None, "BenchExec is not installed")
class ToolInfo(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, str(MODULES))
        self.addCleanup(sys.path.remove, str(MODULES))
        from craig_benchexec.craig import Tool

        self.tool = Tool()

    def task(self, *names, prp=None, model=None):
        options = {"language": "C", "data_model": model} if model else {}
        return SimpleNamespace(input_files_or_identifier=list(names), property_file=prp, options=options)

    def result_of(self, code, verdict, error=None, arguments=()):
        one = {"verdict": verdict, "error": error, "engine": "pdr", "statistics": {"queries": 3}}
        report = {"verdict": verdict, "properties": [one], "arguments": list(arguments)}
        output = json.dumps(report, indent=2).splitlines(keepends=True)
        run = SimpleNamespace(output=output, exit_code=SimpleNamespace(value=code))
        return self.tool.determine_result(run), output

    def test_command_lines(self):
        line = self.tool.cmdline("craig", ["--threads", "1"], self.task("a.c", prp="p.prp", model="ILP32"), None)
        self.assertEqual(
            line, "craig check --json --threads 1 --property p.prp --data-model ilp32 -- a.c".split()
        )
        self.assertEqual(self.tool.cmdline("craig", [], self.task("a.aag", prp="p.prp"), None)[3:], ["--", "a.aag"])
        with tempfile.NamedTemporaryFile("w", suffix=".prp") as file:
            file.write("No assertion of the program fails.\n")
            file.flush()
            labelled = self.task("a.c", prp=file.name)
            labelled.options["error_label"] = "error_5"
            line = self.tool.cmdline("craig", [], labelled, None)
        self.assertEqual(line[3:], ["--error-label", "error_5", "--", "a.c"])
        self.assertIn("--link", self.tool.cmdline("craig", [], self.task("a.c", "b.c"), None))
        with self.assertRaises(template.UnsupportedFeatureException):
            self.tool.cmdline("craig", [], self.task("a.aag", "b.aag"), None)

    def test_results(self):
        leak = "allocated memory is never freed"
        for arguments, expected in (
            ((20, "safe"), result.RESULT_TRUE_PROP),
            ((10, "unsafe"), result.RESULT_FALSE_PROP),
            ((10, "unsafe", "an assertion fails"), result.RESULT_FALSE_REACH),
            ((10, "unsafe", leak), result.RESULT_FALSE_MEMTRACK),
            ((10, "unsafe", leak, ["--property", "/p/valid-memcleanup.prp"]), result.RESULT_FALSE_MEMCLEANUP),
            ((30, "unknown"), result.RESULT_UNKNOWN),
            ((1, "unsafe"), result.RESULT_ERROR),
            ((2, "unknown"), "ERROR (invalid input)"),
        ):
            self.assertEqual(self.result_of(*arguments)[0], expected, arguments)
        _, output = self.result_of(20, "safe")
        self.assertEqual(self.tool.get_value_from_output(output, "engine"), "pdr")
        self.assertEqual(self.tool.get_value_from_output(output, "queries"), "3")
        cut = SimpleNamespace(output=output[:3], exit_code=SimpleNamespace(value=9))
        self.assertEqual(self.tool.determine_result(cut), result.RESULT_ERROR)

    def test_every_text_is_one_of_the_command(self):
        from craig_benchexec.craig import _VIOLATED

        source = (ROOT / "frontends/c/lang/src/check_kind.rs").read_text()
        for text in _VIOLATED:
            self.assertIn(f'"{text}"', source)

    @unittest.skipUnless("CRAIG_COMMAND" in os.environ, "the command `craig` was not built")
    def test_benchexec_accepts_it(self):
        folder = Path(os.environ["CRAIG_COMMAND"]).parent
        command = [sys.executable, "-m", "benchexec.test_tool_info", "craig_benchexec.craig", "--no-container"]
        command += ["--tool-directory", str(folder), "--task-definition", str(MODULES / "tasks/lock_safe.yml")]
        path = os.pathsep.join([str(MODULES), os.environ.get("PYTHONPATH", "")])
        ended = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path})
        shown = ended.stdout + ended.stderr
        self.assertEqual(ended.returncode, 0, shown)
        self.assertNotIn("ERROR", shown)
        self.assertIn("'--data-model', 'lp64', '--', '", shown)
        self.assertRegex(shown, r"'--property', '[^']*unreach-call.prp'")
