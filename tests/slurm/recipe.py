"""The recipe of the container names all files that its build reads: the project is configured from a copy of these files alone, with
the commands of the recipe."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RECIPE = SOURCE / "examples/slurm/stencil.def"


def sections(text):
    found, name = {}, ""
    for line in text.splitlines():
        if line.startswith("%"):
            name = line[1:].strip()
        elif line.strip():
            found.setdefault(name, []).append(line.strip())
    return found


parts = sections(RECIPE.read_text())
with tempfile.TemporaryDirectory() as place:
    copy = pathlib.Path(place) / "source"
    copy.mkdir()
    for line in parts["files"]:
        name, target = line.split()
        assert target == "/source/", line
        (shutil.copytree if (SOURCE / name).is_dir() else shutil.copy)(SOURCE / name, copy / name)
    commands = parts["post"]
    assert "scripts/install_packages" in commands and (copy / "scripts/install_packages").exists(), commands
    configure = [line for line in commands if line.startswith("cmake -G")]
    assert len(configure) == 1, commands
    build = ["cmake --build build --target install -- -n"]  # the commands of the build are listed, but not run
    assert "cmake --build build --target install" in commands, commands
    for line in configure + build:
        outcome = subprocess.run(line, shell=True, cwd=copy, text=True, capture_output=True)
        if outcome.returncode:
            sys.exit(f"{line}: status {outcome.returncode}\n{outcome.stdout[-2000:]}{outcome.stderr[-4000:]}")
print("configured from the files of the recipe alone")
