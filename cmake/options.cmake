# Flags shared by every target of the project, as one interface library.
#
# No target uses -ffast-math. With -ffp-contract=off, the compiler never fuses a multiplication and an addition by itself. Fused
# operations are written as such in kernels/cpu, so the bits of a result do not depend on the optimizer.
# -Wno-restrict: g++ 12 warns falsely about std::string (GCC bug 105651).
add_library(stencil_options INTERFACE)
target_include_directories(stencil_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_features(stencil_options INTERFACE cxx_std_20)
target_compile_options(stencil_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
target_compile_definitions(stencil_options INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
# Warnings are errors in the builds of scripts/test, and not where others build. g++ 12 warns falsely of values that
# may not be initialized (std::function, std::optional) and of bounds (std::string), as soon as sanitizers change what
# the optimizer sees: these two never are errors, and are off with sanitizers.
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

# What spends its time in other libraries is compiled for a quick build. With sanitizers that means no optimising at all:
# for the checks, the optimizer takes as long as all the rest.
if(STENCIL_SANITIZE)
  set(STENCIL_QUICK_BUILD $<$<COMPILE_LANGUAGE:CXX>:-O0>)
else()
  set(STENCIL_QUICK_BUILD $<$<NOT:$<CONFIG:Debug>>:-O1>)
endif()

# The quick run of the tests (scripts/test) builds less than the nightly one: no test programs that only its build with
# sanitizers runs, no objects that only prove that a header compiles alone, and input and output with little optimizing.
option(STENCIL_QUICK_TESTS "Build only what the quick run of the tests needs, and optimize input and output little" OFF)

if(STENCIL_SANITIZE)
  # null pointers, sizes of objects, their types, and pointers past their ends: the address sanitizer finds what is wrong
  # there; x86 takes any alignment but for vectors, where it traps by itself. Without them compiling takes two fifths less
  # time, and the tests take half
  target_compile_options(stencil_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize=null,object-size,vptr,alignment,pointer-overflow
      -fno-sanitize-recover=undefined -fno-omit-frame-pointer>)
  target_link_options(stencil_options INTERFACE -fsanitize=address,undefined)
endif()

# stencil_layer(NAME [LINKS lib...]): one static library per box of the layout, from the .cpp files of
# the calling folder (and of its subfolders named after SUBFOLDERS). ONLY and EXCEPT are regular expressions of the
# paths of the sources that belong to it, or do not.
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
