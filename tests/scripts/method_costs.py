"""fit_costs, check_auto and check_prediction run on few problems, and the fit finds known costs.

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
from costs import fit, gpu_problems, problems, ways

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
    """Fits costs to seconds that are computed from known costs: the fit returns the known costs, even if one measurement is wrong."""
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
    # if two measurements contradict each other, the one with the larger weight decides
    told = [([1.0] + [0] * 8, adds, None, counts) for adds, counts in [(100.0, fit.MORE), (110.0, 1)] * 9]
    expect(fit.of_one_way(told)[0][0] < 104, f"what decides counts no more: {fit.of_one_way(told)[0]}")
    gpu = [([*amounts[:8], draw.choice((64, 4096)), 1, 0, 0], adds, 0, 1) for amounts, adds, _, _ in rows]
    gpu = [(amounts, adds, 3.0 * amounts[8] + 5000, 1) for amounts, adds, _, _ in gpu]
    found, _ = fit.of_one_gpu_way(gpu)
    expect(np.allclose(found[8:10], (3, 5000), rtol=0.01), f"what making kernels takes came back as {found[8:10]}")
    near, far, best = ({"seconds": seconds} for seconds in (1.4, 2.0, 1.0))
    expect([fit.is_close(way, (near, far, best)) for way in (near, far, best)] == [True, True, True] and
           not fit.is_close(far, (far, best)), "which ways are close")


def check_table(name, table, known_ways, way):
    text = next((pathlib.Path(scripts).parent / "kernels").rglob(name)).read_text()
    new = fit.rewritten(text, {"float64": {way: np.full(fit.KINDS, 0.25)}}, table, known_ways)
    changed = [line for line, old in zip(new.split("\n"), text.split("\n")) if line != old]
    wanted = "    {" + ", ".join(["0.25"] * fit.KINDS) + "},  // " + way
    expect(changed == [wanted], f"lines of {name} that changed: {changed}")
    found = [line.split("// ")[1] for line in text.split("\n") if "},  // " in line]
    expect(found == list(known_ways) * 2, f"ways of {name}: {found}")


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


def check_gpu_problems():
    draw = random.Random(5)
    some = [gpu_problems.random_problem(draw) for _ in range(400)]
    expect(all(map(gpu_problems.is_fit, some)), "a random problem for a GPU is wider than its world or too long")
    for what, holds in (("strides", lambda one: one["stride"] != [1, 1]), ("steps", lambda one: one["steps"] > 1),
                        ("missing points", lambda one: "min_valid" in one), ("stars", lambda one: one["mask"] == "star"),
                        ("16384 x 16384", lambda one: one["shape"] == [1, 16384, 16384])):
        expect(any(map(holds, some)), f"no problem for a GPU has {what}")


def check_gpu_scripts(folder):
    """Runs the scripts on made-up measurements of a GPU: no GPU is needed to fit costs, or to evaluate the choices of auto."""
    draw, kept = random.Random(8), folder / "gpu.jsonl"
    with ways.Ways(pathlib.Path(build), threads=1) as bench, kept.open("w") as file:
        for _ in range(60):
            problem = gpu_problems.random_problem(draw)
            answer = bench.ask(problem, 0)
            answer["adds_per_second"] = [3e13]
            for way in answer["ways"].values():
                seconds = (1e6 + 5 * way["amounts"][1] + way["amounts"][2]) / 3e13
                way["compute"], way["setup"] = [seconds] * 3, [1e-4 * (1 + way["amounts"][8] / 1000)]
            file.write(json.dumps({"problem": problem, "answer": ways.reduced(problem, answer)}) + "\n")
    table = run("fit_costs", "--backend", "cuda", "--problems", 0, "--count-anew", kept)
    expect("gpu_float32_costs{{" in table, f"fit_costs --backend cuda printed {table}")
    told = run("check_auto", "--backend", "cuda", "--measured", kept)
    expect(told.count("median ") == 2 and "60 problems" in told, f"check_auto --backend cuda printed {told}")


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
check_table("method_cost_table.hpp", "CostTable {}_costs", fit.WAYS, "dense")
check_table("gpu_cost_table.hpp", "GpuCostTable gpu_{}_costs", fit.GPU_WAYS, "gpu dense")
check_problems()
check_gpu_problems()
with tempfile.TemporaryDirectory() as name:
    check_scripts(pathlib.Path(name))
    check_gpu_scripts(pathlib.Path(name))
print("\n".join(wrong) or "costs are fitted and checked")
sys.exit(1 if wrong else 0)
