"""Plants every kind of violation in a small project and checks that api_pages.py finds it."""

import pathlib
import shutil
import sys
import tempfile

import api_pages

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
BOX = "/// Points of a box.\n///\n/// @param extent  points along an axis\nlong points(long extent);\n"
PAGE = "# Architecture\n\nThe [picture](../examples/README.md#picture), the [folder](../examples), [wrapped\nwords](../framework).\n"
SOUND = {"framework/box.hpp": BOX, "docs/architecture.md": PAGE}
BROKEN = [
    ({"framework/box.hpp": BOX.replace("@param extent", "@param extents")}, "extents"),
    ({"framework/box.hpp": BOX.replace("@param", "@parameter")}, "parameter"),
    ({"framework/box.hpp": BOX.replace("Points", "<b>Points")}, "</b>"),
    ({"framework/box.hpp": BOX.replace("a box", "@ref Boxes")}, "Boxes"),
    ({"docs/architecture.md": PAGE + "The [tests](../tests/box_test.cpp).\n"}, "leads nowhere"),
]


def faults(program, texts):
    """The complaints of api_pages.py about a project that consists of these files and those that docs/Doxyfile names."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", "framework/README.md",
                     "kernels/README.md", "io/README.md", "drivers/README.md", "python/README.md", "packaging/README.md", *texts):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(texts.get(name, f"# {name}\n"))
        for name in ("Doxyfile", "links_of_pages.sed"):
            shutil.copy(DOCS / name, root / "docs")
        return api_pages.faults(program, root, root / "pages")


program = api_pages.doxygen()
if program is None:
    print(f"SKIPPED: no doxygen {api_pages.RELEASE}: scripts/install_packages brings it on Debian 12")
    sys.exit(77)
wrong = [f"found by mistake: {fault}" for fault in faults(program, SOUND)]
for texts, word in BROKEN:
    found = faults(program, SOUND | texts)
    if not any(word in fault for fault in found):
        wrong.append(f"not found: {word} in {texts}; found: {found}")
print("\n".join(wrong) or f"{len(BROKEN)} planted violations found")
sys.exit(1 if wrong else 0)
