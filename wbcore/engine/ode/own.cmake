# ODE compiled from its original source.
string(REGEX MATCH "ode_([0-9.]+)[.]orig" matched "${ARCHIVE}")
set(WBRIDGE_ODE_VERSION "${CMAKE_MATCH_1}")
set(ode "${CMAKE_CURRENT_BINARY_DIR}/ode-${WBRIDGE_ODE_VERSION}")
if(NOT EXISTS "${ode}/include/ode/ode.h")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar xzf "${ARCHIVE}" WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
endif()

execute_process(COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/change_sources.py" "${ode}"
  COMMAND_ERROR_IS_FATAL ANY)

# Headers with the precision that ODE's build would write into them, without comments: ODE's manual has what they say.
# Physics plugins are compiled with the same ones.
set(headers "${CMAKE_CURRENT_BINARY_DIR}/include")
file(GLOB public "${ode}/include/ode/*.h")
list(FILTER public EXCLUDE REGEX "/precision[.]h$")  # written below: a copy would let all be compiled again
execute_process(COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/copy_headers.py" "${headers}/ode" ${public}
  COMMAND_ERROR_IS_FATAL ANY)
set(ODE_PRECISION dDOUBLE)
configure_file("${ode}/include/ode/precision.h.in" "${headers}/ode/precision.h")
set(CCD_PRECISION CCD_DOUBLE)
configure_file("${ode}/libccd/src/ccd/precision.h.in" "${CMAKE_CURRENT_BINARY_DIR}/private/ccd/precision.h")

file(GLOB solver "${ode}/ode/src/*.cpp" "${ode}/ou/src/ou/customization.cpp")
list(FILTER solver EXCLUDE REGEX "/(collision_trimesh_gimpact|gimpact_contact_export_helper|collision_trimesh_disabled)[.]cpp$")
list(FILTER solver EXCLUDE REGEX "/(threading_pool_win|threading_pool_posix|collision_trimesh_trimesh_old|odetls)[.]cpp$")
set(meshes ${solver})
list(FILTER meshes INCLUDE REGEX "/collision_[a-z_]*trimesh[a-z_]*[.]cpp$")
set(shapes ${solver})
list(FILTER shapes INCLUDE REGEX "/(collision_[a-z_]*|box|capsule|convex|cylinder|heightfield|plane|ray|sphere)[.]cpp$")
list(FILTER shapes EXCLUDE REGEX "/collision_[a-z_]*trimesh[a-z_]*[.]cpp$")
list(REMOVE_ITEM solver ${meshes} ${shapes})
file(GLOB joints "${ode}/ode/src/joints/*.cpp")
# Only plugins have such joints and shapes, and only the start of a world computes masses.
set(rare ${solver} ${shapes} ${joints})
list(FILTER rare INCLUDE REGEX
  "/(convex|export-dif|mass|dhinge|hinge2|null|piston|plane2d|pr|pu|transmission|universal)[.]cpp$")
list(REMOVE_ITEM solver ${rare})
list(REMOVE_ITEM shapes ${rare})
list(REMOVE_ITEM joints ${rare})
file(GLOB trees "${ode}/OPCODE/*.cpp" "${ode}/OPCODE/Ice/*.cpp")
list(FILTER trees EXCLUDE REGEX "/OPC_(AABBCollider|Common|HybridModel|LSSCollider|Picking|PlanesCollider)[.]cpp$")
list(FILTER trees EXCLUDE REGEX "/Ice(IndexedTriangle|Plane|Ray|RevisitedRadix|Segment|Triangle|Utils)[.]cpp$")
file(GLOB convex "${ode}/libccd/src/*.c" "${ode}/ode/src/*.c")

# What ODE's own files see; files of the engine that call ODE's internal functions see the same.
add_library(wbridge_ode_internals INTERFACE)
target_include_directories(wbridge_ode_internals SYSTEM INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}" "${headers}" "${ode}/ode/src"
  "${ode}/ode/src/joints" "${ode}/OPCODE" "${ode}/ou/include" "${CMAKE_CURRENT_BINARY_DIR}/private" "${ode}/libccd/src/custom"
  "${ode}/libccd/src")
