# Python for the build of Pyodide's extension modules, in place of CMake's module of this name: the interpreter of this
# machine runs the tools of the build, the headers are those of Pyodide's Python.
set(Python_FOUND TRUE)
set(Python_VERSION "${WBRIDGE_WEB_VERSION}")
set(Python_INTERPRETER_ID Python)
set(Python_INCLUDE_DIRS "${WBRIDGE_WEB_HEADERS}")
if(NOT TARGET Python::Interpreter)
  add_executable(Python::Interpreter IMPORTED)
  set_target_properties(Python::Interpreter PROPERTIES IMPORTED_LOCATION "${Python_EXECUTABLE}")
  add_library(Python::Module INTERFACE IMPORTED)
  set_target_properties(Python::Module PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${WBRIDGE_WEB_HEADERS}")
endif()
