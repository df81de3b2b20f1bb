#!/usr/bin/env bash
# Does text of others get into other languages (gnuplot, shell, SQL, JSON, YAML, HTML, ...) only by
# the functions of base/quote, do other programs start without a shell, and are outputs opened in one
# place? Looks for quotes around %s in what is built, not in messages.
source "$(dirname "$0")/files.sh"

# Names here were compared with our own tables before, or are digests and constants.
known='^src/store/(merge_conflict|trust)\.c:'

# statements FILE...: "path: statement", each on one line, its literals joined.
statements() {
    local path
    for path in "$@"; do
        grep -vE '^ *(/?\*|//)' "$path" | tr '\n' ' ' | sed -E 's/" +"//g; s/; +/;\n/g' |
            sed "s|^|$path: |"
    done
}

# findings FILE...: what builds such text by itself.
findings() {
    local build='msw_text_add\(|msw_strfmt\(|snprintf\(|f?printf\(|fputs\('
    local message='msw_fail|msw_log|_say\(|_notes_add\(|stderr|did you mean'
    # '%s' and \"%s\": quotes put around a text; ="%s and @%s@: attributes, slots; $(..), `..`.
    local quoted="'%[-+ 0-9.*]*s|%[-+ 0-9.*]*s'|\\\\\"%[-+ 0-9.*]*s|%[-+ 0-9.*]*s\\\\\""
    local tag="<[a-zA-Z]+[^\">]*>?%[-+ 0-9.*]*s|#SBATCH[^\"]*%[-+ 0-9.*]*s|set [xyz]?(tics|label|title)[^\"]*%s"
    statements "$@" | grep -E "$build" | grep -vE "$message" | grep -E "$quoted|$tag" || true
    statements "$@" | grep -E '[^a-z_](popen|system)\(' || true
}

# openings FILE...: what opens a file to write without looking at what is there.
openings() {
    statements "$@" | grep -E 'fopen\([^;]*"(w|a|r\+|w\+)b?"|O_TRUNC|O_CREAT' |
        grep -vE '^src/cli/(outfile|target)\.c|^src/store/|"messages"' || true
}

mapfile -t sources < <(files 'src/*.c' | grep -v '^src/base/quote\.c$')
while IFS= read -r hit; do
    [[ $hit =~ $known ]] || fail "${hit:0:240}: quotes by itself: use a function of memsweep/quote.h"
done < <(findings "${sources[@]}")
while IFS= read -r hit; do
    fail "${hit:0:240}: opens an output by itself: use cli_outfile_open"
done < <(openings "${sources[@]}")

# Does it find what is planted?
planted=$(mktemp)
trap 'rm -f "$planted"' EXIT
cat >"$planted" <<'END'
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
found=$(findings "$planted" | wc -l)
[ "$found" -eq 7 ] || fail "found $found of 7 planted examples"
echo '    FILE *out = fopen(path, "wb");' >"$planted"
[ "$(openings "$planted" | wc -l)" -eq 1 ] || fail "did not find the planted opening"
exit $bad