target_compile_definitions(wbridge_ode_internals INTERFACE NDEBUG dNODEBUG dIDEDOUBLE CCD_IDEDOUBLE dTRIMESH_ENABLED
  dTRIMESH_OPCODE dTHREADING_INTF_DISABLED dOU_ENABLED _OU_NAMESPACE=odeou _OU_FEATURE_SET=_OU_FEATURE_SET_BASICS
  _OU_TARGET_OS=_OU_TARGET_OS_GENUNIX dLIBCCD_ENABLED dLIBCCD_INTERNAL dLIBCCD_CYL_CYL dLIBCCD_CAP_CYL dLIBCCD_CONVEX_BOX
  dLIBCCD_CONVEX_CAP dLIBCCD_CONVEX_CYL dLIBCCD_CONVEX_SPHERE dLIBCCD_CONVEX_CONVEX)

# Few large units compile faster than a hundred files, each with the same headers. No part is faster at the highest level of
# optimization, and trees of triangles grow large at any but the one for size, which takes half as long again to compile as
# the first: that one serves a checkout. The level changes no result.
add_library(wbridge_ode_solver OBJECT ${solver})
add_library(wbridge_ode_shapes OBJECT ${joints} ${shapes})
add_library(wbridge_ode_small OBJECT ${trees} ${rare} ${meshes} ${convex})
wbridge_optimize(wbridge_ode_solver -O2)
wbridge_optimize(wbridge_ode_shapes -O2)
wbridge_optimize(wbridge_ode_small $<IF:$<STREQUAL:${SKBUILD_STATE},editable>,-O1,-Os>)
set(WBRIDGE_ODE_OBJECTS wbridge_ode_solver wbridge_ode_shapes wbridge_ode_small)
foreach(target ${WBRIDGE_ODE_OBJECTS})
  target_link_libraries(${target} PRIVATE wbridge_ode_internals)
  # Plugins call the functions that the headers declare with ODE_API. Calls inside of the engine are not for others to
  # replace.
  target_compile_definitions(${target} PRIVATE "ODE_API=__attribute__((visibility(\"default\")))")
  target_compile_options(${target} PRIVATE -w -ffp-contract=off -fno-math-errno -fno-builtin-sin -fno-builtin-cos -fno-semantic-interposition
    -ffunction-sections)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endforeach()
foreach(group solver joints shapes meshes trees rare convex)
  set_source_files_properties(${${group}} PROPERTIES UNITY_GROUP ${group})
endforeach()
# Files that define the same names as another file of their group.
set_source_files_properties("${ode}/ode/src/quickstep.cpp" "${ode}/ode/src/step.cpp" "${ode}/ode/src/ode.cpp"
  "${ode}/ode/src/collision_trimesh_ccylinder.cpp" "${ode}/ode/src/collision_cylinder_trimesh.cpp"
  "${ode}/ode/src/collision_quadtreespace.cpp" "${ode}/OPCODE/OPC_OBBCollider.cpp" "${ode}/OPCODE/OPC_OptimizedTree.cpp"
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

add_library(wbridge_ode INTERFACE)
target_include_directories(wbridge_ode SYSTEM INTERFACE "${headers}")
target_compile_definitions(wbridge_ode INTERFACE WBRIDGE_HAS_OWN_ODE=true)
set(note "")
set(WBRIDGE_OTHER_ODE system PARENT_SCOPE)
set(WBRIDGE_ODE_OBJECTS "${WBRIDGE_ODE_OBJECTS}" PARENT_SCOPE)

if(WBRIDGE_STATE_HASH)
  return()
endif()

# A plugin that is linked with ODE asks for the installed library. The engine loads this empty library by that name, so
# that no second ODE is loaded; it also serves the linker.
file(CONFIGURE OUTPUT none.c CONTENT "")
add_library(wbridge_ode_name SHARED "${CMAKE_CURRENT_BINARY_DIR}/none.c")
set_target_properties(wbridge_ode_name PROPERTIES OUTPUT_NAME ode NO_SONAME ON LIBRARY_OUTPUT_DIRECTORY
  "${CMAKE_CURRENT_BINARY_DIR}/..")
target_link_options(wbridge_ode_name PRIVATE -nostdlib -Wl,-soname,libode.so.8 -Wl,-s)

if(DEFINED SKBUILD_PROJECT_NAME)
  if(NOT SKBUILD_STATE STREQUAL "wheel") # which has them in an archive
    install(DIRECTORY "${headers}/ode" DESTINATION "${WBRIDGE_PARTS}/wbcore/engine/include")
  endif()
  install(TARGETS wbridge_ode_name LIBRARY DESTINATION "${WBRIDGE_PARTS}/wbcore/engine")
  install(FILES "${ode}/LICENSE-BSD.TXT" DESTINATION "${SKBUILD_METADATA_DIR}/licenses/ode")
  install(FILES "${ode}/libccd/BSD-LICENSE" DESTINATION "${SKBUILD_METADATA_DIR}/licenses/libccd")
endif()
