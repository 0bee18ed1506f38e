"""An engine for SymbiYosys (sby) that calls craig: modes bmc, prove, live and cover.

To use it, copy this file into sby's folder of modules (`share/yosys/python3`, or `sbysrc` of a checkout), and add to the
chains of engines in `sby_mode_bmc.py`, `sby_mode_prove.py`, `sby_mode_live.py` and `sby_mode_cover.py`:

    elif engine[0] == "craig":
        import sby_engine_craig
        sby_engine_craig.run("prove", task, engine_idx, engine)

with the name of the mode, and to the paths of programs (`exe_paths` in `sby_core.py`, or in `sby.py` of older versions)
`"craig": os.getenv("CRAIG", "craig")`; without that, the variable CRAIG, or the search path, has the program. A task names it
as `craig`, and what follows are options of `craig hwmcc` as `--option=value`:

    [engines]
    craig --threads=2 --timeout=600

With `words` before them, the modes bmc and prove have the circuit over words (BTOR2), in which memories stay memories.

Without a change of sby, craig takes the place of its solvers:

    sby --suprove "craig sby-aiger" --aigbmc "craig sby-aiger" --rIC3 "craig sby-aiger" --btormc "craig sby-btor" ..
"""

import os

from sby_core import SbyProc


def command(task, name):
    """The command line of one of craig's commands."""
    program = task.exe_paths.get("craig", os.getenv("CRAIG", "craig"))
    return f"{program} {name}"


def set_engine_status(task, engine_idx, status):
    """Notes the status of this engine, in versions of sby that have a summary of them."""
    if hasattr(task.summary, "set_engine_status"):
        task.summary.set_engine_status(engine_idx, status)


def at_exit(proc, callback):
    """Calls back when the process has ended, in old versions of sby, too."""
    if hasattr(proc, "register_exit_callback"):
        proc.register_exit_callback(callback)
    else:
        proc.exit_callback = callback


def run(mode, task, engine_idx, engine):
    options = engine[1:]
    has_words = options[:1] == ["words"]
    options = options[has_words:]
    if not all(option.startswith("--") for option in options):
        task.error("craig: expected `words`, and options as --option=value.")
    if mode == "cover" or has_words and mode in ["bmc", "prove"]:
        return run_words(mode, task, engine_idx, options)
    if mode not in ["bmc", "prove", "live"]:
        task.error(f"craig: the mode {mode} is not supported.")
    words = [command(task, "sby-aiger"), *options]
    if mode == "bmc":
        words += ["--bmc-max-k", str(task.opt_depth - 1)]
    # sby passes empty lines over, which circuits without registers, or without inputs, have in their witness.
    witness = f"engine_{engine_idx}/trace.aiw"
    proc = SbyProc(
        task,
        f"engine_{engine_idx}",
        task.model("aig"),
        f"cd {task.workdir}; set -o pipefail; {' '.join(words)} model/design_aiger.aig | tee {witness}",
        logfile=open(f"{task.workdir}/engine_{engine_idx}/logfile.txt", "w"),
    )
    proc.checkretcode = True
    status = {"0": "PASS", "1": "FAIL", "2": "PASS" if mode == "bmc" else "UNKNOWN"}
    found = None

    def output_callback(line):
        nonlocal found
        if found is None:
            if line.startswith("u"):
                return f"No counterexample up to step {int(line[1:])}."
            if line not in status:
                return line
            found = status[line]
        return None

    def exit_callback(retcode):
        if found is None:
            task.error(f"engine_{engine_idx}: craig gave no status.")
        task.update_status(found)
        set_engine_status(task, engine_idx, found)
        task.terminate()
        # Circuits for liveness have inputs that are in no map of signals.
        if found == "FAIL" and mode != "live":
            convert(task, engine_idx, "aiw2yw", "trace.aiw", "design_aiger.ywa", "trace.yw")

    proc.output_callback = output_callback
    at_exit(proc, exit_callback)


def run_words(mode, task, engine_idx, options):
    """Each assertion or goal is a bad of the model: none may be reached, or all of them have to be."""
    words = [command(task, "sby-btor"), *options, "--stop-first", "0" if mode == "cover" else "1"]
    if mode != "prove":
        words += ["-kmax", str(task.opt_depth - 1)]
    proc = SbyProc(
        task,
        f"engine_{engine_idx}",
        task.model("btor"),
        f"cd {task.workdir}; {' '.join(words)} model/design_btor.btor",
        logfile=open(f"{task.workdir}/engine_{engine_idx}/logfile.txt", "w"),
    )
    # What is not decided is no error in the mode prove, which has no bound.
    proc.checkretcode = mode != "prove"
    expected = None
    is_finished = False
    runs = []

    def output_callback(line):
        nonlocal expected, is_finished
        words = line.split()
        if "calling BMC on" in line:
            expected = int(words[4])
            return line
        if "deleting model checker" in line:
            is_finished = True
            return None
        if line == "sat":
            runs.append([])
        if runs and not line.startswith("[craig]"):
            runs[-1].append(line)
            return None
        return line

    def exit_callback(retcode):
        is_open = retcode == 30 and mode == "prove"
        if not is_open and (not is_finished or expected is None):
            task.error(f"engine_{engine_idx}: craig gave no status.")
        for number, lines in enumerate(runs):
            with open(f"{task.workdir}/engine_{engine_idx}/trace{number}.wit", "w") as file:
                file.write("".join(line + "\n" for line in lines))
        is_passed = len(runs) == expected if mode == "cover" else not runs
        found = "UNKNOWN" if is_open else "PASS" if is_passed else "FAIL"
        task.update_status(found)
        set_engine_status(task, engine_idx, found)
        task.terminate()
        for number in range(len(runs)):
            convert(task, engine_idx, "wit2yw", f"trace{number}.wit", "design_btor.ywb", f"trace{number}.yw")

    proc.output_callback = output_callback
    at_exit(proc, exit_callback)


def convert(task, engine_idx, how, run, names, witness):
    """Makes a witness of Yosys of a run, and replays it by `yosys sim`, which checks assumptions and writes the waves."""
    folder = f"engine_{engine_idx}"
    converted = SbyProc(
        task,
        folder,
        [],
        f"cd {task.workdir}; {task.exe_paths['witness']} {how} {folder}/{run} model/{names} {folder}/{witness}",
    )
    try:
        from sby_sim import sim_witness_trace
    except ImportError:
        # Versions before 2022 have waves from SMT solvers only.
        return

    def replay(retcode):
        if retcode != 0:
            return
        # Waves are those of `yosys sim` here, whatever makes them for other engines.
        chosen, task.opt_vcd_sim = task.opt_vcd_sim, True
        sim_witness_trace(folder, task, engine_idx, f"{folder}/{witness}", append=task.opt_append)
        task.opt_vcd_sim = chosen

    at_exit(converted, replay)
