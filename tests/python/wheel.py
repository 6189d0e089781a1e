"""`pip wheel .` makes a wheel that works in a new environment, with the oldest supported NumPy and without SciPy.

The test is skipped if pip cannot reach a package index."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMPY = "1.24.*" if sys.version_info < (3, 12) else ">=1.26"
CODE = """
import numpy as np, stencil
x = np.zeros((9, 9), np.float32)
x[4, 4] = 1
assert np.allclose(stencil.gaussian_filter(x, 1).sum(), 1)
assert (stencil.correlate(x, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])[3:6, 3:6] == np.arange(9, 0, -1).reshape(3, 3)).all()
assert stencil.oaconvolve(np.ones(5000), np.ones(300)).max() > 299
print(stencil.__version__, np.__version__)
"""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        python = folder / "environment" / "bin" / "python"
        status, words = run(sys.executable, "-m", "venv", folder / "environment")
        if status == 0:
            status, words = run(python, "-m", "pip", "install", "--quiet", "--retries", "1", f"numpy{'' if NUMPY[0] == '>' else '=='}{NUMPY}")
        if status:
            print(f"SKIPPED: no fresh environment with NumPy {NUMPY}: {words.splitlines()[-1][:200]}")
            return 77
        for step in ((python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder / "wheels", ROOT),
                     (python, "-m", "pip", "install", "--no-deps", "--no-index", "--find-links", folder / "wheels", "stencil"),
                     (python, "-c", CODE)):
            status, words = run(*step)
            if status:
                print(words[-3000:])
                return 1
        print(words)
        return 0


if __name__ == "__main__":
    sys.exit(main())
