# Compiles extension modules for Pyodide: Emscripten's own toolchain file, with the options that Pyodide's Python has.
# It needs WBRIDGE_EMSCRIPTEN (the folder of Emscripten) and WBRIDGE_WEB_HEADERS (that of Python's headers).
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WBRIDGE_EMSCRIPTEN WBRIDGE_WEB_HEADERS)
include("${WBRIDGE_EMSCRIPTEN}/cmake/Modules/Platform/Emscripten.cmake")
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS TRUE)
set(exceptions "-fwasm-exceptions -sSUPPORT_LONGJMP=wasm")
set(CMAKE_C_FLAGS_INIT "-fPIC ${exceptions}")
set(CMAKE_CXX_FLAGS_INIT "-fPIC ${exceptions}")
# Vectors of 128 bits: browsers have had them longer than what runs several controllers, and they change no number.
add_compile_options(-msimd128)
# A side module exports what Python calls, of the names here that it has; names of the archive that it does not need are left out.
set(exported "-sEXPORTED_FUNCTIONS=_PyInit__engine,_PyInit__native -Wno-undefined")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-sSIDE_MODULE=2 -sWASM_BIGINT ${exported} ${exceptions}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-sSIDE_MODULE=2 ${exceptions}")
# nanobind is a Python package of this machine.
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
