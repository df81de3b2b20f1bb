# One set of flags for every target. -ffp-contract=off: the same source gives the same bits at -O0
# and -O2; extensions off for the same reason.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(memsweep_flags INTERFACE)
target_compile_definitions(memsweep_flags INTERFACE
  _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE MEMSWEEP_VERSION="${PROJECT_VERSION}")
target_compile_options(memsweep_flags INTERFACE
  -ffp-contract=off -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  -Wpointer-arith -Wvla -Wundef)

if(MEMSWEEP_SANITIZE)
  target_compile_options(memsweep_flags INTERFACE
    -fsanitize=${MEMSWEEP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(memsweep_flags INTERFACE -fsanitize=${MEMSWEEP_SANITIZE})
endif()
if(MEMSWEEP_COVERAGE)
  target_compile_options(memsweep_flags INTERFACE --coverage)
  target_link_options(memsweep_flags INTERFACE --coverage)
endif()
