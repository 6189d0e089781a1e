"""Draws the pictures of docs/ again, and compares them with the pictures in docs/pictures.

Every picture must be on a page, and docs/edges.md must draw or name every value of `boundary` that stencil_run accepts. The exit status
is 77 (skipped) without matplotlib, and with another release of matplotlib than the one that has drawn the pictures, because other
releases place texts differently.
"""

import importlib.util
import pathlib
import re
import sys
import tempfile

from program import run

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
TOLERANCE = 1.0  # largest root mean square of the differences between pixel values (0 to 255)


def words_of_boundary(folder):
    """The values of `boundary` that stencil_run --help lists."""
    text = run(folder, None, arguments=("--help",)).stdout
    entry = re.search(r"^  boundary  .*?Values:(.*?); or ", text, re.M | re.S)[1]
    return re.findall(r"\w+", entry)


def differences(folder):
    """Draws the pictures into the folder, and compares them with those in docs/pictures. Returns the differences."""
    import draw
    from matplotlib.testing.compare import compare_images
    from matplotlib.testing.exceptions import ImageComparisonFailure
    draw.draw(folder)
    drawn, known = ({path.name for path in place.glob("*.png")} for place in (folder, DOCS / "pictures"))
    wrong = [f"docs/pictures/{name}: only {'drawn' if name in drawn else 'in the folder'}" for name in sorted(drawn ^ known)]
    shown = "".join((DOCS / page).read_text(encoding="utf-8") for page in ("edges.md", "gallery.md", "../README.md", "../examples/strategies/README.md"))
    wrong += [f"docs/pictures/{name} is on no page" for name in sorted(known) if f"pictures/{name})" not in shown]
    for name in sorted(drawn & known):
        try:
            complaint = compare_images(str(DOCS / "pictures" / name), str(folder / name), TOLERANCE)
        except ImageComparisonFailure as sizes_differ:
            complaint = str(sizes_differ)
        wrong += [f"docs/pictures/{name}: draw.py draws another picture: {complaint}"] if complaint else []
    return wrong


def main():
    if not importlib.util.find_spec("matplotlib"):
        print("SKIPPED: no matplotlib (scripts/install_packages brings it)")
        return 77
    import matplotlib
    from PIL import Image
    drawn_by = re.search(r"[\d.]+", Image.open(DOCS / "pictures" / "boundaries.png").text["Software"])[0]
    if matplotlib.__version__ != drawn_by:
        print(f"SKIPPED: matplotlib {matplotlib.__version__} is not the release {drawn_by} that drew docs/pictures")
        return 77
    sys.path.insert(0, str(DOCS / "pictures"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        edges = (DOCS / "edges.md").read_text(encoding="utf-8")
        wrong = [f"docs/edges.md does not name boundary = {word}" for word in words_of_boundary(folder) if f"`{word}`" not in edges]
        wrong += differences(folder)
    print("\n".join(wrong) or "every picture is drawn again as it is")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
