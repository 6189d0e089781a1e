"""values.py ROOT: checks that problems and plans are values: outside the files that make them, no code of drivers/ changes a member of
a problem or plan, or takes one by a non-const reference.
"""

import pathlib
import re
import sys

from layers import code_of

# Each of these files makes new problems; none changes a problem that other code uses.
MAKERS = ("drivers/plan/make/make_problem.cpp", "drivers/plan/split/passes.cpp", "drivers/plan/predict/plan_costs.cpp", "drivers/plan/predict/plan_costs.hpp",
          "drivers/plan/split/remaining.cpp", "drivers/plan/split/volumes.cpp", "drivers/plan/plan.cpp")
MEMBERS = ("input|input_form|output_form|chain|transport|mask_axis|designed_for|used_rate|missing|kept|output|notes|ranks|watching"
           "|checkpoint|memory_at_once|piece_bytes|bytes_read|bytes_written|halo_bytes|points_out|first_stage")
OBJECT = r"\b(?:plan|problem|pass|rest|whole|begun\.problem|stretch\.plan)_?"
CHANGE = r"(?:\s*[-+*|]?=(?!=)|\.(?:push_back|emplace|emplace_back|reset|clear|insert|assign|resize)\()"
ASSIGNED = re.compile(rf"{OBJECT}(?:\.|->)(?:{MEMBERS})\b(?:(?:\.|->)\w+(?:\(\))?|\[[^]]*\])*{CHANGE}")
REFERENCE = re.compile(r"(?<!const )\b(?:Problem|Plan|Pass)& \w")


def violations(path, text):
    """Lines of one file that change a problem, or could change it, as `path:line: message`."""
    if not path.startswith("drivers/") or path in MAKERS:
        return []
    found = []
    for number, line in enumerate(code_of(text).splitlines(), 1):
        if ASSIGNED.search(line):
            found.append(f"{path}:{number}: changes a member of a problem or plan, which are values: make another one")
        if REFERENCE.search(line):
            found.append(f"{path}:{number}: takes a problem or plan by a reference to which it could write: write const")
    return found


def main(root):
    found = []
    for path in sorted((root / "drivers").rglob("*.[ch]pp")):
        found += violations(str(path.relative_to(root)), path.read_text())
    print("\n".join(found) or "problems and plans are made and never changed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
