"""The tool-info module of craig for BenchExec."""

import json
import os

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

#: By what the command says about an error of a C program: the property of SV-COMP that it violates.
_VIOLATED = {
    "a signed operation overflows": result.RESULT_FALSE_OVERFLOW,
    "an index is out of the bounds of its array": result.RESULT_FALSE_DEREF,
    "an access is outside of every object": result.RESULT_FALSE_DEREF,
    "a null pointer is dereferenced": result.RESULT_FALSE_DEREF,
    "an object is accessed whose lifetime has ended": result.RESULT_FALSE_DEREF,
    "a write to a constant object": result.RESULT_FALSE_DEREF,
    "memory is freed that was not allocated or is freed already": result.RESULT_FALSE_FREE,
    "allocated memory is never freed": result.RESULT_FALSE_MEMTRACK,
}


class Tool(benchexec.tools.template.BaseTool2):
    """Runs `craig check --json` on circuits (AIGER, BTOR2), designs in Verilog, and C programs."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("craig")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="craig ")

    def name(self):
        return "craig"

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--json", *options]
        inputs = list(task.input_files_or_identifier)
        is_program = any(os.path.splitext(name)[1] in (".c", ".i") for name in inputs)
        if is_program:
            # A property file that is none of SV-COMP only says what is expected, as that of a circuit does.
            if task.property_file and _is_specification(task.property_file):
                command += ["--property", task.property_file]
            label = (task.options or {}).get("error_label")
            if label and "--error-label" not in options:
                command += ["--error-label", label]
            model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
            if model and "--data-model" not in options:
                command += ["--data-model", model]
            if len(inputs) > 1 and "--link" not in options:
                command.append("--link")
        elif len(inputs) > 1:
            raise benchexec.tools.template.UnsupportedFeatureException("a circuit is one file")
        return [*command, "--", *inputs]

    def determine_result(self, run):
        report = _report(run.output)
        if run.exit_code.value == 2:
            return f"{result.RESULT_ERROR} (invalid input)"
        if report is None or run.exit_code.value == 1:
            return result.RESULT_ERROR
        if report["verdict"] == "safe":
            return result.RESULT_TRUE_PROP
        if report["verdict"] == "unsafe":
            return _violated(report)
        return result.RESULT_UNKNOWN

    def get_value_from_output(self, output, identifier):
        """A field of the JSON object: of the whole, or else of the first property or its statistics."""
        report = _report(output)
        if report is None:
            return None
        first = (report.get("properties") or [{}])[0]
        for fields in (report, first, first.get("statistics", {})):
            if identifier in fields:
                value = fields[identifier]
                return value if isinstance(value, str) else json.dumps(value)
        return None


def _is_specification(path):
    """Whether a property file is one of SV-COMP; if it can't be read, the command says why."""
    try:
        with open(path) as file:
            return "CHECK(" in file.read()
    except OSError:
        return True


def _report(output):
    """The JSON object that the command has printed, if it is whole."""
    lines = [str(line) for line in output]
    for begin, line in enumerate(lines):
        if line.startswith("{"):
            try:
                return json.JSONDecoder().raw_decode("\n".join(part.rstrip("\n") for part in lines[begin:]))[0]
            except json.JSONDecodeError:
                return None
    return None


def _violated(report):
    """The answer with the property that is violated, as SV-COMP names it."""
    unsafe = [one for one in report["properties"] if one["verdict"] == "unsafe"]
    error = unsafe[0].get("error") if unsafe else None
    if error is None:
        return result.RESULT_FALSE_PROP
    found = _VIOLATED.get(error, result.RESULT_FALSE_REACH)
    arguments = report.get("arguments", [])
    asked = [os.path.basename(name) for name in arguments if name.endswith(".prp")]
    if found == result.RESULT_FALSE_MEMTRACK and any("memcleanup" in name for name in asked):
        return result.RESULT_FALSE_MEMCLEANUP
    return found
