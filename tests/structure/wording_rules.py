"""Plants phrases and checks that wording.py finds them, and finds nothing else."""

import sys

from wording import check

FOUND = {  # name and text: line of the phrase
    ("a.hpp", "/// What depends on an axis is left out\n/// and told.\nint a;\n"): 2,
    ("b.hpp", "/// The outputs have\n/// the bits of the whole.\n"): 1,
    ("c.cpp", 'throw Error("a number counts "\n            "as missing");\n'): 1,
    ("d.cpp", "int a;  // the method goes by the table\n"): 1,
    ("e.md", "# Title\n\nWhat `auto` goes by.\n"): 3,
    ("f.py", 'def f():\n    """The rest is told."""\n'): 2,
    ("g.py", "x = 1  # which tells of another axis\n"): 1,
    ("h.sh", "#!/bin/bash\n# takes a look at the queue\n"): 2,
    ("CMakeLists.txt", "# stands in for the library\nset(a b)\n"): 1,
    ("i.cu", "// waits for\n// nobody\n"): 1,
}
SOUND = {
    ("a.cpp", "int told = look_at(a);\nreturn told;\n"),
    ("b.py", "told = 1\nprint(f\"{told} runs\")\n"),
    ("c.md", "`told` is a name.\n\n    told in a block of code\n"),
    ("d.cpp", "/// A number of counts.\n/// As many as there are.\n"),
    ("e.hpp", "#include \"told.hpp\"\n/// Looks at the points.\n"),
    ("f.txt", "told\n"),
}


def main():
    wrong = [f"not found: {name}: {text!r}" for (name, text), line in FOUND.items()
             if [found for found, _ in check(name, text)] != [line]]
    wrong += [f"not sound: {name}: {text!r}: {check(name, text)}" for name, text in SOUND if check(name, text)]
    print("\n".join(wrong) or "every planted phrase is judged rightly")
    return 1 if wrong else 0


sys.exit(main())
