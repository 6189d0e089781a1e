"""Runs cases of stencil_bench."""

import json
import os
import re
import subprocess
import sys


class Bench:
    """A built stencil_bench, run with a number of threads."""

    def __init__(self, program, threads, seconds):
        """seconds: the shortest total time of the repetitions of a case."""
        self.program, self.seconds = program, seconds
        self.words = dict(os.environ, OMP_NUM_THREADS=str(threads))
        if not os.access(program, os.X_OK):
            sys.exit(f"{program} is not built: cmake --build --preset release --target stencil_bench (it needs "
                     "libbenchmark-dev), or name a build folder with --build")

    def output_of(self, *arguments):
        return subprocess.run([self.program, *arguments], env=self.words, check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def names(self):
        return [name.removesuffix("/manual_time") for name in self.output_of("--benchmark_list_tests").split()]

    def measure(self, name):
        """Returns billions of points per second, the lower limit of the time over the measured time, and the line about the kernels."""
        text = self.output_of(f"--benchmark_filter=^{re.escape(name)}(/manual_time)?$", "--benchmark_format=json",
                              f"--benchmark_min_time={self.seconds}")
        run = json.loads(text)
        result, = run["benchmarks"]
        return result["Gpt/s"], result["share"], run["context"]["kernels"]
