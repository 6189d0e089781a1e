"""Plants broken links, and checks that links.py finds them and nothing else."""

import sys

from links import anchors, check, unreachable

PLACES = {".", "README.md", "docs", "docs/a.md", "docs/b.md", "docs/README.md", "picture.png"}
BASE = {"README.md": "# Top\n[a](docs/a.md) [docs](docs)\n", "docs/README.md": "# Index\n[b](b.md)\n",
        "docs/a.md": "# One page\n## What `--check` says, and why\n## Twice\n## Twice\n", "docs/b.md": "# B\n"}
SOUND = ["[a](a.md)", "[a](a.md#one-page)", "[a](a.md#what---check-says-and-why)", "[a](a.md#twice-1)", "[here](#b)",
         "[up](../README.md#top)", "[folder](../docs#index)", "![picture](../picture.png)", '[a](a.md "a title")',
         "[far](https://example.org/none.md)", "`[code](none.md)`", "words\n\n    [code](none.md)\n",
         "```\n[code](none.md)\n```", "<!-- [hidden](none.md) -->", "M[i] (none.md)", "[a]: a.md"]
BROKEN = ["[a](none.md)", "[a](a.md#none)", "[a](a.md#twice-2)", "[here](#none)", "![picture](none.png)", "[a]: none.md",
          "[out](../../README.md)", "[root](/docs/a.md)", '<img src="none.png">', "words `code` [a](none.md)",
          "- item\n    [a](none.md)", "[folder](../docs#none)", "[two\nlines](none.md)", "| [cell](none.md) |"]


def with_link(words):
    return {**BASE, "docs/b.md": f"# B\n\n{words}\n"}


def main():
    wrong = [f"not sound: {words}: {found}" for words in SOUND if (found := check(with_link(words), PLACES.__contains__)[0])]
    wrong += [f"not found: {words}" for words in BROKEN if len(check(with_link(words), PLACES.__contains__)[0]) != 1]
    if anchors("```\n# no heading\n```\n# One\n") != {"one"}:
        wrong.append("a comment in a block of code is taken for a heading")
    if (found := unreachable(check(BASE, PLACES.__contains__)[1])) != []:
        wrong.append(f"reachable: {found}")
    lonely = check({**BASE, "docs/README.md": "# Index\n"}, PLACES.__contains__)[1]
    if unreachable(lonely) != ["docs/b.md: no link leads here from README.md"]:
        wrong.append("a page that nothing leads to is not found")
    print("\n".join(wrong) or "every planted link is judged rightly")
    return 1 if wrong else 0


sys.exit(main())
