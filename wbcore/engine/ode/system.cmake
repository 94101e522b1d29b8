# The installed ODE, linked dynamically.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(SYSTEM_ODE QUIET ode)
endif()
find_path(ODE_INCLUDE_DIR ode/ode.h HINTS ${SYSTEM_ODE_INCLUDE_DIRS})
find_library(ODE_LIBRARY ode HINTS ${SYSTEM_ODE_LIBRARY_DIRS})
if(NOT ODE_INCLUDE_DIR OR NOT ODE_LIBRARY)
  message(FATAL_ERROR "ODE has neither its source nor an installed library with headers.\n"
                      "  Debian, Ubuntu:  sudo apt-get install libode-dev\n"
                      "  elsewhere:       set WBRIDGE_ODE_ARCHIVE to the path of the archive that source.txt names,\n"
                      "                   or install ODE 0.16 or later and set CMAKE_PREFIX_PATH to its prefix")
endif()
set(WBRIDGE_ODE_VERSION "${SYSTEM_ODE_VERSION}")
message(STATUS "ODE ${WBRIDGE_ODE_VERSION}: ${ODE_LIBRARY}")
add_library(wbridge_ode INTERFACE)
target_include_directories(wbridge_ode SYSTEM INTERFACE "${ODE_INCLUDE_DIR}")
target_link_libraries(wbridge_ode INTERFACE "${ODE_LIBRARY}")
# pkg-config's flags say how the system's ODE was compiled; the headers must be read with the same precision.
if(SYSTEM_ODE_CFLAGS_OTHER)
  target_compile_options(wbridge_ode INTERFACE ${SYSTEM_ODE_CFLAGS_OTHER})
endif()
target_compile_definitions(wbridge_ode INTERFACE WBRIDGE_HAS_OWN_ODE=false)
set(note "the installed ODE ${WBRIDGE_ODE_VERSION}")
set(WBRIDGE_OTHER_ODE own PARENT_SCOPE)
