"""Calls of stencil_bench ways."""

import json
import os
import subprocess
import sys


class Ways:
    """A running stencil_bench that times every way of a problem; its seconds are the least of its rounds."""

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
        """The answer to a problem, its lists replaced by the least seconds and the highest rate."""
        self.bench.stdin.write(json.dumps(dict(problem, rounds=rounds)) + "\n")
        self.bench.stdin.flush()
        line = self.bench.stdout.readline()
        if not line:
            sys.exit(f"stencil_bench ways ended at {problem}")
        answer = json.loads(line)
        answer["adds_per_second"] = max(answer["adds_per_second"])
        for way in answer["ways"].values():
            for key in ("setup", "compute"):
                way[key] = min(way[key])
            way["seconds"] = way["setup"] + way["compute"]
        return answer
