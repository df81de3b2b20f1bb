# SPDX-License-Identifier: MIT
# Everything memsweep is built on, found by pkg-config (or the compiler, for OpenMP and MPI).
find_package(PkgConfig REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
pkg_check_modules(GSL REQUIRED IMPORTED_TARGET gsl>=2.5)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.26)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml>=0.7)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash>=0.8)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib>=1.2)

add_library(memsweep_libraries INTERFACE)
target_link_libraries(memsweep_libraries INTERFACE
  PkgConfig::GSL PkgConfig::SQLITE PkgConfig::FYAML PkgConfig::XXHASH PkgConfig::ZLIB
  OpenMP::OpenMP_C Threads::Threads m)

if(MEMSWEEP_MPI)
  find_package(MPI COMPONENTS C)
  if(MPI_C_FOUND)
    target_link_libraries(memsweep_libraries INTERFACE MPI::MPI_C)
    target_compile_definitions(memsweep_libraries INTERFACE MEMSWEEP_HAVE_MPI=1)
  else()
    message(WARNING "No MPI found: memsweep is built for one machine only (the no-mpi preset says so on purpose)")
  endif()
endif()
