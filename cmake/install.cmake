# SPDX-License-Identifier: MIT
# What `cmake --install` puts where. Man page and completion are printed by the program itself, as
# part of building it: whoever built the program alone can install it.
set(generated ${PROJECT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${generated})
add_custom_command(TARGET memsweep POST_BUILD
  COMMAND memsweep man > ${generated}/memsweep.1
  COMMAND memsweep completion bash > ${generated}/memsweep.bash
  COMMAND memsweep completion zsh > ${generated}/_memsweep
  BYPRODUCTS ${generated}/memsweep.1 ${generated}/memsweep.bash ${generated}/_memsweep VERBATIM)

install(TARGETS memsweep RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${generated}/memsweep.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/memsweep.bash RENAME memsweep
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_memsweep DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
foreach(folder workloads sweeps errors analysis slurm)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/memsweep
    USE_SOURCE_PERMISSIONS OPTIONAL PATTERN python EXCLUDE)
endforeach()
