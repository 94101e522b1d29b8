# wbridge_source(COPY): get the source archive that source.txt of the current folder names, with scripts/fetch_source.py.
#
# COPY is a path of the archive, or "". In the folder of a source distribution, the archive lies in source/. Sets ARCHIVE to
# the path, or to "" and PROBLEM to the reason. A wrong copy ends the build. For a source distribution, the archive is put
# into source/.
function(wbridge_source copy)
  set(pin "${CMAKE_CURRENT_SOURCE_DIR}/source.txt")
  set(carried "${CMAKE_CURRENT_SOURCE_DIR}/source")
  file(STRINGS "${pin}" pinned)
  string(REPLACE " " ";" pinned "${pinned}")
  list(GET pinned 0 package)
  list(GET pinned 1 name)
  set(from "")
  if(copy)
    set(from --file "${copy}")
  elseif(EXISTS "${carried}/${name}")
    set(from --file "${carried}/${name}")
  endif()
  execute_process(
    COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../scripts/fetch_source.py" "${pin}" ${from}
    OUTPUT_VARIABLE archive
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_VARIABLE problem
    ERROR_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    if(from OR SKBUILD_STATE STREQUAL "sdist")
      message(FATAL_ERROR "${problem}")
    endif()
    set(archive "")
  elseif(SKBUILD_STATE STREQUAL "sdist")
    file(COPY "${archive}" DESTINATION "${carried}")
  endif()
  set(ARCHIVE "${archive}" PARENT_SCOPE)
  set(PROBLEM "${problem}" PARENT_SCOPE)
endfunction()

# The system to compile for: posix, windows or webassembly; and the folders of src/platform that are for others.
if(WIN32)
  set(system windows)
elseif(CMAKE_SYSTEM_NAME STREQUAL "Emscripten")
  set(system webassembly)
else()
  set(system posix)
endif()
set(WBRIDGE_PLATFORM "${system}" CACHE STRING "The folder of src/platform that is compiled")
set(WBRIDGE_OTHER_PLATFORMS plain posix webassembly windows)
list(REMOVE_ITEM WBRIDGE_OTHER_PLATFORMS "${WBRIDGE_PLATFORM}")
if(NOT WBRIDGE_PLATFORM STREQUAL "posix")
  list(REMOVE_ITEM WBRIDGE_OTHER_PLATFORMS plain)
endif()
list(JOIN WBRIDGE_OTHER_PLATFORMS "|" WBRIDGE_OTHER_PLATFORMS)

# Files of the engine that see ODE's own headers, whose names are no others'.
set(WBRIDGE_INSIDE "/(own_ode/(awake_list|contact_places|island_step|wide_step|world_locks|precise/[a-z_]+)|solve/[a-z_]+)[.]cpp$")

# wbridge_optimize(TARGET LEVEL): compile with a level of optimization, unless WBRIDGE_LEVEL names another one. The level
# changes no result.
set(WBRIDGE_LEVEL "" CACHE STRING "Level of optimization of all sources, such as -O0; empty: what suits each")
function(wbridge_optimize target level)
  if(WBRIDGE_LEVEL)
    set(level "${WBRIDGE_LEVEL}")
  endif()
  target_compile_options(${target} PRIVATE ${level})
endfunction()

# Compilers would compute functions of constants with another library, and differently at each level of optimization.
# Products and sums are rounded separately.
set(WBRIDGE_EXACT -ffp-contract=off)
foreach(name acos asin atan atan2 cbrt cos erfc exp hypot log log10 pow sin tan)
  list(APPEND WBRIDGE_EXACT -fno-builtin-${name})
endforeach()

# wbridge_require_64_bits(): end the build with one line for a 32-bit Python, whose numbers of bodies and sizes of memory the
# engine does not expect. In web pages Python has 32 bits, and worlds the same bits as anywhere.
function(wbridge_require_64_bits)
  if(CMAKE_SIZEOF_VOID_P LESS 8 AND NOT WBRIDGE_PLATFORM STREQUAL "webassembly")
    message(FATAL_ERROR "wbridge does not run on 32-bit systems; install a 64-bit Python. Robots there need the package "
                        "wbridge-controller alone.")
  endif()
endfunction()

# wbridge_require_vectors(): end the build with one line if the compiler cannot compile for all processors of this kind.
# Parts of the engine are compiled for AVX2, too, and used where the processor has it.
function(wbridge_require_vectors)
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("
#if defined(__x86_64__)
#include <immintrin.h>
__attribute__((target(\"avx2\"))) __m256d sum(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
#endif
int main() { return 0; }" WBRIDGE_COMPILES_VECTORS)
  if(NOT WBRIDGE_COMPILES_VECTORS)
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} cannot compile functions for AVX2; install GCC 10, Clang 12 or a later one")
  endif()
endfunction()
