#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is every command and option documented, in help, man page and completion alike?
source "$(dirname "$0")/common.sh"

commands=$("$memsweep" help | awk '/^  [a-z]/ { print $1 }')
[ "$(wc -w <<<"$commands")" -ge 14 ] || fail "only these commands: $commands"
man=$("$memsweep" man)

for command in $commands; do
    gives 0 "$memsweep" help "$command"
    help=$out
    has "$help" "Usage: memsweep $command"
    gives 0 "$memsweep" "$command" --help
    same "$out" "$help" "help $command and $command --help"
    gives 0 "$memsweep" "$command" -h
    same "$out" "$help" "help $command and $command -h"
    gives 0 "$memsweep" help "$command" --all
    all=$out
    gives 0 "$memsweep" "$command" --help all
    same "$out" "$all" "help $command --all and $command --help all"
    [ "$(grep -cE '^ +(-[a-zA-Z], |    )--' <<<"$help")" -le 10 ] || fail "$command: many options at first"
    has "$man" ".SS memsweep $command"
    help=$all
    while read -r line; do
        [ ${#line} -le 120 ] || fail "$command: a line of ${#line} characters"
    done <<<"$help"
    completion=$("$memsweep" completion words -- memsweep "$command" --)
    for option in $(grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' <<<"$help" | grep -oE -- '--[a-z-]+'); do
        [ "$option" = --help ] && continue
        has "$man" "\\fB${option//-/\\-}\\fR"
        grep -qx -- "$option" <<<"$completion" ||
            fail "completion of $command lacks $option"
    done
done

gives 0 "$memsweep" --help
has "$out" "Every day"
[ "$(wc -l <<<"$out")" -le 40 ] || fail "the list of commands has more than 40 lines"
has "$man" "EXIT STATUS"
gives 0 "$memsweep" --version
has "$out" "memsweep "
gives 2 "$memsweep"
has "$err" "Usage: memsweep <command>"

# Every example of every command names options that exist.
for command in $commands; do
    "$memsweep" help "$command" --all | sed -n '/^Examples$/,$p' | grep -oE -- ' --?[a-z][a-z-]*' |
        sort -u | while read -r option; do
        "$memsweep" help "$command" --all | grep -qE "(^|[ ,])$option([ ,]|$)" ||
            echo "$command: example with unknown $option"
    done
done >examples
[ -s examples ] && fail "$(cat examples)"

if command -v man >/dev/null && command -v groff >/dev/null; then
    "$memsweep" man >page.1
    warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z page.1 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "man page: $warnings"
fi
finish
