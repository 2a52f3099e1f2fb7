# The functions that Triton's CMakeLists call and its source distribution does not define.

define_property(GLOBAL PROPERTY PLAYGROUND_OBJECT_TARGETS)

# Every library waits for every generated header: Triton's own DEPENDS lists are incomplete.
add_custom_target(triton-tablegen)

# What scripts/build_module.py builds for wasm: objects only, no link.
add_custom_target(playground-objects)

function(playground_add_objects name)
  add_dependencies(playground-objects ${name})
  set_property(GLOBAL APPEND PROPERTY PLAYGROUND_OBJECT_TARGETS ${name})
endfunction()

function(add_triton_object name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE ${PLAYGROUND_LIBRARY_FLAGS})
  add_dependencies(${name} triton-tablegen ${ARG_DEPENDS})
  playground_add_objects(${name})
endfunction()

# The module is linked from all objects at once, so LINK_LIBS says nothing new.
function(add_triton_library name)
  add_triton_object(${name} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY TRITON_LIBS ${name})
endfunction()

# Our own files compile without a warning; Triton's headers are not ours to clean.
function(playground_own_sources name)
  target_compile_options(${name} PRIVATE ${PLAYGROUND_OWN_WARNINGS})
  target_include_directories(${name} SYSTEM PRIVATE ${TRITON_INCLUDE_DIRS})
endfunction()

# Plugins hold pybind11 code and are listed by the root instead.
function(add_triton_plugin name)
endfunction()

function(playground_collect_targets directory output)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(children DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(child IN LISTS children)
    playground_collect_targets("${child}" below)
    list(APPEND targets ${below})
  endforeach()
  set(${output} "${targets}" PARENT_SCOPE)
endfunction()

function(playground_collect_tablegen_targets)
  playground_collect_targets("${CMAKE_CURRENT_SOURCE_DIR}" targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "UTILITY" AND target MATCHES "(IncGen|TableGen)$")
      add_dependencies(triton-tablegen ${target})
    endif()
  endforeach()
endfunction()

function(playground_get_objects output)
  get_property(targets GLOBAL PROPERTY PLAYGROUND_OBJECT_TARGETS)
  list(TRANSFORM targets REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  set(${output} "${targets}" PARENT_SCOPE)
endfunction()

# One object path a line, for the linker.
function(playground_write_object_list file)
  playground_get_objects(objects)
  file(GENERATE OUTPUT "${file}" CONTENT "$<JOIN:${objects},\n>\n")
endfunction()
