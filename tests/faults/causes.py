"""Runs in which the operating system refuses one call on a file, or this call and all later calls of its kind. The error
message must give the reason that the system gives, and no other reason.

    causes.py quick       a sample of the calls
    causes.py NUMBER      a sample of this number of calls
    causes.py full        every call
"""

import errno
import os
import re
import sys
import tempfile

from faults import SHIM, Bench, Fault, faults_of, sample, tell
from jobs import JOBS, Job

# The calls that can fail with each system error. Errors that concern the content of files are not tested here.
WAYS = {
    "EIO": "open read pread fstat stat",
    "EMFILE": "open",
    "ENFILE": "open",
    "EACCES": "open stat",
    "ENOMEM": "open read pread stat",
    "ENAMETOOLONG": "open stat link rename",
    "ESTALE": "open read pread fstat stat",
}
WAYS = {kind: calls.split() for kind, calls in WAYS.items()}
# in this job the mask is read from a virtual dataset, and not the input
JOBS["mask file"] = Job(stencil={"mask": "input.h5:/mask"}, is_virtual=True, ranks=(0,))
TRIED = ("chunked", "virtual", "overwrite", "report", "checkpoint", "mask file", "bank")
SAMPLE = 45
# Statements about the content of a file or about the folder, which the program cannot derive from the failed call.
CLAIMS = re.compile("damaged|malformed|not whole|truncated|copy it again|holds no|lost data|missing|make .* writable|"
                    "not an HDF5|shorter name|ulimit|permission")
# Texts that CLAIMS matches although they are true for the given error.
FITTING = {
    "EMFILE": "ulimit",
    "EACCES": "permission|make .* writable",
    "ENAMETOOLONG": "shorter name",
}


def wrong_words(fault, outcome):
    """Checks the message of a run in which the fault occurred. Returns the complaints."""
    said = " ".join(line for line in outcome.stderr.splitlines() if line.startswith("stencil_run:"))
    if outcome.status == 2:  # the configuration is valid
        return ["status 2", said]
    if outcome.status != 3:
        return []
    wrong = []
    if os.strerror(getattr(errno, fault.kind)) not in said:
        wrong.append("the system's reason is not named")
    claims = {claim for claim in CLAIMS.findall(said.replace(os.strerror(getattr(errno, fault.kind)), ""))
              if not re.fullmatch(FITTING.get(fault.kind, "-"), claim)}
    return wrong + [f"claims: {claim}" for claim in sorted(claims)] + ([said] if wrong or claims else [])


def plan(bench):
    for name in TRIED:
        _, calls, _ = bench.attempt(Fault(name, 0, 0, "none", 0, "EIO"))
        yield from faults_of(name, 0, calls, WAYS)


def main(extent):
    if not os.access(SHIM, os.R_OK):
        sys.exit(f"STENCIL_FAULT_SHIM is '{SHIM}': set it to the built fault_shim")
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(place, TRIED)
        faults = list(plan(bench))
        if extent == "quick":
            faults = sample(faults, SAMPLE)
        elif extent != "full":
            faults = sample(faults, int(extent))
        told = failed = 0
        for number, fault in enumerate(faults):
            os.environ["STENCIL_FAULT_LASTS"] = str(number % 2)
            outcome, hits, _ = bench.attempt(fault)
            told += bool(hits) and outcome.status == 3
            if wrong := wrong_words(fault, outcome):
                failed += 1
                tell(fault, wrong, hits[0].path if hits else "not met")
    print(f"{len(faults)} runs, {told} ended with a message, {failed} of them with a wrong one")
    return 1 if failed or told < len(faults) // 4 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
