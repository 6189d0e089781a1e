# Checks that a subfolder does not change the settings of the project that adds it.

# remember(NAME): stores, in variables whose names begin with NAME, the values of all variables, and the properties of the folder and of
# the whole build that a subfolder could set.
macro(remember name)
  get_cmake_property(${name}_names VARIABLES)
  foreach(variable ${${name}_names})
    set(${name}_value_${variable} "${${variable}}")
  endforeach()
  foreach(kind COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FEATURES INCLUDE_DIRECTORIES LINK_OPTIONS LINK_LIBRARIES
          LINK_DIRECTORIES BUILDSYSTEM_TARGETS TESTS)
    get_property(${name}_value_${kind} DIRECTORY PROPERTY ${kind})
  endforeach()
  foreach(kind ENABLED_LANGUAGES USE_FOLDERS JOB_POOLS ALLOW_DUPLICATE_CUSTOM_TARGETS RULE_LAUNCH_COMPILE
          RULE_LAUNCH_LINK)
    get_property(${name}_value_${kind} GLOBAL PROPERTY ${kind})
  endforeach()
endmacro()

# require_same(BEFORE AFTER): ends the configuration with an error if a variable or property has changed.
function(require_same before after)
  get_cmake_property(names VARIABLES)
  list(FILTER names INCLUDE REGEX "^${before}_value_")
  list(FILTER names EXCLUDE REGEX "^${before}_value_(variable|CMAKE_CURRENT_LIST_LINE)$")
  foreach(name ${names})
    string(REGEX REPLACE "^${before}_" "${after}_" other ${name})
    if(NOT "${${name}}" STREQUAL "${${other}}")
      message(FATAL_ERROR "${name}: was '${${name}}', is '${${other}}'")
    endif()
  endforeach()

  # Allowed new cache variables are options with the prefix of the subfolder, and those of CMake's own modules.
  set(new ${${after}_names})
  list(REMOVE_ITEM new ${${before}_names})
  list(FILTER new EXCLUDE REGEX "^(STENCIL|stencil|${before}|${after})_|^variable$")
  list(FILTER new EXCLUDE REGEX "^(OpenMP|MPI|MPIEXEC|HDF5|fmt|Eigen3|nlohmann_json|PKG_CONFIG)_|^FIND_PACKAGE_MESSAGE_")
  list(FILTER new EXCLUDE REGEX "^CMAKE_(HAVE_LIBC_PTHREAD|PROJECT_VERSION(_[A-Z]+)?)$")
  if(new)
    message(FATAL_ERROR "a subfolder has set variables of its parent: ${new}")
  endif()
endfunction()

# require_prefix(FOLDER PREFIX): ends the configuration with an error if a target of a folder, or of a folder below it, could have
# the same name as a target of another project.
function(require_prefix folder prefix)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER targets EXCLUDE REGEX "^${prefix}")
  if(targets)
    message(FATAL_ERROR "targets of ${folder} without the prefix ${prefix}: ${targets}")
  endif()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder ${subfolders})
    require_prefix(${subfolder} ${prefix})
  endforeach()
endfunction()
