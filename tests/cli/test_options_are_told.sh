#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is every option of every command told in a document for readers? One that no page needs is one too many.
source "$(dirname "$0")/common.sh"
cd "${MEMSWEEP_SOURCE:?}"
told=$(cat README.md docs/*.md docs/models/*.md analysis/README.md slurm/README.md)
for command in $("$memsweep" help | awk '/^  [a-z]/ { print $1 }'); do
    for option in $("$memsweep" help "$command" --all | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
        [ "$option" = --help ] || [[ $told =~ $option([^a-z-]|$) ]] || fail "$command $option: no document tells of it"
    done
done
finish
