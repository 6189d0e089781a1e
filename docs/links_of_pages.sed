# Doxygen 1.9 follows links to whole pages alone, whose words are in one line. Links to headings become links to their
# pages, links to folders links to their README; others keep their words. Reads a page as one line (-z).
s:(\[[^][]*)\n([^][]*\]\():\1 \2:g
s:\]\(([^)#[:space:]]+\.md)#[^)]*\):](\1):g
s:\]\(([^)#.[:space:]A-Z]*|(\.\./)+[^)#.[:space:]A-Z]+)/?\):](\1/README.md):g
s:([^!])\[([^]]*)\]\((#[^)]*|[^)[:space:]]+\.(py|txt|cff))\):\1\2:g
