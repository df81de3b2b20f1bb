# What tests of figures share: the texts of an SVG, and where they stand. Source it after common.sh.
command -v gnuplot >/dev/null || exit 77

# texts FILE: one line per text: x, y, angle, anchor, size, text; in the order of drawing.
texts() {
    awk '/<svg/ { inside = 1 }
        /<g transform="translate\(/ {
            spot = $0
            sub(/.*<g transform="translate\(/, "", spot)
            angle = spot ~ /rotate\(-90/ ? 90 : spot ~ /rotate\(-30/ ? 30 : 0
            split(spot, at, /[,)]/)
            anchor = spot; sub(/.*text-anchor="/, "", anchor); sub(/".*/, "", anchor)
            size = spot; sub(/.*font-size="/, "", size); sub(/".*/, "", size)
        }
        /<text>/ {
            text = $0
            sub(/.*<text>(<tspan[^>]*>)?/, "", text); sub(/(<\/tspan>)?<\/text>.*/, "", text)
            gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&amp;/, "\\&", text)
            printf "%s\t%s\t%s\t%s\t%s\t%s\n", at[1], at[2], angle, anchor, size, text
        }' "$1"
}

# said FILE: the texts alone.
said() {
    texts "$1" | cut -f 6
}

# inside_frame FILE: every text stands within the picture, a letter taken as 0.6 of its size.
inside_frame() {
    local box
    box=$(grep -oE 'viewBox="[^"]*"' "$1" | head -n 1 | tr -dc '0-9. ')
    texts "$1" | awk -F '\t' -v box="$box" '
        BEGIN { split(box, b, " "); wide = b[3]; high = b[4] }
        {
            long = 0.6 * $5 * length($6)
            start = $4 == "end" ? -long : $4 == "middle" ? -long / 2 : 0
            turn = $3 * 3.14159265 / 180
            x0 = $1 + start * cos(turn); x1 = x0 + long * cos(turn)
            y0 = $2 - start * sin(turn); y1 = y0 - long * sin(turn)
            if (x0 < -1 || x1 > wide + 1 || y0 > high + 1 || y0 < -1 || y1 < -1 || y1 > high + 1)
                print "outside: " $6 " from " x0 "," y0 " to " x1 "," y1 " of " wide "," high
        }' >outside
    [ -s outside ] && fail "$1: $(head -c 300 outside)"
    return 0
}

# in_order FILE TEXT...: the texts appear in this order.
in_order() {
    local file=$1 wanted found
    shift
    wanted=$(printf '%s\n' "$@")
    found=$(said "$file" | grep -Fx "$wanted")
    same "$found" "$wanted" "order in $file"
}
