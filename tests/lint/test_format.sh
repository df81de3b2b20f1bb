#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is the C code in the house format? clang-format 14 decides; skipped without it.
source "$(dirname "$0")/files.sh"
tool=$(command -v clang-format-14 || command -v clang-format) || exit 77
"$tool" --version | grep -q 'version 14\.' || {
    echo "skipped: $("$tool" --version)"
    exit 77
}
scripts/format --check
