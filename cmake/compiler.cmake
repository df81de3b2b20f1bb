# SPDX-License-Identifier: MIT
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

# Whole-program optimisation of what users run: the hardware parts are many small functions in small
# files. Objects then hold no machine code. The many test programs link one object made of all of
# them, in which it was made once (CMakeLists.txt); it inlines a little less, since a test may call
# any function.
include(CheckIPOSupported)
check_ipo_supported(RESULT ipo LANGUAGES C OUTPUT ignored)
add_library(memsweep_whole_program INTERFACE)
if(ipo AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 9
   AND CMAKE_BUILD_TYPE STREQUAL "Release" AND MEMSWEEP_LTO AND NOT MEMSWEEP_SANITIZE)
  set(MEMSWEEP_OBJECT_FLAGS -flto=auto)
  # The modules whose inner loops cross files; the others would only make linking twice as long.
  set(MEMSWEEP_OBJECT_MODULES base expr param sim workload mech design analysis)
  target_link_options(memsweep_whole_program INTERFACE -O3 -flto=auto -fuse-linker-plugin)
endif()
