# Doxygen 1.9 only supports links to whole pages, whose text is on one line. Links to headings become links to their pages, links to
# folders become links to their README, other links become plain text, and pictures are found below docs/ (IMAGE_PATH). Reads a page as one line (-z).
s:(\[[^][]*)\n([^][]*\]\():\1 \2:g
s:\]\(([^)#[:space:]]+\.md)#[^)]*\):](\1):g
s:\]\(([^)#.[:space:]A-Z]*|(\.\./)+[^)#.[:space:]A-Z]+)/?\):](\1/README.md):g
s:([^!])\[([^]]*)\]\((#[^)]*|[^)[:space:]]+\.(py|txt|cff))\):\1\2:g
s:(!\[[^]]*\]\()(\.\./)+docs/:\1:g
