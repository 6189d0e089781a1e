"""Plants faults in a small page, and checks that tutorials.py finds these faults and nothing else."""

import os
import pathlib
import sys
import tempfile

import tutorials

SOUND = """# A page

```python
# say.py
print("a number: 1.25")
print("seconds: 17")
```

```console
$ python3 say.py
a number: 1.25
seconds: ...
$ test -x ~/bin/stencil_run && \\
    echo yes
yes
```
"""
PLANTED = {  # (replaced text, new text): text in the complaint
    ("number: 1.25\nsec", "number: 1.26\nsec"): "instead of",
    ("seconds: ...", ""): "instead of",
    ("seconds: ...\n", "seconds: ...\nmore\n"): "instead of",
    ("yes\n```", "```"): "instead of",
    ("$ python3 say.py", "$ python3 none.py"): "ends with status 2",
    ("# say.py\n", ""): "neither commands nor a file",
    ("```console", "```python"): "neither commands nor a file",
    (SOUND, "# A page without commands\n"): "no command",
}


def found(text):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        words = tutorials.words_of(folder, dict(os.environ), {})
        return "\n".join(tutorials.follow(text, folder, words))


def main():
    wrong = [f"found by mistake: {complaint}"] if (complaint := found(SOUND)) else []
    for (old, new), words in PLANTED.items():
        if words not in (complaint := found(SOUND.replace(old, new, 1))):
            wrong.append(f"{new!r} instead of {old!r}: {complaint!r}")
    if tutorials.missing_packages("```python\n# a.py\nimport os\nimport no_such_package\n```\n") != ["no_such_package"]:
        wrong.append("a package that is not installed is not found")
    print("\n".join(wrong) or f"{len(PLANTED)} planted faults are found")
    return 1 if wrong else 0


sys.exit(main())
