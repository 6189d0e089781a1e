"""Wrong configurations, bad files and full disks, tested with whole runs: each ends with the promised exit status and exactly
one line that begins with `stencil_run:`, leaves no files, and never hangs.

bad_inputs.py [TEXT] runs the cases whose name contains TEXT. The quick test runs every third case on the largest of its numbers of
ranks, and the other cases on the smallest number, which mostly is a run without mpirun.
"""

import os
import pathlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from bad_cases import CASES, config_text
from bad_files import make_files
from program import HUNG, in_turn, run


def launch(ranks):
    return f"{ranks} ranks" if ranks else "without mpirun"


def names_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def wrong_lines(case, outcome):
    """Checks the printed lines: a failed run prints exactly one error line, a successful run none. Returns the complaints."""
    errors = [line for line in outcome.stderr.splitlines() if line.startswith("stencil_run:")]
    wrong = []
    if len(errors) != (case.status != 0):
        wrong.append(f"{len(errors)} lines begin with 'stencil_run:'")
    if outcome.errors != errors:
        wrong.append("other lines on stderr")
    if errors and case.says not in errors[0]:
        wrong.append(f"the line does not name '{case.says}'")
    return wrong


def complaints(case, outcome, folder, before):
    """Compares a run with the documented behaviour of the program. Returns the complaints."""
    if outcome.status == HUNG:
        return [outcome.unexpected()]
    wrong = wrong_lines(case, outcome)
    if outcome.status != case.status:
        wrong.append(f"promised exit status {case.status}")
    left = sorted(names_in(folder) - before - {"config.ini", *case.leaves})
    if left:
        wrong.append(f"left behind: {', '.join(left)}")
    if not names_in(folder).issuperset(case.leaves):
        wrong.append(f"did not make {', '.join(case.leaves)}")
    if wrong:
        wrong.append(outcome.unexpected())
    return wrong


def run_case(case, ranks, templates):
    """Runs one case on one number of ranks. Returns the complaints; None if this machine does not allow the case."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        shutil.copytree(templates, folder, symlinks=True, dirs_exist_ok=True)
        undo = case.prepare(folder)
        if undo is None:
            return None
        try:
            before = names_in(folder)
            kept = {name: (folder / name).read_bytes() for name in case.untouched}
            config = config_text(case)
            outcome = run(folder, config, ranks, case.arguments, limit=40, shell_first=case.shell_first,
                          more_environment=case.more_environment)
            wrong = complaints(case, outcome, folder, before)
            if config is not None and (folder / "config.ini").read_text() != config:
                wrong.append("config.ini was changed")
            for name, content in kept.items():
                if (folder / name).read_bytes() != content:
                    wrong.append(f"{name} was changed")
            return wrong
        finally:
            undo()


def main(wanted):
    cases = [case for case in CASES if wanted in case.name]
    failed, skipped, done = 0, [], 0
    with tempfile.TemporaryDirectory() as templates, ThreadPoolExecutor(2) as workers:
        make_files(pathlib.Path(templates))
        runs = [(case, ranks) for case in cases for ranks in in_turn(case.ranks)]
        for (case, ranks), wrong in zip(runs, workers.map(lambda r: run_case(*r, templates), runs)):
            if wrong is None:
                skipped.append(f"{case.name} ({launch(ranks)})")
                continue
            done += 1
            if wrong:
                failed += 1
                print(f"{case.name}, {launch(ranks)}: {'; '.join(wrong)}", flush=True)
    if skipped:
        print(f"not tried on this machine: {', '.join(skipped)}")
    print(f"{done - failed} of {done} runs ended as promised ({len(cases)} inputs)")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
