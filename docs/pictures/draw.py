"""draw.py [FOLDER]: draws the pictures of README.md, docs/edges.md, docs/gallery.md and examples/strategies into FOLDER (docs/pictures), as STENCIL_RUN computes them."""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import edges  # noqa: E402
import gallery  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402
import speed  # noqa: E402
import tilings  # noqa: E402

PICTURES = {**edges.PICTURES, **gallery.PICTURES, **speed.PICTURES, **tilings.PICTURES}
STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "savefig.dpi": 80}


def draw(folder):
    """Writes NAME.png into a folder for every picture."""
    for name, make in PICTURES.items():
        with plt.rc_context({**matplotlib.rcParamsDefault, **STYLE, "backend": "Agg"}):
            figure = make()
            figure.tight_layout()
            figure.savefig(folder / f"{name}.png", bbox_inches="tight")
            plt.close(figure)


if __name__ == "__main__":
    draw(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent)
