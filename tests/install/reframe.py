"""reframe.py SOURCE STENCIL_RUN: the tests of packaging/reframe in ReFrame succeed with the program, and fail with a program that only copies its input.

ReFrame is installed into STENCIL_REFRAME (~/.cache/stencil/reframe). The exit status is 77 (skipped) if it cannot be installed.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLACE = pathlib.Path(os.environ.get("STENCIL_REFRAME", pathlib.Path.home() / ".cache" / "stencil" / "reframe"))
COPIES = "#!/bin/sh\n[ \"${OMPI_COMM_WORLD_RANK:-0}\" != 0 ] || cp in.h5 out.h5\necho 'progress: wrote out.h5:/x' >&2\necho 'progress: computed in 1 s' >&2\n"


def is_installed():
    """True if ReFrame is installed, or could be installed now."""
    if not (PLACE / "bin" / "reframe").exists():
        for command in ([sys.executable, "-m", "venv", PLACE], [PLACE / "bin" / "pip", "install", "--quiet", "reframe-hpc ==4.*"]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                print(f"SKIPPED: no ReFrame: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
                return False
    return True


def outcome(source, folder, program):
    """Runs the tests with a program. Returns the ended process, and the three numbers that ReFrame prints: those of the test cases that were
    run, of all test cases, and of the failed test cases."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "stencil_run").symlink_to(program)
    words = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": str(folder), "TMPDIR": str(folder), "OMP_NUM_THREADS": "1"}
    recipes = source / "packaging" / "reframe"
    done = subprocess.run([PLACE / "bin" / "reframe", "-C", recipes / "workstation.py", "-c", recipes / "stencil_check.py", "-r", "--nocolor",
                           "-S", f"python={sys.executable}", "-S", "points=100000"],
                          cwd=folder, env=words, capture_output=True, text=True, timeout=300)
    found = re.search(r"Ran (\d+)/(\d+) test case\(s\) from \d+ check\(s\) \((\d+) failure", done.stdout)
    return done, tuple(map(int, found.groups())) if found else None


def main(source, program):
    if not is_installed():
        return 77
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copies = folder / "copies"
        copies.write_text(COPIES)
        copies.chmod(0o755)
        for label, run, expected in (("stencil_run", program, (3, 3, 0)), ("a program that copies", copies, (3, 3, 3))):
            done, counts = outcome(source, folder / label.replace(" ", "_"), run)
            if counts != expected or (done.returncode == 0) != (expected[2] == 0):
                wrong.append(f"{label}: status {done.returncode}, {counts}\n{done.stdout}{done.stderr}")
    print("\n".join(wrong) or "ReFrame passes 3 test cases, and finds wrong results")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: reframe.py SOURCE STENCIL_RUN")
    sys.exit(main(*(pathlib.Path(word).resolve() for word in sys.argv[1:])))
