"""Tests of an installed stencil_run for ReFrame.

    reframe -C packaging/reframe/workstation.py -c packaging/reframe/stencil_check.py -r

-C names the configuration of a site; workstation.py is a configuration for a machine without a batch system. `-S modules=stencil` loads a
module, and `-S python=...` names a Python with h5py and NumPy. On a partition with more processors, `-S points=...` makes a longer signal.
"""

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, performance_function, run_after, run_before, sanity_function, variable

# The input has whole numbers, so that the sums over five points are exact and one wrong bit is detected.
INPUT = "import h5py, numpy; h5py.File('in.h5', 'w')['x'] = numpy.arange({points}) % 1000.0"
OUTPUT = ("import h5py, numpy; x = numpy.pad(h5py.File('in.h5')['x'][:], 2, mode='symmetric'); "
          "y = h5py.File('out.h5')['x'][:]; right = sum(x[k:k + y.size] for k in range(5)); "
          "print('wrong points:', numpy.count_nonzero(y != right), 'of', y.size)")
CONFIG = ("[input]", "file = in.h5", "dataset = /x", "[stencil]", "mask = 1 1 1 1 1", "[output]", "file = out.h5", "overwrite = true")


@rfm.simple_test
class StencilRun(rfm.RunOnlyRegressionTest):
    """A signal is filtered on several numbers of ranks, and every point of the output is compared."""

    descr = "stencil_run filters a signal, and every point is right"
    ranks = parameter([1, 2, 4])
    points = variable(int, value=4_000_000)
    python = variable(str, value="python3")
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "stencil_run"
    executable_opts = ["config.ini", "--progress", "lines"]

    @run_after("init")
    def set_tasks(self):
        self.num_tasks = self.ranks

    @run_before("run")
    def set_commands(self):
        lines = " ".join(f"'{line}'" for line in CONFIG)
        self.prerun_cmds = [f"printf '%s\\n' {lines} >config.ini", f'{self.python} -c "{INPUT.format(points=self.points)}"']
        self.postrun_cmds = [f'{self.python} -c "{OUTPUT}"']

    @sanity_function
    def every_point_is_right(self):
        return sn.all([sn.assert_found(rf"^wrong points: 0 of {self.points}$", self.stdout),
                       sn.assert_found(r"progress: wrote out.h5:/x", self.stderr)])

    @performance_function("s")
    def computing(self):
        return sn.extractsingle(r"computed in (\S+) s", self.stderr, 1, float)
