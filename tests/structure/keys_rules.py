"""Changes small tables of keys and looks whether keys.py finds what no longer agrees."""

import sys

from keys import differences

SOURCE = '''constexpr Key table[] = {
    {.section = "output", .name = "file", .values = "path", .required = true},
    {.section = "output",
     .name = "dtype",
     .standard = "auto",
     .choices = "auto float32 "
                "float64"},
    {.section = "stencil", .name = "sigma", .families = "gaussian"},
    {.section = "run", .name = "chunk", .standard = "none"},
    {.section = "run", .name = "level", .standard = "0.5"},
    {.section = "run", .name = "restart", .standard = "false", .instead = "write false"},
};'''
PAGE = '''| section | key | values |
| --- | --- | --- |
| `output` | `file` | path |
| | `dtype` | `auto` · `float32` · `float64` |
| `run` | `chunk`, `level` | `none` · `4`; `0.5` |

| section | key | for | values |
| --- | --- | --- | --- |
| `stencil` | `sigma` | `gaussian` | a number |
'''
CHANGES = [
    (PAGE, "| | `dtype` |", "| | `type` |", 2),
    (PAGE, "| `output` | `file` | path |\n", "", 3),  # no row for it, and dtype stands in no section
    (PAGE, "`auto` · `float32`", "`float32` · `auto`", 1),
    (PAGE, " · `float64`", "", 1),
    (PAGE, "`0.5`", "`0.7`", 1),
    (PAGE, "| `gaussian` |", "| `box` |", 1),
    (PAGE, "| `run` | `chunk`", "| `run` | `file`, `chunk`", 1),
    (PAGE, "| `stencil` | `sigma` |", "| `output` | `file` | | path |\n| `stencil` | `sigma` |", 1),
    (SOURCE, '.instead = "write false"', '.doc = "here now"', 1),
    (SOURCE, '"chunk"', '"chunks"', 2),
]


def main():
    wrong = [f"agree, but: {found}" for found in differences(PAGE, SOURCE)]
    for text, old, new, count in CHANGES:
        if text.count(old) != 1:
            wrong.append(f"{old} stands {text.count(old)} times")
        changed = text.replace(old, new)
        found = differences(changed, SOURCE) if text is PAGE else differences(PAGE, changed)
        if len(found) != count:
            wrong.append(f"{old} -> {new}: {found}")
    print("\n".join(wrong) or "every change of a table is found")
    return 1 if wrong else 0


sys.exit(main())
