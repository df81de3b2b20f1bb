# cmake -DSOURCE=... -DOUTPUT=... -P revision.cmake: writes which commit the source is of; the file
# is touched only when that changes. Outside of a repository the commit is not known.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
if(failed)
  set(revision "")
endif()
set(text "/* Made by cmake/revision.cmake. */\n#include \"cli/run/record.h\"\n\nconst char cli_revision[] = \"${revision}\";\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
