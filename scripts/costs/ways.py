"""Runs `stencil_bench ways`."""

import json
import os
import statistics
import subprocess
import sys


class Ways:
    """A running stencil_bench that times every way to compute a problem; see reduced()."""

    def __init__(self, build, threads):
        program = build / "bin" / "stencil_bench"
        if not os.access(program, os.X_OK):
            sys.exit(f"{program} is not built: cmake --build --preset release --target stencil_bench (it needs "
                     "libbenchmark-dev), or name a build folder with --build")
        self.bench = subprocess.Popen([program, "ways"], env=dict(os.environ, OMP_NUM_THREADS=str(threads)), text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.bench.stdin.close()
        self.bench.wait()

    def time(self, problem, rounds):
        """Returns the answer of stencil_bench to a problem, with one number in place of each list; see reduced()."""
        return reduced(problem, self.ask(problem, rounds))

    def ask(self, problem, rounds):
        """Returns the unchanged answer. With rounds = 0, it has the ways and their amounts of work, but no seconds."""
        self.bench.stdin.write(json.dumps(dict(problem, rounds=rounds)) + "\n")
        self.bench.stdin.flush()
        line = self.bench.stdout.readline()
        if not line:
            sys.exit(f"stencil_bench ways ended at {problem}")
        return json.loads(line)


def reduced(problem, answer):
    """Returns the answer with one number in place of each list: the highest rate of multiply-adds, and the minimum of the seconds of each
    way; on GPUs the median of the seconds of computing.

    The seconds of a way are the sum of the seconds of setting up and of computing. On GPUs they are at least the seconds of the transfers
    between host and GPU, because the transfers happen at the same time.
    """
    on_gpu = problem.get("backend") == "cuda"
    answer["adds_per_second"] = max(answer["adds_per_second"])
    for way in answer["ways"].values():
        way["setup"] = min(way["setup"])
        way["compute"] = statistics.median(way["compute"]) if on_gpu else min(way["compute"])
        way["seconds"] = max(way["setup"] + way["compute"], answer.get("transfer", 0))
    return answer
