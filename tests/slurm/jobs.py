"""The scripts of examples/slurm under a real Slurm: launchers, signals, time limits, preemption, arrays, requeueing.

jobs.py quick|full [TEXT] tries the cases whose name contains TEXT; `full` includes cases that wait for minutes.
"""

import pathlib
import shutil
import sys
import tempfile

from cluster import Cluster, missing_programs

if missing_programs():
    print(f"SKIPPED: no Slurm ({', '.join(missing_programs())}): scripts/install_packages --slurm brings it")
    sys.exit(77)

import launched  # noqa: E402, F401
import stopped  # noqa: E402, F401
from batch import MANY, MINUTES, SECONDS, SHORT, bytes_of_run  # noqa: E402
from registry import CASES, NIGHTLY, try_all  # noqa: E402


def right_bytes(folder, extent):
    """The correct outputs, which are made by runs without Slurm, one for each stencil."""
    folder.mkdir()
    stencils = [SHORT, SECONDS, MANY, *[MINUTES] * (extent == "full")]
    known = {stencil["steps"]: bytes_of_run(folder / stencil["steps"], stencil) for stencil in stencils}
    return lambda stencil: known[stencil["steps"]]


def main(extent, wanted=""):
    names = [name for name in CASES if wanted in name and (extent == "full" or name not in NIGHTLY)]
    place = pathlib.Path(tempfile.mkdtemp(prefix="sl", dir="/tmp"))  # paths of sockets must be short
    place.chmod(0o755)
    try:
        right = right_bytes(place / "right", extent)
        with Cluster(place) as cluster:
            wrong = try_all(names, place, cluster, right)
            print("\n".join(wrong) or f"{len(names)} cases ended as promised")
            if wrong:
                print(cluster.logs())
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
