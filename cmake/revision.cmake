# SPDX-License-Identifier: MIT
# cmake -DSOURCE=... -DOUTPUT=... -P revision.cmake: writes which commit the source is of; the file
# is touched only when that changes. A release archive names its commit in cmake/commit.txt; a source
# that is no repository of its own has no other commit, even where it lies inside of one.
set(revision "")
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel
  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
file(REAL_PATH ${SOURCE} here)
if(NOT failed AND top STREQUAL here)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
elseif(EXISTS ${SOURCE}/cmake/commit.txt)
  file(STRINGS ${SOURCE}/cmake/commit.txt revision LIMIT_COUNT 1)
  if(NOT revision MATCHES "^[0-9a-f]+$")
    set(revision "")
  endif()
endif()
set(text "/* Made by cmake/revision.cmake. */\n#include \"cli/run/sweep_run.h\"\n\nconst char cli_revision[] = \"${revision}\";\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
