# SPDX-License-Identifier: MIT
# Reads edges "from to"; prints each set of nodes that reach one another, one a line. Nodes that
# nothing needs, or that need nothing, are taken away until none is left; what stays reaches a circle.
{ if ($1 != $2 && !(($1, $2) in edge)) { edge[$1, $2] = 1; from[++n] = $1; to[n] = $2 } }

# Marks everything that `start` reaches along the edges that are left.
function reach(start, mark, again, i) {
    mark[start] = 1
    do {
        again = 0
        for (i = 1; i <= n; i++)
            if (!gone[i] && from[i] in mark && !(to[i] in mark)) {
                mark[to[i]] = 1
                again = 1
            }
    } while (again)
}

function prune(more, i) {
    do {
        more = 0
        split("", user)
        split("", needs)
        for (i = 1; i <= n; i++)
            if (!gone[i]) {
                needs[from[i]] = 1
                user[to[i]] = 1
            }
        for (i = 1; i <= n; i++)
            if (!gone[i] && (!(from[i] in user) || !(to[i] in needs)))
                gone[i] = more = 1
    } while (more)
}

END {
    prune()
    for (k = 1; k <= n; k++) {
        if (gone[k] || from[k] in printed)
            continue
        split("", ahead)
        reach(from[k], ahead)
        line = ""
        count = 0
        for (node in ahead) {
            split("", back)
            reach(node, back)
            if (from[k] in back) {
                line = line (count++ ? " " : "") node
            }
        }
        if (count > 1) {
            print line
            parts = split(line, names, " ")
            for (i = 1; i <= parts; i++)
                printed[names[i]] = 1
        }
        printed[from[k]] = 1
    }
}
