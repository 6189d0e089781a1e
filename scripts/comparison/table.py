"""Writes tables to the terminal and to Markdown files, in which the part between two marks is replaced."""

import datetime
import pathlib


def text_of(header, rows):
    """The table as aligned Markdown, which is also readable in a terminal."""
    widths = [max(len(line[i]) for line in [header, *rows]) for i in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |"
             for line in [header, *rows]]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def rows_of(text, columns):
    """The rows of a table that text_of() has written, without its header."""
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    return [row for row in rows if len(row) == columns]


def rewrite(path, mark, facts, header, rows):
    """Replaces the table between `<!-- mark -->` and `<!-- end of mark -->` in a file.

    Existing rows that were measured on the same machine with the same versions are kept, unless a new row has the same first cell.
    facts: one line about machine and versions.
    """
    path = pathlib.Path(path)
    first, last = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    whole = path.read_text(encoding="utf-8")
    if whole.count(first) != 1 or whole.count(last) != 1:
        raise SystemExit(f"{path} has no place for the table: write the lines {first} and {last} into it")
    before, rest = whole.split(first)
    between, after = rest.split(last)
    kept = rows_of(between, len(header)) if f"{facts}." in between else []
    new = {row[0]: row for row in rows}
    merged = [new.pop(row[0], row) for row in kept] + list(new.values())
    measured = f"Measured {datetime.date.today()} on {facts}."
    path.write_text(f"{before}{first}\n{measured}\n\n{text_of(header, merged)}\n{last}{after}", encoding="utf-8")
