"""fit_costs, check_auto and check_prediction run on little, and the fit finds figures that are known.

method_costs.py FOLDER_OF_SCRIPTS BUILD_FOLDER
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

scripts, build = sys.argv[1:]
sys.path.insert(0, scripts)
from costs import fit, problems

wrong = []


def expect(holds, what):
    if not holds:
        wrong.append(what)


def run(script, *arguments):
    outcome = subprocess.run([sys.executable, f"{scripts}/{script}", "--build", build, *map(str, arguments)], text=True,
                             capture_output=True)
    expect(outcome.returncode == 0, f"{script}: exit status {outcome.returncode}: {outcome.stderr}")
    return outcome.stdout


def check_fit():
    """Figures that made the seconds come back from them, also beside a measurement that went wrong."""
    draw, figures = random.Random(3), np.array([30, 1.5, 0, 0, 200, 0, 1e4, 0, 700])
    rows = []
    for _ in range(60):
        outputs, taps = draw.randint(1000, 100000), draw.randint(3, 99)
        amounts = [outputs, outputs * taps, 0, 0, draw.randint(1, 999), 0, 1, 0, draw.choice((256, 1024))]
        rows.append((amounts, float(np.dot(amounts[:8], figures[:8])), 700.0 * amounts[8], 1))
    rows[7] = (rows[7][0], 5 * rows[7][1], rows[7][2], 1)
    found, errors = fit.of_one_way(rows)
    expect(np.allclose(found, figures, rtol=0.1, atol=1), f"the figures {figures} came back as {found}")
    expect(np.median(errors) < 0.02, f"errors of the fit: {np.median(errors)}")
    # of two that cannot both be met the one that counts more is
    told = [([1.0] + [0] * 8, adds, None, counts) for adds, counts in [(100.0, fit.MORE), (110.0, 1)] * 9]
    expect(fit.of_one_way(told)[0][0] < 104, f"what decides counts no more: {fit.of_one_way(told)[0]}")
    near, far, best = ({"seconds": seconds} for seconds in (1.4, 2.0, 1.0))
    expect([fit.is_close(way, (near, far, best)) for way in (near, far, best)] == [True, True, True] and
           not fit.is_close(far, (far, best)), "which ways are close")


def check_table():
    text = (pathlib.Path(scripts).parent / "kernels" / "method_cost_table.hpp").read_text()
    new = fit.rewritten(text, {"float64": {"dense": np.full(fit.KINDS, 0.25)}})
    changed = [line for line, old in zip(new.split("\n"), text.split("\n")) if line != old]
    wanted = "    {" + ", ".join(["0.25"] * fit.KINDS) + "},  // dense"
    expect(changed == [wanted], f"lines of the table that changed: {changed}")
    ways = [line.split("// ")[1] for line in text.split("\n") if "},  // " in line]
    expect(ways == list(fit.WAYS) * 2, f"ways of the table: {ways}")


def check_problems():
    draw = random.Random(5)
    some = [problems.random_problem(draw) for _ in range(300)]
    expect(all(map(problems.is_fit, some)), "a random problem is wider than its world or too long")
    kinds = {problem["mask"] for problem in some}
    expect(kinds == {"dense", "disk", "outer", "sum 2", "sum 3"}, f"kinds of masks: {kinds}")
    designed = problems.designed(200)
    expect(150 <= len(designed) <= 200 and designed == problems.designed(200), "the designed problems change")
    mixed = problems.to_fit(100)
    expect(80 < len(mixed) <= 100 and mixed == problems.to_fit(100), "the problems to fit change")
    expect(mixed[-80:] != [problems.random_problem(draw) for _ in range(80)], "it is fitted to what it is tried on")


def check_scripts(folder):
    kept = folder / "kept.jsonl"
    table = run("fit_costs", "--problems", 19, "--rounds", 1, "--keep", kept)
    expect("float32_costs{{" in table, f"fit_costs printed {table}")
    ways = [way for line in kept.read_text().splitlines() for way in json.loads(line)["answer"]["ways"].values()]
    expect(ways and all(way["compute"] > 0 and max(way["amounts"]) > 0 for way in ways), f"fit_costs kept {ways}")
    told = run("check_auto", "--problems", 6, "--rounds", 1, "--again", 1, "--seed", 2)
    expect("6 problems, seed 2" in told, f"check_auto printed {told}")
    told = run("check_prediction", folder, "--problems", 3, "--least", 0, "--again", 0)
    expect("3 problems, seed 11" in told, f"check_prediction printed {told}")


check_fit()
check_table()
check_problems()
with tempfile.TemporaryDirectory() as name:
    check_scripts(pathlib.Path(name))
print("\n".join(wrong) or "costs are fitted and checked")
sys.exit(1 if wrong else 0)
