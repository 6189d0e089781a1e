"""The behaviour of the module in a process: Ctrl-C, Python threads, fork, memory, import without MPI."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
import stencil


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50)


class Process(unittest.TestCase):
    def test_a_signal_ends_a_long_call(self):
        # at least a minute of work; the handler of the alarm is called during the call
        x, weights = np.zeros((8000, 8000), np.float32), np.random.default_rng(0).normal(size=(41, 43))

        class Rang(Exception):
            pass

        def ring(number, frame):
            raise Rang

        before = signal.signal(signal.SIGALRM, ring)
        try:
            for threads in (1, 2):
                signal.setitimer(signal.ITIMER_REAL, 0.3)
                with self.assertRaises(Rang):
                    for _ in range(1000):
                        stencil.correlate(x, weights, threads=threads)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def test_a_keyboard_interrupt_is_raised_within_the_call(self):
        code = ("import numpy as np, os, signal, stencil, threading\n"
                "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                "try:\n"
                "    stencil.iterate(np.zeros((3000, 3000)), np.ones((5, 5)) / 25, 10**6)\n"
                "except KeyboardInterrupt:\n"
                "    print('interrupted')\n")
        self.assertEqual(run(code).stdout, "interrupted\n")

    def test_other_threads_of_python_go_on(self):
        x, ended = np.zeros((2000, 2000)), threading.Event()
        count = 0

        def work():
            stencil.iterate(x, np.ones((5, 5)) / 25, 40, threads=1)
            ended.set()

        worker = threading.Thread(target=work)
        worker.start()
        while not ended.is_set():
            count += 1
            time.sleep(0.001)
        worker.join()
        self.assertGreater(count, 20)

    def test_several_threads_filter_at_the_same_time(self):
        x = np.random.default_rng(1).normal(size=(300, 400))
        expected, found = stencil.gaussian_filter(x, 2), [None] * 8
        threads = [threading.Thread(target=lambda k=k: found.__setitem__(k, stencil.gaussian_filter(x, 2))) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in found:
            np.testing.assert_array_equal(result, expected)

    def test_a_forked_process_computes(self):
        code = ("import numpy as np, os, stencil\n"
                "x = np.arange(4e6).reshape(2000, 2000)\n"
                "want = stencil.gaussian_filter(x, 2, threads=2)\n"
                "child = os.fork()\n"
                "if child == 0:\n"
                "    os._exit(0 if (stencil.gaussian_filter(x, 2, threads=2) == want).all() else 1)\n"
                "print(os.waitpid(child, 0)[1])\n")
        self.assertEqual(run(code).stdout, "0\n")

    def test_import_needs_neither_mpi_nor_hdf5(self):
        code = ("import sys, stencil\n"
                "print(any(word in line for line in open('/proc/self/maps') for word in ('libmpi', 'libhdf5')))\n"
                "print('scipy' in sys.modules)\n")
        self.assertEqual(run(code).stdout, "False\nFalse\n")

    @unittest.skipUnless(pathlib.Path("/proc/self/status").exists(), "no /proc")
    def test_a_call_takes_little_memory_beside_its_arrays(self):
        code = ("import numpy as np, stencil\n"
                "def status(name):\n"
                "    return next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith(name))\n"
                "small = stencil.{call}(np.ones((600, 600), np.float32), {rest}, threads=2)\n"
                "x = np.ones((4000, 4000), np.float32)\n"
                "before = status('VmRSS')\n"
                "stencil.{call}(x, {rest}, threads=2)\n"
                "print((status('VmHWM') - before) * 1024 / x.nbytes)\n")
        for call, rest in (("gaussian_filter", "2.0"), ("correlate", "np.ones((5, 5))"), ("sobel", "0"), ("uniform_filter", "9")):
            with self.subTest(call=call):
                output = run(code.format(call=call, rest=rest)).stdout
                # the memory in units of the size of the array: that of the output, and at most a tenth of an array in addition
                self.assertLess(float(output), 1.1)


if __name__ == "__main__":
    sys.exit(unittest.main())
