"""wording.py ROOT: checks that prose does not contain phrases that readers have misunderstood.

Prose is the text of pages, comments and strings. The change log is not checked.
"""

import io
import pathlib
import re
import sys
import tokenize

from links import prose

PHRASES = {  # regular expression of a phrase, with single blanks: what to write instead
    r"told": "reported, listed, informed",
    r"tells? of": "describes, lists",
    r"go(es)? by(?! (hand|itself))": "uses, is decided by",
    r"gone on": "continued",
    r"goes on from": "continues from",
    r"(begin|begins|began|begun) anew": "starts from the beginning",
    r"the way of": "the path of, like",
    r"ha(s|ve) the bits": "has the same bits as",
    r"what is there": "a noun",
    r"as \w+s count": "is counted",
    r"counts? as": "is treated as",
    r"count(s|ed)? once more": "is counted again",
    r"stands? in": "is in, replaces",
    r"at hand": "available",
    r"a look( at)?": "a check, an inspection",
    r"waits? for nobody": "needs no barrier",
    r"(made|meant|wanted|asked) all the same": "a plain sentence",
    r"in the words of": "as in",
    r"cannot look at": "cannot examine, cannot get the status of",
    r"on record": "recorded",
    r"go(es)? on(?! (a|an|the|to|CPUs?|GPUs?)\b)": "continues, is processed",
    r"going on": "continuing, in progress",
    r"(that|which|it) (is|are|was|were) no(?! (longer|more|less|larger|smaller|better|worse|faster|slower|such))": "is not a",
    r"so many (bytes|taps|points|steps|seconds|ranks|pairs|outputs|filters)(?!,? that)": "`count` points, this number of",
    r"other (\w+) than (the|were|was|its|on|one)": "differs from, except",
    r"(?<=;\s)nothing(?=:)": "std::nullopt: no limit",
    r"(stop(s|ped)?|end(s|ed)?) (\w+ )?in order(?! (of|to))": "cleanly, on request",
    r"(bring|brings|brought) (\w+ )?(\w+ )?to the disk": "flushed to the disk, written",
    r"looks? whether": "checks that",
    r"said of": "an attribute, the message about",
    r"passe[sd] over: ": "skipped",
    r"is no more": "has ended",
    r"the begin (of|and)": "the start of",
    r"behind (the|its) (last|first|end)": "after",
    r"stands? (beside|behind|before|on|under|there|still|first)": "is, lies",
    r"(key|file|checkpoint|output|folder|lock) (that )?is there": "exists",
    r"as above(?=[,;.])": "the name of the function",
    r"(?<=///\s)the same (for|of|from|without)": "the name of the function",
    r", also (with|if|for|where|when|within|between|through)": "including, even if",
    r"no file includes itself": "there are no cyclic includes",
    r"the words are wrong": "the configuration is wrong",
    r"in vain": "without effect, unnecessarily",
    r"for nothing": "unnecessarily",
    r"so-many-th": "every n-th",
    r"but for \d+": "except for 3",
    r"likewise": "also, in the same way",
    r"amid": "in the middle of",
    r"for want of": "because something is missing",
    r"as \w+ ha(s|ve) it": "as in",
    r"(?<=///<\s)(of|what)": "a noun before `of`; the thing instead of `what`",
    r"(?<=///\s)what": "the thing instead of `what`",
}
GAP = r"[ \t]*(?:\"?[ \t]*\n[ \t]*(?:///?<?|[#*>]|\")?)?[ \t]*"  # a blank, or the end of a line of a comment or a string
PATTERN = re.compile("|".join(rf"\b(?P<p{k}>{GAP.join(phrase.split(' '))})\b" for k, phrase in enumerate(PHRASES)),
                     re.IGNORECASE)
SKIPPED = re.compile(r"(\.|build|demo$|__pycache__$|CHANGELOG\.md$|wording(_rules)?\.py$|measurements$)")
SOURCES = (".hpp", ".cpp", ".cu", ".cuh")


def blank(text):
    """Blanks in place of a text, with the same line breaks."""
    return re.sub(r"[^\n]", " ", text)


def prose_of_source(text):
    """Returns the comments and strings of a C++ source; everything else is replaced by blanks."""
    kept, last = [], 0
    for found in re.finditer(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|^[ \t]*#[^\n]*", text, re.MULTILINE):
        kept.append(blank(text[last:found.start()]))
        kept.append(found[0] if found[0][0] in "/\"" else blank(found[0]))
        last = found.end()
    return "".join(kept) + blank(text[last:])


def prose_of_python(text):
    """Comments and strings of Python, without the expressions in braces of f-strings."""
    lines = [[" "] * len(line) for line in text.split("\n")]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.COMMENT, tokenize.STRING):
            continue
        words = re.sub(r"\{[^{}]*\}", lambda m: blank(m[0]), token.string)
        row, column = token.start
        for line in words.split("\n"):
            lines[row - 1][column:column + len(line)] = line
            row, column = row + 1, 0
    return "\n".join("".join(line) for line in lines)


def prose_of_script(text):
    """Comments of a shell script, a configuration, or a file of CMake."""
    return "\n".join(line if line.lstrip().startswith("#") else "" for line in text.split("\n"))


def prose_of(name, text):
    """The prose of a file, with the same number of lines; empty for files of other kinds."""
    if name.endswith(".md"):
        return prose(text)
    if name.endswith(SOURCES):
        return prose_of_source(text)
    if name.endswith(".py") or re.match(r"#![^\n]*python", text):
        return prose_of_python(text)
    if name.endswith((".cmake", ".sh", ".ini")) or name == "CMakeLists.txt" or re.match(r"#![^\n]*sh\b", text):
        return prose_of_script(text)
    return ""


def check(name, text):
    """Returns pairs of line number and complaint."""
    text, names = prose_of(name, text), list(PHRASES)
    found = []
    for match in PATTERN.finditer(text):
        words = re.sub(r"[\s\"/#*>]+", " ", match[0])
        phrase = next(names[int(group[1:])] for group, hit in match.groupdict().items() if hit is not None)
        found.append((text.count("\n", 0, match.start()) + 1, f"`{words}`: write for example: {PHRASES[phrase]}"))
    return found


def main(root):
    files = [path for path in sorted(root.rglob("*"))
             if path.is_file() and not any(SKIPPED.match(part) for part in path.relative_to(root).parts)]
    wrong, read = [], 0
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        read += 1
        place = path.relative_to(root).as_posix()
        wrong += [f"{place}:{line}: {words}" for line, words in check(path.name, text)]
    if read < 500:
        wrong.append(f"only {read} files under {root}: is it the project's root?")
    print("\n".join(wrong) or f"{read} files have none of {len(PHRASES)} phrases")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: wording.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
