"""stencil.run() and stencil.check(): reports, progress, errors as exceptions, Ctrl-C."""

import contextlib
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np
import scipy.ndimage
import scipy.signal
import stencil
from page import code_under

if importlib.util.find_spec("h5py") is None:
    print("SKIPPED: no h5py (scripts/install_packages --python)")
    sys.exit(77)
import h5py  # noqa: E402

X = np.random.default_rng(1).normal(size=20000)


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        with h5py.File(self.folder / "in.h5", "w") as file:
            file["x"] = X
        self.config = {"input": {"file": self.folder / "in.h5", "dataset": "/x", "sampling_rate": 4096},
                       "output": {"file": self.folder / "out.h5", "overwrite": True},
                       "stencil": {"mask": "bandpass", "taps": 101, "cutoff": [35, 350]}}

    def result(self, name="out.h5"):
        with h5py.File(self.folder / name) as file:
            return file["x"][()]

    def test_the_report_and_the_results(self):
        text = "\n".join(f"[{name}]\n" + "\n".join(f"{key} = {stencil.program.word_of(value)}" for key, value in keys.items())
                         for name, keys in self.config.items())
        (self.folder / "config.ini").write_text(text)
        expected = scipy.ndimage.correlate1d(X, stencil.masks.bandpass(101, (35, 350), 4096))
        for config, ranks in ((self.config, None), (text, None), (self.folder / "config.ini", 2), (str(self.folder / "config.ini"), None)):
            report = stencil.run(config, ranks=ranks)
            self.assertIn("seconds", str(report))
            self.assertIn("out.h5", str(report))
            np.testing.assert_allclose(self.result(), expected, rtol=0, atol=1e-13)
        stencil.run(self.config, output={"file": self.folder / "other.h5"}, stencil={"taps": 51})
        np.testing.assert_allclose(self.result("other.h5"), scipy.ndimage.correlate1d(X, stencil.masks.bandpass(51, (35, 350), 4096)), atol=1e-13)

    def test_the_code_of_the_page(self):
        with h5py.File(self.folder / "strain.h5", "w") as file:
            file["strain/Strain"] = X
            file["strain/Strain"].attrs["Xspacing"] = 1 / 4096
        path = stencil.program.written(self.config, self.folder)
        self.assertEqual(pathlib.Path(path).name, "config.ini")
        names, before = {"stencil": stencil}, os.getcwd()
        os.chdir(self.folder)
        try:
            exec(code_under("Runs on files"), names)
        finally:
            os.chdir(before)
        self.assertIn("out.h5", str(names["report"]))
        self.assertEqual(names["plan"]["program"], "stencil_run")

    def test_the_plan(self):
        plan = stencil.check(self.config)
        self.assertEqual(plan["program"], "stencil_run")
        self.assertFalse((self.folder / "out.h5").exists())

    def test_errors_have_types_and_one_line(self):
        for keys, kind, base, words in (({"stencil": {"taps": 0}}, stencil.ConfigError, ValueError, "taps"),
                                        ({"input": {"file": self.folder / "none.h5"}}, stencil.StorageError, OSError, "none.h5"),
                                        ({"output": {"file": self.folder / "none" / "out.h5"}}, stencil.StorageError, OSError, "none")):
            for call in (stencil.run, stencil.check):
                with self.assertRaises(kind) as caught:
                    call(self.config, **keys)
                self.assertIsInstance(caught.exception, base)
                self.assertIn(words, str(caught.exception))
                self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(stencil.Error, "not an executable file"):
            stencil.run(self.config, program=self.folder)

    def test_progress_with_and_without_tqdm(self):
        screen = io.StringIO()
        with contextlib.redirect_stderr(screen):
            stencil.run(self.config, progress=True)
        self.assertIn("100%" if importlib.util.find_spec("tqdm") else "100 %", screen.getvalue())
        hidden = "import sys; sys.modules['tqdm'] = sys.modules['tqdm.auto'] = None; import stencil; stencil.run(sys.argv[1], progress=True)"
        path = stencil.program.written(self.config, self.folder)
        done = subprocess.run([sys.executable, "-c", hidden, path], capture_output=True, text=True)
        self.assertIn("progress: 100 % done", done.stderr)

    def test_a_keyboard_interrupt_ends_the_run_and_its_files(self):
        code = ("import os, signal, stencil, sys, threading\n"
                "threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                "try:\n"
                "    stencil.run(sys.argv[1])\n"
                "except KeyboardInterrupt:\n"
                "    print('interrupted')\n")
        config = {"input": {"file": self.folder / "in.h5", "dataset": "/x"}, "output": {"file": self.folder / "out.h5"},
                  "stencil": {"mask": "binomial", "size": 3, "steps": 10**9}}
        began = time.monotonic()
        done = subprocess.run([sys.executable, "-c", code, stencil.program.written(config, self.folder)], capture_output=True, text=True, timeout=50)
        self.assertEqual(done.stdout, "interrupted\n", done.stderr)
        self.assertGreater(time.monotonic() - began, 1.9)
        self.assertEqual(sorted(os.listdir(self.folder)), ["config.ini", "in.h5"])


if __name__ == "__main__":
    sys.exit(unittest.main())
