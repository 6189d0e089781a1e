"""Plants phrases, and checks that wording.py finds them and nothing else."""

import sys

from wording import check

FOUND = {  # name and text: line of the phrase
    ("a.hpp", "/// Text that depends on an axis is left out\n/// and told.\nint a;\n"): 2,
    ("b.hpp", "/// The outputs have\n/// the bits of the whole.\n"): 1,
    ("c.cpp", 'throw Error("a number counts "\n            "as missing");\n'): 1,
    ("d.cpp", "int a;  // the method goes by the table\n"): 1,
    ("e.md", "# Title\n\nWhat `auto` goes by.\n"): 3,
    ("f.py", 'def f():\n    """The rest is told."""\n'): 2,
    ("g.py", "x = 1  # which tells of another axis\n"): 1,
    ("h.sh", "#!/bin/bash\n# takes a look at the queue\n"): 2,
    ("CMakeLists.txt", "# stands in for the library\nset(a b)\n"): 1,
    ("i.cu", "// waits for\n// nobody\n"): 1,
    ("j.cpp", 'throw Error("cannot look "\n            "at the file");\n'): 1,
    ("k.hpp", "/// The limit of a run; nothing: there is none.\nint a;\n"): 1,
    ("l.hpp", "int a;\n/// The same for a stage.\nint b;\n"): 2,
    ("m.cpp", "/// A file that is\n/// no checkpoint.\n"): 1,
    ("n.md", "The run goes on, and stops in order.\n\nIt reads any file, also if it is damaged.\n"): 1,
    ("o.py", '"""A file that has other bytes than the input."""\n'): 1,
    ("p.hpp", "int a;\nint columns;  ///< of a lane\n"): 2,
    ("q.hpp", "/// What one call computes.\nint a;\n"): 1,
    ("r.md", "The results are the same but for\n3 points.\n"): 1,
    ("s.cpp", "// sums some rows for nothing\n"): 1,
}
SOUND = {
    ("a.cpp", "int told = look_at(a);\nreturn told;\n"),
    ("b.py", "told = 1\nprint(f\"{told} runs\")\n"),
    ("c.md", "`told` is a name.\n\n    told in a block of code\n"),
    ("d.cpp", "/// A number of counts.\n/// As many as there are.\n"),
    ("e.hpp", "#include \"told.hpp\"\n/// Looks at the points.\n"),
    ("f.txt", "told\n"),
    ("g.hpp", "/// A file that is no longer read. There is no checkpoint. Files are sorted in order.\n"),
    ("i.hpp", "int columns;  ///< columns of a lane\n/// The lane reads what one call computes.\n"),
    ("j.md", "All but 3 points. But for all points it is 1.\n"),
    ("h.hpp", "/// Takes so many points that rows fill a cache line. Values other than 0.\n"),
}


def main():
    wrong = [f"not found: {name}: {text!r}" for (name, text), line in FOUND.items()
             if [found for found, _ in check(name, text)][:1] != [line]]
    wrong += [f"not sound: {name}: {text!r}: {check(name, text)}" for name, text in SOUND if check(name, text)]
    print("\n".join(wrong) or "every planted phrase is judged rightly")
    return 1 if wrong else 0


sys.exit(main())
