"""unity_groups.py MOST SOURCE...: chooses sources that can be compiled as one. Prints a line `GROUP SOURCE` for each source that
shares a group with others; a group has at most MOST sources.

The private names of the sources in a group must not collide. Private names are those of macros, of static functions and variables, and
of everything in an anonymous namespace. A private name of one source occurs in no other source of its group, whatever its meaning
there, and no header that these sources include declares it. The name of a private type or variable does not occur in these headers at
all, so that it hides no other name. Sources with `using namespace` are grouped only with each other. Sources that specialize
templates are not grouped.

Sources that include a header of SLOW are grouped first, so that few groups compile its templates."""

import functools
import pathlib
import re
import sys

# a quotation mark between digits is a digit separator
COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S)
INCLUDE = re.compile(r"^#include[^\n]*", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
# A definition begins at the start of a line, as clang-format writes it.
TYPE = re.compile(r"^(?:template <[^\n]*>\s+)?(?:struct|class|union|enum(?: class)?|using(?= \w+ =)) (\w+)", re.M)
FUNCTION = re.compile(r"^(?![#} ])(?:[^\n(;=]*[\s&*>])?(\w+)\(", re.M)
VARIABLE = re.compile(r"^(?![#} ]|using |enum )[^\n(;={]*?[\s&*>](\w+)(?:\[[^\n]*\])?(?: =|\{|;)", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)
TAKEN = re.compile(r"^using ([\w:]+::(\w+));", re.M)
SPECIALIZED = re.compile(r"^template <>", re.M)
WHOLE = re.compile(r"^using namespace ([\w:]+);", re.M)
NO_NAME = {"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_SUITE", "INSTANTIATE_TEST_SUITE_P", "namespace", "operator",
           "main", "if", "for", "while", "return", "static_assert", "INSTANTIATE_TYPED_TEST_SUITE_P", "decltype", "requires",
           "__launch_bounds__"}


SLOW = ("nlohmann/", "Eigen/", "boost/")  # the templates in these headers take seconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = re.compile(r'^#include "([^"]+)"', re.M)
FOREIGN = re.compile(r"^#include <([^>]+)>", re.M)


@functools.cache
def header(name):
    """The contents of a header of the project: the names that it declares outside of classes and functions, the names of its types, all
    its words, and the headers that it includes, both headers of the project and other headers."""
    path = ROOT / name
    text = COMMENT_OR_TEXT.sub("", INCLUDE.sub("", whole := path.read_text())) if path.is_file() else (whole := "")
    names = {name for pattern in (TYPE, FUNCTION, VARIABLE) for name in pattern.findall(text)}
    return names - NO_NAME, set(TYPE.findall(text)), set(WORD.findall(text)), OURS.findall(whole), FOREIGN.findall(whole)


def headers_of(text):
    """The names, types and words of all headers of the project that a source includes, directly or indirectly, and the names of the
    other headers that it includes."""
    names, types, words, seen, rest, foreign = set(), set(), set(), set(), OURS.findall(text), set(FOREIGN.findall(text))
    while rest:
        name = rest.pop()
        if name not in seen:
            seen.add(name)
            more, more_types, more_words, below, others = header(name)
            names |= more
            types |= more_types
            words |= more_words
            rest += below
            foreign |= set(others)
    return names, types, words, foreign


class Source:
    def __init__(self, path):
        whole = pathlib.Path(path).read_text()
        text = COMMENT_OR_TEXT.sub("", whole)
        self.path = path
        self.whole = frozenset(WHOLE.findall(text))
        body = INCLUDE.sub("", text)
        self.is_alone = bool(SPECIALIZED.search(body))
        declared, self.types, self.header_words, foreign = headers_of(whole)
        self.slow = {start for start in SLOW if any(name.startswith(start) for name in foreign)}
        self.words = set(WORD.findall(body)) | declared
        self.own, self.shadowed = set(MACRO.findall(body)), set()
        for part in self.private_parts(body):
            self.shadowed |= {name for pattern in (TYPE, VARIABLE) for name in pattern.findall(part)} - NO_NAME
            self.own |= set(FUNCTION.findall(part)) - NO_NAME
        self.own |= self.shadowed
        self.taken = {name: full for full, name in TAKEN.findall(body)}

    @staticmethod
    def private_parts(body):
        """The text within anonymous namespaces, and declarations that begin with static."""
        for begin in re.finditer(r"^namespace \{$", body, re.M):
            depth = 1
            for brace in re.compile("[{}]").finditer(body, begin.end()):
                depth += 1 if brace[0] == "{" else -1
                if depth == 0:
                    yield body[begin.end():brace.start()]
                    break
        yield "\n".join(re.findall(r"^static [^\n]*", body, re.M))

    def goes_with(self, other):
        if self.is_alone or other.is_alone or self.whole != other.whole or self.own & other.words or other.own & self.words:
            return False
        for one, two in ((self, other), (other, self)):
            if (one.shadowed | one.types - two.types) & two.header_words:
                return False
        return all(other.taken.get(name, full) == full and (name in other.taken or name not in other.own)
                   for name, full in self.taken.items())


def groups(sources, most):
    found = []
    for source in sorted(sources, key=lambda source: [start not in source.slow for start in SLOW]):
        place = next((group for group in found if len(group) < most and all(map(source.goes_with, group))), None)
        if place is None:
            found.append([source])
        else:
            place.append(source)
    return found


def main(most, paths):
    for number, group in enumerate(groups([Source(path) for path in paths], most)):
        for source in group if len(group) > 1 else ():
            print(f"g{number} {source.path}")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
