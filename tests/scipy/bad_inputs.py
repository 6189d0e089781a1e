"""Bad words, bad files and full disks, end to end: the promised exit status, one line, nothing left
behind, never a hang.

bad_inputs.py [TEXT] runs the cases whose name contains TEXT.
"""

import os
import pathlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from bad_cases import CASES, config_text
from bad_files import make_files
from program import HUNG, run

ALONE_AND_TOGETHER = (1, 3)


def leftovers(folder, before):
    """Files that the run left in its folder, beside those that were there."""
    now = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    return sorted(now - before - {"config.ini"})


def complaints(case, outcome, folder, before):
    """What a failed run did other than promised."""
    if outcome.status == HUNG:
        return [f"hung; stderr {outcome.errors}"]
    wrong = []
    if outcome.status != case.status:
        wrong.append(f"exit status {outcome.status}, promised {case.status}")
    if len(outcome.errors) != 1:
        wrong.append(f"{len(outcome.errors)} lines on stderr")
    elif not outcome.errors[0].startswith("stencil_run: "):
        wrong.append("the line does not start with 'stencil_run: '")
    elif case.says not in outcome.errors[0]:
        wrong.append(f"the line does not name '{case.says}'")
    left = leftovers(folder, before)
    if left:
        wrong.append(f"left behind: {', '.join(left)}")
    if wrong:
        wrong.append(f"stderr: {outcome.errors}")
    return wrong


def run_case(case, ranks, templates):
    """Complaints about one case on one number of ranks; None where it cannot be tried here."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        shutil.copytree(templates, folder, symlinks=True, dirs_exist_ok=True)
        undo = case.prepare(folder)
        if undo is None:
            return None
        try:
            before = {str(path.relative_to(folder)) for path in folder.rglob("*")}
            kept = {name: (folder / name).read_bytes() for name in case.untouched}
            outcome = run(
                folder, config_text(case), ranks, case.arguments, limit=40, shell_first=case.shell_first
            )
            wrong = complaints(case, outcome, folder, before)
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
        runs = [(case, ranks) for case in cases for ranks in ALONE_AND_TOGETHER]
        for (case, ranks), wrong in zip(runs, workers.map(lambda r: run_case(*r, templates), runs)):
            if wrong is None:
                skipped.append(f"{case.name} ({ranks} ranks)")
                continue
            done += 1
            if wrong:
                failed += 1
                print(f"{case.name}, {ranks} ranks: {'; '.join(wrong)}", flush=True)
    if skipped:
        print(f"not tried on this machine: {', '.join(skipped)}")
    print(f"{done - failed} of {done} failing runs ended as promised ({len(cases)} bad inputs)")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
