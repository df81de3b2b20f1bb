#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does anything lie where nothing should? The top of the tree holds what CONTRIBUTING.md's readers
# expect there, and folders of data hold no scratch files: what a run leaves behind would be committed
# unseen.
. "$(dirname "${BASH_SOURCE[0]}")/files.sh"

known=" .ci .clang-format .clang-tidy .cppcheck .editorconfig .gitattributes .github .gitignore CHANGELOG.md CITATION.cff CMakeLists.txt
 CMakePresets.json CODE_OF_CONDUCT.md CONTRIBUTING.md LICENSE README.md SECURITY.md analysis cmake
 codemeta.json debian docs errors include packaging results scripts slurm src sweeps tests workloads "
for name in $(files . | cut -d/ -f1 | sort -u); do
    case " $(echo $known) " in
    *" $name "*) ;;
    *) fail "$name: lies at the top of the tree, where nothing of that name belongs" ;;
    esac
done

while read -r path; do
    case ${path##*/} in
    *.db | *.db-journal | *.out | *.log | *.tmp | *.orig | *.rej | core | core.[0-9]* | *~ | bad.* | *-do-not-commit*)
        fail "$path: looks like a file that a run left behind"
        ;;
    esac
done < <(files . | grep -v '^tests/')

# Every source file says its licence in its first lines.
while read -r path; do
    fail "$path: names no licence in its first two lines"
done < <(files '*.c' '*.h' '*.sh' '*.cmake' 'scripts/*' |
    grep -v '^workloads/' | # what sweeps read stays as it is
    xargs awk '
        FNR == 1 && NR > 1 && !named { print before }
        FNR == 1 { named = 0; before = FILENAME }
        FNR <= 2 && /SPDX-License-Identifier: MIT/ { named = 1 }
        END { if (!named) print before }')

# A script that notes what failed ends with what tells it: without, it passes whatever it found.
while read -r path; do
    grep -q '^finish' "$path" ||
        fail "$path: notes failures and never tells them; it must end with finish"
done < <(files 'tests/*.sh' | grep '/test_' | grep -v '^tests/lint/' | xargs grep -lE 'common\.sh' |
    xargs grep -lE '^[^#]*(^|[ |(])(fail|gives|has|lacks) ')

exit $bad
