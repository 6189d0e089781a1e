"""Calls of stencil_bench ways."""

import json
import os
import statistics
import subprocess
import sys


class Ways:
    """A running stencil_bench that times every way of a problem; see reduced()."""

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
        """The answer to a problem, its lists replaced by one number each."""
        return reduced(problem, self.ask(problem, rounds))

    def ask(self, problem, rounds):
        """The answer as it is; without rounds it has the ways and their amounts, and no seconds."""
        self.bench.stdin.write(json.dumps(dict(problem, rounds=rounds)) + "\n")
        self.bench.stdin.flush()
        line = self.bench.stdout.readline()
        if not line:
            sys.exit(f"stencil_bench ways ended at {problem}")
        return json.loads(line)


def reduced(problem, answer):
    """An answer with the highest rate and, of each way, the least seconds; on GPUs the median of those of computing.

    What a way takes is setting up and computing; on GPUs that, or what inputs and outputs take between host and GPU,
    whichever is more, as both happen at the same time.
    """
    on_gpu = problem.get("backend") == "cuda"
    answer["adds_per_second"] = max(answer["adds_per_second"])
    for way in answer["ways"].values():
        way["setup"] = min(way["setup"])
        way["compute"] = statistics.median(way["compute"]) if on_gpu else min(way["compute"])
        way["seconds"] = max(way["setup"] + way["compute"], answer.get("transfer", 0))
    return answer
