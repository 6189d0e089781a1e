"""The installed tests of SciPy, with SciPy's functions replaced by those of Stencil (through_stencil.py).

scipy_own_tests.py [NAME]: runs the tests that call a function that Stencil offers; with STENCIL_TEST_THOROUGH all of them, otherwise
a sample. NAME: only the tests of one file. Tests that do not apply are listed in DOES_NOT_APPLY, each with the reason; a test in
that list that passes is an error. The test is skipped if SciPy's tests or pytest are not installed.
"""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import scipy

from compared import THOROUGH

# for each module of SciPy: the tests that call functions which Stencil offers, and the sample of these tests
SUITES = {
    "scipy.ndimage.tests.test_filters": (
        "correlate or convolve or gauss or uniform or sobel or prewitt or laplac or gradient or modes or extend or origin or byte or "
        "overlap or footprint or axes", "gauss or sobel or prewitt or modes or convolve01"),
    "scipy.ndimage.tests.test_datatypes": ("", ""),
    "scipy.signal.tests.test_savitzky_golay": ("", ""),
    "scipy.signal.tests.test_signaltools": ("FFTConvolve or OAConvolve or FreqConv", "TestFFTConvolve"),
}
# a regular expression of the test's name, and the reason
DOES_NOT_APPLY = {
    r"test_gauss03\b": "the sum over a float32 result is wanted to 3e-8: sums are in float32, where SciPy's are in float64",
    r"test_multiple_modes_sequentially\b": "bits of two passes: both axes are computed at once, without rounding in between",
    r"test_longdtype_input\[(float128|complex256)": "results of longdouble arrays are wanted as longdouble: they are float64",
}


def run_suite(module, words, folder):
    """Runs one file of tests. @returns the outcome of each test by its name, the number of calls, and the output"""
    report = folder / "outcomes.json"
    environment = dict(os.environ, STENCIL_OUTCOMES=str(report))
    environment["PYTHONPATH"] = os.pathsep.join([str(pathlib.Path(__file__).parent), environment.get("PYTHONPATH", "")])
    command = [sys.executable, "-B", "-m", "pytest", "-q", "--no-header", "--color=no", "-p", "through_stencil", "-p", "no:cacheprovider",
               "--pyargs", module, *(["-k", words] if words else [])]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    found = json.loads(report.read_text()) if report.exists() else {"outcomes": {}, "calls": 0}
    outcomes = {"::".join(name.split("::")[1:]): outcome for name, outcome in found["outcomes"].items()}
    return outcomes, found["calls"], done.stdout + done.stderr


def judged(outcomes):
    """Returns lines that describe the failures, the number of tests that passed, and the number of tests that do not apply."""
    wrong, passed, without = [], 0, 0
    for name, outcome in outcomes.items():
        reason = next((words for pattern, words in DOES_NOT_APPLY.items() if re.search(pattern, name)), None)
        if outcome == "failed":
            without += reason is not None
            if reason is None:
                wrong.append(f"{name}: {outcome}")
        elif outcome == "passed":
            passed += 1
            if reason is not None:
                wrong.append(f"{name} passes: take it from DOES_NOT_APPLY ({reason})")
    return wrong, passed, without


def main(chosen):
    if importlib.util.find_spec("pytest") is None or importlib.util.find_spec("hypothesis") is None:
        print("SKIPPED: no pytest and hypothesis (scripts/install_packages --python)")
        return 77
    if importlib.util.find_spec("scipy.ndimage.tests") is None:
        print(f"SKIPPED: SciPy {scipy.__version__} is installed without its tests")
        return 77
    failures, all_calls, all_passed, all_without = [], 0, 0, 0
    for module, (words, sample) in SUITES.items():
        if chosen and not module.endswith(chosen):
            continue
        with tempfile.TemporaryDirectory() as folder:
            outcomes, calls, text = run_suite(module, words if THOROUGH or chosen else sample, pathlib.Path(folder))
        wrong, passed, without = judged(outcomes)
        if passed == 0:
            print(text[-3000:])
            wrong.append(f"{module}: no test passed")
        print(f"{module}: {passed} tests passed, {without} do not apply, {len(wrong)} wrong; {calls} calls")
        failures += wrong
        all_calls, all_passed, all_without = all_calls + calls, all_passed + passed, all_without + without
    print(*failures, f"SciPy {scipy.__version__}: {all_passed} tests passed, {all_without} do not apply, {all_calls} calls", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
