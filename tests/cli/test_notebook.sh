#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does what docs/python.md shows work in a notebook that Jupyter executes, with rows as data frames and
# a front as a table and a picture? Needs a python3 with nbconvert, ipykernel and pandas.
source "$(dirname "$0")/common.sh"
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import nbconvert, ipykernel, pandas' 2>/dev/null && break
done
[ "$python" != none ] || { echo "skipped: no nbconvert, ipykernel and pandas"; exit 77; }
top=${MEMSWEEP_SOURCE:?}
export MEMSWEEP_DATA=$top MEMSWEEP=$memsweep PYTHONPATH=$top/analysis/python PYTHONDONTWRITEBYTECODE=1
export HOME=$work JUPYTER_PLATFORM_DIRS=1 IPYTHONDIR=$work/ipython
cat >book.py <<'P'
import re, sys
import nbformat
from nbconvert.preprocessors import ExecutePreprocessor
blocks = re.findall(r"^```python\n(.*?)^```$", open(sys.argv[1]).read(), re.M | re.S)
cells = [cell for block in blocks for cell in re.split(r"\n\n(?=#)", block)]
cells += ["study.front(over='workload', by='worst')",
          "frame = study.frame(columns=['ptw_count', 'cycles'])\nframe.attrs['units']['cycles'], type(frame).__name__"]
book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
ExecutePreprocessor(timeout=300).preprocess(book, {})
nbformat.write(book, "book.ipynb")
for cell in book.cells:
    for output in cell.outputs:
        print(output.get("text", "").strip(), *sorted(output.get("data", {})), output.get("data", {}).get("text/plain", ""))
P
"$python" book.py "$top/docs/python.md" >printed 2>err || fail "the notebook: $(tail -n 5 err)"
has "$(cat printed)" "24 of 24"
has "$(cat printed)" "20 points of a front of 21"
has "$(cat printed)" "('cycles', 'DataFrame')"
has "$(grep 'text/html' printed)" "text/html"
! command -v gnuplot >/dev/null || has "$(cat printed)" "image/svg+xml"
finish
