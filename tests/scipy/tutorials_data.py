"""Runs the commands of four tutorials on public files instead of the files that the pages make, with the names, rates and axes of those
files. The programs of the pages then compare the results with SciPy."""

import os
import pathlib
import re
import sys
import tempfile
from dataclasses import dataclass

import tutorials
from program import environment

DATA = pathlib.Path(os.environ.get("STENCIL_DATA", pathlib.Path(__file__).parents[3] / "shared" / "data"))
AGREES = "agrees with SciPy: True"


@dataclass
class Page:
    made_by: str  # the command of the page that makes the file
    made: str  # the file that this command makes
    real: str  # the public file that replaces the made file
    says: str  # a line of the page that is expected for this file, too
    changes: dict  # {text of the page: text that replaces it for this file}


PAGES = {
    "strain": Page("python3 make_strain.py", "strain.h5", "ligo_H1_GW150914_4kHz_32s.hdf5", AGREES, {}),
    # the file has 200 samples per second instead of 1000, and is a single file
    "das": Page("python3 make_das.py", "das_0.h5", "das_prodml20_int16.h5", AGREES, {
        "cutoff = 40 ": "cutoff = 8 ", "firwin(321, 40, fs=1000)": "firwin(321, 8, fs=200)", "range(2)": "range(1)",
        "atol=1e-3": "atol=2e-2"}),  # the sums of numbers up to 32767 are in float32
    "grid": Page("python3 make_grid.py", "sst.nc", "sst_global_f32_nan.nc", AGREES, {
        "dataset = /sst": "dataset = /z", '"h5netcdf").sst': '"h5netcdf").z', "after.lat.values": "after.y.values", "diff('lon')": "diff('x')",
        'after.attrs["units"]': "after.long_name"}),
    # the file has one picture instead of three colours, in which 255 means that there are no data, so results are at most 254
    "image": Page("python3 make_image.py", "image.h5", "knmi_pvol.h5", "contrast of red before:", {
        "dataset = /image": "dataset = /dataset1/data1/data\npacked = stored", '["image"]': '["dataset1/data1/data"]', "range(3)": "range(1)",
        "[..., colour]": "[...]", "[..., 0]": "[...]", "[120, :, 0]": "[120]",
        "0, 255)\n    slope": "0, 254)\n    slope"}),
}


def adapted(text, page):
    """The text of a tutorial for the real file of `page`. Of the output of the commands, only the line `page.says` remains."""
    for old, new in page.changes.items():
        if old not in text:
            sys.exit(f"{old!r} is not on the page any more: mend PAGES")
        text = text.replace(old, new)

    def block(found):
        kept = [(command, "...\n" + f"{page.says}...\n" * (page.says in expected))
                for command, expected in tutorials.commands(found[1]) if command != page.made_by]
        return "```console\n" + "".join(f"$ {command}\n{expected}" for command, expected in kept) + "```\n"

    return re.sub(r"^```console\n(.*?)^```\n", block, text, flags=re.M | re.S)


def wrong_with(name, page):
    text = adapted((tutorials.PAGES / f"{name}.md").read_text(encoding="utf-8"), page)
    if page.says not in text:
        return [f"no command prints {page.says!r}"]
    with tempfile.TemporaryDirectory(prefix="tutorial") as place, tempfile.TemporaryDirectory(prefix="mpi", ignore_cleanup_errors=True) as session:
        folder = pathlib.Path(place)
        (folder / "work").mkdir()
        (folder / "work" / page.made).symlink_to(DATA / page.real)
        return tutorials.follow(text, folder / "work", tutorials.words_of(folder, environment(1, session), {}))


def main():
    if not DATA.is_dir():
        print(f"SKIPPED: the real data are not at {DATA}; set STENCIL_DATA to their folder")
        return 77
    failed = 0
    for name, page in PAGES.items():
        wrong = wrong_with(name, page)
        failed += bool(wrong)
        print(f"{name}.md with {page.real}:", "\n".join(wrong) or "as the page says", flush=True)
    return 1 if failed else 0


sys.exit(main())
