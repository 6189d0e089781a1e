"""The Python code on the page docs/python.md."""

import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


def code_under(heading):
    """The indented lines under a heading, as one text."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S)[1]
    return "\n".join(line[4:] for line in section.splitlines() if line.startswith("    "))
