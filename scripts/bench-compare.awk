# SPDX-License-Identifier: MIT
# What bench-compare does with its files: reads JSON of any layout (a string is never longer than a
# line), gathers the repetitions of every row for both sides, judges. bench-compare --help says how.

function die(text) {
    print "bench-compare: " text > "/dev/stderr"
    dead = 1
    exit 3
}

# A number, word or string that is no container. path: its keys, joined by spaces.
function leaf(value,    p, n) {
    n = split(path(), p, " ")
    if (p[1] == "rows" && n == 3)
        field[p[2], p[3]] = value
    else if (p[1] == "rows" && n == 4)
        field[p[2], p[3], p[4]] = value
    else if (p[1] == "settings" && p[2] != "repeat")
        settings = settings " " path() "=" value
    else if (p[1] == "sections")
        section[p[2], p[3]] = value
    else if (p[1] == "machine")
        machine[file_side, path()] = value
    if (p[1] == "rows" && p[2] + 1 > rows)
        rows = p[2] + 1
    if (p[1] == "sections" && p[2] + 1 > sections)
        sections = p[2] + 1
    if (path() == "memsweep_bench")
        format = value
}

function path(    d, text) {
    for (d = 1; d <= depth; d++)
        text = text (d > 1 ? " " : "") (listed[d] ? at[d] : key[d])
    return text
}

