"""names.py finds a type that two files define, and accepts texts that only look similar."""

import sys

from names import repeated


def source(body, space="stencil"):
    return f"namespace {space} {{\n{body}\n}}  // namespace {space}\n"


LINE = source("struct Line {\n  int first;\n};")
FOUND = [
    {"a.hpp": LINE, "b.hpp": source("class Line {\n};")},
    {"a.hpp": LINE, "b.cpp": source("struct Line : Other {\n};")},
    {"a.hpp": source("enum class Word { one };"), "b.hpp": source("enum class Word { two };")},
    {"a.hpp": source("class Line final {\n};"), "b.hpp": source("class Line {\n};")},
]
ACCEPTED = [
    {"a.hpp": LINE, "b.hpp": source("class Line;")},
    {"a.hpp": LINE, "b.hpp": source("struct Line {\n};", "other")},
    {"a.hpp": LINE, "b.cpp": source("namespace {\nstruct Line {\n};\n}  // namespace")},
    {"a.hpp": LINE, "b.cpp": source("struct Box::Line {\n};")},
    {"a.hpp": LINE, "b.hpp": source("struct Box {\n  struct Line {\n  };\n};")},
]


def main():
    wrong = [f"not found: {case}" for case in FOUND if not repeated(case)]
    wrong += [f"wrongly found: {case}" for case in ACCEPTED if repeated(case)]
    print("\n".join(wrong) or f"{len(FOUND)} repeated names are found, {len(ACCEPTED)} others are not")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
