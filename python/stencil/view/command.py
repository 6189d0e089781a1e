"""The command line of python -m stencil."""

import argparse
import json
import os
import sys


MARK = "python -m stencil view"  # in every picture and page: without -o, only files with this mark are replaced


def parser():
    top = argparse.ArgumentParser(prog="python -m stencil", description="Pictures of results, plans and reports of stencil_run.")
    commands = top.add_subparsers(dest="command", required=True)
    view = commands.add_parser("view", help="draw an output (.h5, .nc), a report or trace (.json), or with --plan a configuration")
    view.add_argument("file")
    view.add_argument("--plan", action="store_true", help="FILE is a configuration: draw its plan (runs stencil_run --check)")
    view.add_argument("--ranks", type=int, help="of the plan: MPI ranks")
    view.add_argument("--html", action="store_true", help="a self-contained page with zoom instead of a PNG")
    view.add_argument("--as", dest="kind", choices=("signal", "grid", "sheet", "animation"),
                      help="how a dataset is drawn; otherwise by its axes")
    view.add_argument("--dataset", help="otherwise the one that stencil_run wrote")
    view.add_argument("-o", "--output", help="file to write; otherwise FILE.png, FILE.html, or FILE.gif of an animation")
    return top


def figure_of(arguments):
    """Returns the figure or animation, and the signal for the charts of an HTML page; the signal is None for other data."""
    from . import pictures, runs
    from .files import Result, ViewError
    if arguments.plan:
        from .. import check
        return runs.plan(check(arguments.file, ranks=arguments.ranks, output={"overwrite": True}), arguments.file), None
    if arguments.file.endswith(".json"):
        try:
            with open(arguments.file, encoding="utf-8") as file:
                facts = json.load(file)
        except (OSError, ValueError) as error:
            raise ViewError(f"{arguments.file} cannot be read as JSON: {error}") from None
        if "traceEvents" in facts:
            return runs.trace(facts["traceEvents"], arguments.file), None
        if "seconds" not in facts:
            raise ViewError(f"{arguments.file} is neither a report nor a trace of stencil_run")
        return runs.report(facts, arguments.file), None
    result = Result(arguments.file, arguments.dataset)
    rank = len(result.after.shape)
    kind = arguments.kind or ("signal" if rank == 1 or 1 in result.after.shape[-2:] else "grid" if rank == 2 else "sheet")
    if kind != "signal" and rank < 2 or kind in ("sheet", "animation") and rank < 3:
        raise ViewError(f"--as {kind}: {arguments.file}:{result.after.path} has {rank} axis or axes, too few")
    if kind == "animation":
        if not arguments.html and not output_of(arguments).lower().endswith(".gif"):
            raise ViewError(f"--as animation writes a GIF: {arguments.output} should end with .gif")
        from .animation import Animation
        return Animation(result), None
    if kind == "grid":
        return pictures.grid(result, tuple(pictures.middle(result.after.shape[:-2]))), None
    return (pictures.signal(result), result) if kind == "signal" else (pictures.sheet(result), None)


def output_of(arguments):
    suffix = ".html" if arguments.html else ".gif" if arguments.kind == "animation" else ".png"
    return arguments.output or os.path.splitext(arguments.file)[0] + suffix


def is_foreign(path):
    """Returns whether the file exists and was not written by this command."""
    if not os.path.lexists(path):
        return False
    with open(path, "rb") as file:
        return MARK.encode() not in file.read(4096)


def main(words=None):
    arguments = parser().parse_args(words)
    try:
        import h5py  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        print(f"stencil view: {error}: pip install matplotlib h5py", file=sys.stderr)
        return 2
    from ..program import Error
    from .files import ViewError
    try:
        figure, signal = figure_of(arguments)
        output = output_of(arguments)
        if os.path.exists(output) and os.path.samefile(output, arguments.file):
            raise ViewError(f"{output} is the file that is shown: name another one with -o")
        if not arguments.output and is_foreign(output):
            raise ViewError(f"{output} exists and was not drawn by this command: name a picture with -o")
        if arguments.html:
            from .page import write_page
            write_page(output, figure, signal)
        elif arguments.kind == "animation":
            figure.save(output, MARK)
        else:
            is_png = output.lower().endswith(".png")  # other formats have other metadata keys
            figure.savefig(output, dpi=110, metadata={"Software": MARK} if is_png else None)
    except (ViewError, Error, OSError) as error:
        print(f"stencil view: {error}", file=sys.stderr)
        return 2
    print(output)
    return 0
