#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does text of others get into other languages (gnuplot, shell, SQL, JSON, YAML, HTML, ...) only by
# the functions of base/quote, do other programs start without a shell, and are outputs opened in one
# place? Looks for quotes around %s in what is built, not in messages.
source "$(dirname "$0")/files.sh"

# Names here were compared with our own tables before, are digests or constants, or are for messages.
known='^src/(store/(merge/rows|catalogue/trust)|analysis/surrogate/terms|workload/simt/program/parser)\.c:'

# statements FILE...: "path: statement", each on one line, its literals joined.
statements() {
    awk '
        function tell() {
            gsub(/" +"/, "", all)
            gsub(/; +/, ";\n" path ": ", all)
            print path ": " all
            all = ""
        }
        FNR == 1 && path != "" { tell() }
        { path = FILENAME }
        !/^ *(\/?\*|\/\/)/ { all = all $0 " " }
        END { tell() }' "$@"
}

# findings STATEMENTS: what builds such text by itself.
findings() {
    local build='msw_text_add\(|msw_strfmt\(|snprintf\(|f?printf\(|fputs\('
    local message='msw_fail|msw_log|_say\(|_diagnostics_add\(|stderr|did you mean'
    local text='%[-+ 0-9.*]*s' quoted tag
    # '%s' and \"%s\": quotes put around a text; <td>%s, directives, commands of gnuplot.
    quoted="'$text|$text'|\\\\\"$text|$text\\\\\""
    tag="<[a-zA-Z]+[^\">]*>?$text|#SBATCH[^\"]*$text|set [xyz]?(tics|label|title)[^\"]*%s"
    grep -E '[^a-z_](popen|system)\(' "$1" || true
    grep -E "$build" "$1" | grep -vE "$message" | grep -E "$quoted|$tag" || true
}

# openings: what opens a file to write without looking at what is there, in the statements read; a file
# that must not be there yet (O_EXCL) replaces nothing.
openings() {
    grep -E 'fopen\([^;]*"(w|a|r\+|w\+)b?"|O_TRUNC|O_CREAT' |
        grep -vE '^src/base/file\.c|^src/format/outfile\.c|^src/cli/run/target\.c|^src/store/|posix_spawn_file_actions_addopen|O_EXCL' || true
}

mapfile -t sources < <(files 'src/*.c' | grep -v '^src/base/quote\.c$')
planted=$(mktemp)
all=$(mktemp)
trap 'rm -f "$planted" "$planted.c" "$all"' EXIT
statements "${sources[@]}" >"$all"
[ "$(wc -l <"$all")" -gt 5000 ] || fail "where have the sources gone?"
while IFS= read -r hit; do
    [[ $hit =~ $known ]] || fail "${hit:0:240}: quotes by itself: use a function of memsweep/base/quote.h"
done < <(findings "$all")
while IFS= read -r hit; do
    fail "${hit:0:240}: opens an output by itself: use msw_outfile_open"
done < <(openings <"$all")

# Does it find what is planted?
cat >"$planted.c" <<'END'
    msw_text_add(out, "set title '%s'\n", title);
    msw_text_add(out, "SELECT \"%s\" "
                      "FROM t", name);
    msw_text_add(out, "<td>%s</td>", cell);
    msw_text_add(out, "#SBATCH --account=%s\n", account);
    char *line = msw_strfmt("cp '%s' there", path);
    msw_text_add(out, "{\"name\": \"%.*s\"}", 3, name);
    FILE *pipe = popen(line, "r");
    return msw_fail(err, "no figure '%s'", name);
END
statements "$planted.c" >"$planted"
found=$(findings "$planted" | wc -l)
[ "$found" -eq 7 ] || fail "found $found of 7 planted examples"
echo '    FILE *out = fopen(path, "wb");' >"$planted.c"
[ "$(statements "$planted.c" | openings | wc -l)" -eq 1 ] || fail "did not find the planted opening"
exit $bad