# One token of JSON.
function token(t) {
    if (t == "{" || t == "[") {
        depth++
        listed[depth] = t == "["
        at[depth] = 0
        key[depth] = ""
    } else if (t == "}" || t == "]") {
        if (depth < 1)
            die(name ": not JSON")
        depth--
    } else if (t == ",") {
        at[depth]++
        key[depth] = ""
    } else if (t != ":") {
        if (!depth)
            die(name ": not a file of memsweep-bench --json")
        if (t ~ /^"/)
            t = plain(t)
        if (!listed[depth] && key[depth] == "")
            key[depth] = t
        else
            leaf(t)
    }
}

# A string without its quotes; keys and names of rows keep no blanks that would look like a path's.
function plain(t) {
    t = substr(t, 2, length(t) - 2)
    gsub(/\\"/, "\"", t)
    gsub(/\\\\/, "\\", t)
    if (!listed[depth] && key[depth] == "")
        gsub(/ /, "_", t)
    return t
}

function read_line(line) {
    while (line != "") {
        if (match(line, /^[ \t\r]+/)) {
            line = substr(line, RLENGTH + 1)
            continue
        }
        if (!match(line, /^("([^"\\]|\\.)*"|[][{},:]|[-+.0-9A-Za-z]+)/))
            die(name ": not JSON: " substr(line, 1, 40))
        token(substr(line, 1, RLENGTH))
        line = substr(line, RLENGTH + 1)
    }
}

# A file is read: its repetitions join those of its side.
function finish(    i, k, id) {
    if (name == "")
        return
    if (format != 1 || depth)
        die(name ": not a whole file of memsweep-bench --json")
    if (known_settings != "" && settings != known_settings)
        die(name ": other settings (--quick, --set) than " known_name ": rows of one name measure different things")
    known_settings = settings
    known_name = name
    for (i = 0; i < rows; i++) {
        id = field[i, "name"]
        if (!(id in seen)) {
            seen[id] = 1
            order[++count] = id
        }
        unit[id] = field[i, "unit"]
        better[id] = field[i, "better"]
        for (k = 0; (i, "values", k) in field; k++) {
            raw[file_side, id] = raw[file_side, id] " " field[i, "values", k]
            values[file_side, id] = values[file_side, id] " " \
                (field[i, "ratios", k] == "null" ? field[i, "values", k] : field[i, "ratios", k])
        }
    }
    for (i = 0; i < sections; i++)
        if (section[i, "status"] != "ok")
            failed[file_side, section[i, "name"]] = section[i, "message"]
    split("", field)
    split("", section)
    rows = sections = depth = format = 0
    settings = ""
}

# ---- statistics ----

# Numbers of a list into x, sorted. Returns how many.
function sorted(list,    n, i, j, v) {
    n = split(list, x, " ")
    for (i = 1; i <= n; i++)
        x[i] += 0
    for (i = 2; i <= n; i++) {
        v = x[i]
        for (j = i - 1; j >= 1 && x[j] > v; j--)
            x[j + 1] = x[j]
        x[j + 1] = v
    }
    return n
}

function choose(n, k,    i, c) {
    c = 1
    for (i = 1; i <= k; i++)
        c *= (n - k + i) / i
    return c
}

# Which of n sorted numbers bounds the median with at least 95 %, 1 where none does better.
function bound(n,    k, p) {
    p = 0.5 ^ n
    for (k = 1; p + choose(n, k) * 0.5 ^ n <= 0.025; k++)
        p += choose(n, k) * 0.5 ^ n
    return k
}

function middle(n) {
    return n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2
}

# How probable it is that intervals of n and m numbers from one source do not touch.
function chance(n, m,    k, l, j, p) {
    k = bound(n)
    l = bound(m)
    for (j = n + 1 - k; j <= n; j++)
        p += choose(j + l - 1, j) * choose(n - j + m - l, n - j)
    return 2 * p / choose(n + m, n)
}

function judge(id,    n, m, a, b, low, high, apart, change, word, far) {
    n = sorted(values["a", id])
    low = x[bound(n)]
    high = x[n + 1 - bound(n)]
    a = middle(n)
    m = sorted(values["b", id])
    b = middle(m)
    apart = x[bound(m)] > high || x[m + 1 - bound(m)] < low
    change = a != 0 ? 100 * (b / a - 1) : (b != 0 ? 100 : 0)
    far = change < 0 ? -change : change
    compared++
    expected += chance(n, m)
    if (!apart || far < (better[id] == "neither" ? 0.0001 : least))
        return
    word = "better"
    if (better[id] == "neither")
        word = "changed"
    else if ((b > a) == (better[id] == "lower"))
        word = "worse"
    tell(word, sprintf("%+8.1f %%", change), id)
}

function tell(word, change, id,    a, b) {
    told[word]++
    a = b = "-"
    if (("a", id) in raw)
        a = sprintf("%.4g", middle(sorted(raw["a", id])))
    if (("b", id) in raw)
        b = sprintf("%.4g", middle(sorted(raw["b", id])))
    printf "%-8s %10s  %-58s %12s -> %-12s %s\n", word, change, id, a, b, unit[id]
}

function compare_machines(    what) {
    for (what in machine) {
        if (what !~ "^a" SUBSEP)
            continue
        sub("^a" SUBSEP, "", what)
        if (what !~ /load|program/ && machine["a", what] != machine["b", what]) {
            gsub(/^machine /, "", what)
            printf "%s differs: %s -> %s\n", what, machine["a", "machine " what], machine["b", "machine " what]
        }
    }
}

FNR == 1 {
    finish()
    name = FILENAME
    file_side = side
    files[side]++
}

{
    read_line($0)
}

END {
    if (dead)
        exit 3
    finish()
    if (!files["a"] || !files["b"])
        die("an empty file")
    compare_machines()
    for (i = 1; i <= count; i++) {
        id = order[i]
        if (!(("b", id) in raw))
            tell("gone", "", id)
        else if (!(("a", id) in raw))
            tell("new", "", id)
        else
            judge(id)
    }
    for (what in failed)
        printf "failed   %s: %s\n", substr(what, 1, 1) == "a" ? "before" : "now", substr(what, 3) ": " failed[what]
    for (what in failed)
        told["failed"] += substr(what, 1, 1) == "b"
    printf "%d rows compared: %d worse, %d better, %d changed, %d new, %d gone, %d failed; by chance %.1f would be told apart\n", compared, told["worse"], told["better"], told["changed"], told["new"], told["gone"], told["failed"], expected
    exit (strict && told["worse"] + told["gone"] + told["failed"] > 0)
}
