# SPDX-License-Identifier: MIT
# Writes docs/validation.md from headlines.tsv and the pages in docs/validation: the numbers are
# those of the pages. A row that is not there exactly once is an error.
#   awk -v pages=docs/internals/validation -f scripts/validation-table.awk sweeps/paper/headlines.tsv

# Finds the row of a page whose figure is `figure` and whose quantity begins with `quantity`; its
# cells by column go to `row`. Returns how many there are.
function find(page, figure, quantity, row,    line, n, cell, at, i, head, count) {
    delete row
    count = 0
    while ((getline line < page) > 0) {
        if (line ~ /^## /) at = substr(line, 4)
        if (line ~ /^Verdicts, /) verdicts[page] = substr(line, 11)
        if (at != figure || line !~ /^\| /) continue
        gsub(/\\\|/, "/", line)
        n = split(line, cell, / *\| */)
        if (cell[2] == "quantity") for (i = 2; i < n; i++) head[i] = cell[i]
        else if (index(cell[2], quantity) == 1 && ++count == 1)
            for (i = 2; i < n; i++) row[head[i]] = cell[i]
    }
    close(page)
    return count
}

function fail(text) {
    print "validation-table.awk: " text >"/dev/stderr"
    failed = 1
    exit 1
}

BEGIN {
    FS = "\t"
    print "# What the models say of five papers\n"
    print "<!-- made by scripts/validation from sweeps/paper/headlines.tsv and the pages -->\n"
    print "Twelve claims that the papers are read for. The *machine* simulates every request; the *closed"
    print "form* is a formula, and where the machine has an answer it decides nothing. `pass` is within the"
    print "band on the paper's page, which was set from what the paper prints. Every quantity, its band and"
    print "its source: [docs/internals/validation](internals/validation/README.md). How they are judged and"
    print "what a verdict is worth: [reproduce.md](reproduce.md).\n"
    print "| paper | claim | published | machine | closed form | verdict | why |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
}
/^#/ || $1 == "paper" { next }
{
    page = pages "/" $1 ".md"
    n = find(page, $2, $3, row)
    if (n != 1) fail(page ": " n " rows of " $2 " begin with '" $3 "'")
    if (row["counts"] ~ /^by the closed form/ && $4 != "closed") fail($1 ": " $3 ": by the closed form")
    machine = $4 == "machine" ? row["model"] : "not run"
    closed = $4 == "closed" ? row["model"] : row["closed form"]
    verdict = row["verdict"] ($4 == "closed" ? ", by the closed form" : "")
    other = pages "/" $1 "-analytic.md"
    if (closed == "" && find(other, $2, $3, beside) == 1) closed = beside["model"]
    if (find(pages "/" $1 "-full.md", $2, $3, whole) == 1) {
        closed = row["model"]
        machine = whole["model"]
        verdict = whole["verdict"]
    }
    if (!($1 in seen)) order[++papers] = $1
    seen[$1] = 1
    name = seen_name[$1]++ ? "" : "[" $1 "](internals/validation/" $1 ".md)"
    printf "| %s | %s | %s | %s | %s | %s | %s |\n", name, $5, row["published"], machine, closed, verdict, $6
}
END {
    if (failed) exit 1
    print "\nVerdicts of all quantities on each page:\n"
    for (i = 1; i <= papers; i++)
        print "- " order[i] ": " verdicts[pages "/" order[i] ".md"]
}
