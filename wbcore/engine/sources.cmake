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
