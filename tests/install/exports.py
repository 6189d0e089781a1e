"""exports.py COMPILER MAP LIBRARY...: links each static library to a shared one with the version script MAP, as a build with
BUILD_SHARED_LIBS does. Each library must export only names of the namespace stencil, and all names that the next library needs."""

import pathlib
import subprocess
import sys
import tempfile


def symbols(library, *options):
    listed = subprocess.run(["nm", "-D", "-C", *options, library], check=True, capture_output=True, text=True).stdout
    return {line.split(maxsplit=1)[1] if options == ("--undefined-only",) else line.split(maxsplit=2)[2]
            for line in listed.splitlines()}


def main(compiler, exports, libraries):
    problems, exported = [], set()
    with tempfile.TemporaryDirectory() as folder:
        for library in libraries:
            shared = pathlib.Path(folder) / (library.stem + ".so")
            subprocess.run([compiler, "-shared", "-o", shared, f"-Wl,--version-script={exports}", "-Wl,--whole-archive",
                            library, "-Wl,--no-whole-archive"], check=True)
            own = symbols(shared, "--defined-only")
            problems += [f"{library.name} exports {name}" for name in own if "stencil::" not in name]
            wanted = {name for name in symbols(shared, "--undefined-only") if name.startswith("stencil::")}
            problems += [f"{library.name} needs {name}, which is not exported" for name in wanted - exported - own]
            exported |= own
    if len(exported) < 200:
        problems.append(f"only {len(exported)} names are exported")
    print("\n".join(problems) or f"{len(exported)} names are exported, all of the namespace stencil")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: exports.py COMPILER MAP LIBRARY...")
    sys.exit(main(sys.argv[1], sys.argv[2], [pathlib.Path(library) for library in sys.argv[3:]]))
