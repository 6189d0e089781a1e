"""values.py finds planted changes of plans, and accepts correct lines."""

import sys

from values import violations

BAD = ["plan.chain.stages.clear();", "  problem.output.file = name;", "pass.input = inspect(from);", "plan_.notes.push_back(note);",
       "rest.watching = whole.watching;", "stretch.plan.output.also_read.insert(at, file);", "plan->output.chunk[0] = 3;",
       "void resume(Plan& plan);", "void add(Problem& problem, int n);"]
SOUND = ["if (plan.chain.steps() == 3) return;", "const auto spec = plan.output;", "void resume(const Plan& plan);", "x = plan.input;",
         "// plan.input = y", "const Pass& pass = passes[0];", "spec.also_read.push_back(plan.output.file);"]

wrong = [f"not found: {line}" for line in BAD if not violations("drivers/job/x.cpp", line + "\n")]
wrong += [f"found: {line}" for line in SOUND if violations("drivers/job/x.cpp", line + "\n")]
if violations("drivers/plan/make/make_problem.cpp", BAD[0]) or violations("io/read/x.cpp", BAD[0]):
    wrong.append("files that make problems, and other layers, are not held to the rule")
print("\n".join(wrong) or "planted changes of plans are found")
sys.exit(1 if wrong else 0)
