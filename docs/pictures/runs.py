"""Runs of stencil_run for the pictures of docs/: arrays and configurations in, arrays out."""

import os
import pathlib
import subprocess
import tempfile

import h5py

PROGRAM = os.environ.get("STENCIL_RUN", "stencil_run")


def results(files, config):
    """The dataset that stencil_run writes for a configuration, whose output is named out.h5.

    files: {path: {dataset: (array, attributes)}}, written before the run
    """
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path, datasets in files.items():
            with h5py.File(folder / path, "w") as file:
                for dataset, (values, attributes) in datasets.items():
                    file[dataset] = values
                    file[dataset].attrs.update(attributes)
        (folder / "config.ini").write_text(config)
        ran = subprocess.run([PROGRAM, "config.ini", "--progress", "none"], cwd=folder, capture_output=True, text=True, timeout=60)
        if ran.returncode:
            raise RuntimeError(f"{ran.stderr.strip()}, for the configuration\n{config}")
        dataset = next(line.partition("=")[2].strip() for line in config.splitlines() if line.startswith("dataset"))
        with h5py.File(folder / "out.h5") as file:
            return file[dataset][:]


def filtered(points, *keys):
    """The output of stencil_run for an array and one stencil with these keys."""
    words = ["[input]", "file = in.h5", "dataset = /x", "[output]", "file = out.h5", "[stencil]", *keys]
    return results({"in.h5": {"x": (points, {})}}, "\n".join(words) + "\n")
