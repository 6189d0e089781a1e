"""ended_jobs.py PROGRAM MPIEXEC KIND RANKS [WORDS]: a job in which one rank fails while other ranks wait for it (hanging_job.cpp,
session_job.cpp) ends soon, with the status in STATUS (4 for most kinds) and one line that contains WORDS, or without a line if the
job succeeds. The exit status is 77 (skipped) if the kind needs a GPU for every rank and there are not enough GPUs."""

import os
import subprocess
import sys
import time

STATUS = {"crash": 3, "foreign": 1, "caught": 0}
program, mpiexec, kind, ranks, words = *sys.argv[1:5], " ".join(sys.argv[5:])
if kind in ("peer", "nccl"):
    gpus = int(subprocess.run([program, "gpus"], check=True, capture_output=True, text=True).stdout)
    if gpus < int(ranks):
        print(f"SKIPPED: no GPU for each of {ranks} ranks, there are {gpus}")
        sys.exit(77)
started = time.monotonic()
command = [mpiexec, "--oversubscribe", "--bind-to", "none", "-n", ranks, program, kind]
outcome = subprocess.run(
    command, env={**os.environ, "STENCIL_STALL_SECONDS": "2"}, capture_output=True, text=True, timeout=90
)
seconds = time.monotonic() - started
own = [line for line in outcome.stderr.splitlines() if line.startswith(os.path.basename(program) + ": ")]
expected = STATUS.get(kind, 4)
is_right = outcome.returncode == expected and len(own) == (expected != 0) and all(words in line for line in own)
if kind in ("crash", "exit"):
    is_right &= outcome.stderr.count("cleared up") == 1
print(f"{kind} on {ranks} ranks: status {outcome.returncode} after {seconds:.1f} s\n{outcome.stderr}")
sys.exit(0 if is_right and seconds < 60 else 1)
