"""keys.py ROOT: the tables of keys in docs/configuration.md name what drivers/config/key_table.cpp has, and nothing else.

A row has a section (empty: that of the row above), keys, for masks by name the masks that they are for, and values: the
default first, for several keys separated by `;`. Keys that are not there yet have no row. What is said in words, such as
the default of `rank`, is not compared.
"""

import pathlib
import re
import sys

PAGE, SOURCE = "docs/configuration.md", "drivers/config/key_table.cpp"
HEADERS = ("| section | key | values |", "| section | key | for | values |")
WORD = re.compile(r"`([^`]+)`")


def keys_of_source(text):
    """{(section, key): its fields} of the program's table, all of them strings."""
    found = {}
    for entry in text[text.index("constexpr Key table[]"):].split("{.section = ")[1:]:
        entry = ".section = " + re.sub(r'"\s*\n\s*"', "", entry)
        fields = dict(re.findall(r'\.(\w+)\s*=\s*"([^"]*)"', entry))
        found[fields["section"], fields["name"]] = fields
    return found


def rows_of_page(text):
    """(section, keys, masks, values) of each row of the tables of keys."""
    section, columns = None, 0
    for line in text.splitlines():
        if line in HEADERS:
            columns = line.count("|") - 1
        elif not line.startswith("|"):
            columns = 0
        elif columns and not line.startswith("| ---"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            section = WORD.findall(cells[0])[0] if cells[0] else section
            masks = " ".join(WORD.findall(cells[2])) if columns == 4 else ""
            yield section, WORD.findall(cells[1]), masks, cells[-1]


def differences(page, source):
    """What the tables of a page say otherwise than the source, one line each."""
    keys, found, seen = keys_of_source(source), [], set()
    for section, names, masks, values in rows_of_page(page):
        words = WORD.findall(values)
        for name in names:
            where = f"{PAGE}: {section}.{name}"
            if (section, name) not in keys:
                found.append(f"{where}: the program has no such key")
                continue
            if (section, name) in seen:
                found.append(f"{where}: a second row")
            seen.add((section, name))
            key = keys[section, name]
            default = key.get("standard", "")
            shown = words[:1] if len(names) == 1 else words
            if default and not default.startswith("input.") and default not in shown and name != "rank":
                found.append(f"{where}: the default is {default}")
            if masks != ("" if name == "rank" else key.get("families", "")):
                found.append(f"{where}: for {key.get('families', 'all masks')}, not {masks or 'all masks'}")
            missing = [word for word in key.get("choices", "").split() if word not in words]
            if missing and len(names) == 1 and "..." not in values:
                found.append(f"{where}: also takes {' '.join(missing)}")
    for section, name in sorted(set(keys) - seen):
        if "instead" not in keys[section, name]:
            found.append(f"{PAGE}: no row for {section}.{name} of {SOURCE}")
    return found


def main(root):
    page, source = ((root / name).read_text(encoding="utf-8") for name in (PAGE, SOURCE))
    found = differences(page, source)
    if len(keys_of_source(source)) < 30 or len(list(rows_of_page(page))) < 20:
        found.append(f"{PAGE} or {SOURCE}: the tables are not found: have they another form now?")
    print("\n".join(found) or f"{len(keys_of_source(source))} keys, as {PAGE} says")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: keys.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1])))
