# Flags shared by every target of the project, as one interface library.
#
# No target uses -ffast-math. With -ffp-contract=off, the compiler never fuses a multiplication and an addition on its own. Fused
# operations are written explicitly in kernels/cpu, so the bits of a result do not depend on the optimizer.
# -Wno-restrict: g++ 12 warns falsely about std::string (GCC bug 105651).
# -fno-ipa-modref: with this analysis, which -O1 and higher levels enable, g++ 12.2 removes the initialisation of temporary structures
# that a function takes by reference and copies. With -O1, `number_of(calendar, next_first(...))` of io/metadata/date.cpp then read
# uninitialised memory if calendar.cpp was in the same source.
add_library(stencil_options INTERFACE)
target_include_directories(stencil_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_features(stencil_options INTERFACE cxx_std_20)
target_compile_options(stencil_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict -fno-ipa-modref>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CXX_COMPILER_ID:GNU>>:-Xcompiler=-fno-ipa-modref>
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
target_compile_definitions(stencil_options INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
# Warnings are errors in the builds of scripts/test, but not by default. With sanitizers, g++ 12 gives false warnings about values
# that may be uninitialized (std::function, std::optional) and about bounds (std::string). These two kinds of warnings are never
# errors, and they are disabled with sanitizers.
option(STENCIL_WARNINGS_AS_ERRORS "Warnings of the compilers are errors" OFF)
set(STENCIL_GNU $<COMPILE_LANG_AND_ID:CXX,GNU>)
if(STENCIL_SANITIZE)
  target_compile_options(stencil_options INTERFACE $<${STENCIL_GNU}:-Wno-maybe-uninitialized -Wno-array-bounds>)
endif()
if(STENCIL_WARNINGS_AS_ERRORS)
  target_compile_options(stencil_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<${STENCIL_GNU}:-Wno-error=maybe-uninitialized -Wno-error=array-bounds>
    $<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings>)
endif()

# Code that spends its time in other libraries is compiled for a quick build. With sanitizers it is not optimised at
# all, because optimising the checks would take as long as compiling all other code.
if(STENCIL_SANITIZE)
  set(STENCIL_QUICK_BUILD $<$<COMPILE_LANGUAGE:CXX>:-O0>)
else()
  set(STENCIL_QUICK_BUILD $<$<NOT:$<CONFIG:Debug>>:-O1>)
endif()
# Sources that compile much of Eigen or of the JSON library take half as long with -O1. With sanitizers, clang compiles these sources
# with -O0 in half of the time that it needs with -O1. g++ 12 cannot compile the vector instructions of Eigen with -O0.
set(STENCIL_QUICK_HEADERS "${STENCIL_QUICK_BUILD}")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(STENCIL_QUICK_HEADERS $<$<NOT:$<CONFIG:Debug>>:-O1>)
endif()

# The quick run of the tests (scripts/test) builds less than the nightly run: it builds no test programs that only run with sanitizers
# and no objects that only check that a header compiles alone, and it compiles the code of input and output with little optimisation.
option(STENCIL_QUICK_TESTS "Build only what the quick run of the tests needs, and optimize input and output little" OFF)

if(STENCIL_SANITIZE)
  # The checks of null pointers, of the sizes and types of objects, and of pointers past the end are left out, because the address
  # sanitizer finds the resulting errors. So is the check of alignment: x86 allows unaligned accesses, except those of vectors, which
  # trap. Without these checks, compiling takes two fifths less time, and the tests take half the time.
  target_compile_options(stencil_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize=null,object-size,vptr,alignment,pointer-overflow
      -fno-sanitize-recover=undefined -fno-omit-frame-pointer>)
  target_link_options(stencil_options INTERFACE -fsanitize=address,undefined)
endif()

# stencil_layer(NAME [LINKS lib...]): defines the static library of a layer, from the .cpp files of the calling folder and of its
# SUBFOLDERS. ONLY is a regular expression for the paths of the sources that are included, EXCEPT for those that are left out.
function(stencil_layer name)
  cmake_parse_arguments(arg "" "ONLY;EXCEPT" "LINKS;SUBFOLDERS" ${ARGN})
  set(patterns *.cpp)
  foreach(folder ${arg_SUBFOLDERS})
    list(APPEND patterns ${folder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  if(arg_ONLY)
    list(FILTER sources INCLUDE REGEX "${arg_ONLY}")
  endif()
  if(arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCEPT}")
  endif()
  if(NOT sources)
    add_library(${name} INTERFACE)
    return()
  endif()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC stencil_options ${arg_LINKS})
  stencil_unity(${name})
endfunction()
