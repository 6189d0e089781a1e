# The libraries for other projects: Stencil::stencil (filters on arrays), Stencil::io (HDF5) and, with the programs, Stencil::job.
# They consist of the objects of the layers. The target names are the same for an installed library (cmake/install.cmake) and in a
# project that calls add_subdirectory().

# The tree of public headers. It is made at configure time, for code that reads the headers before the first build, and it is made
# again when a header changes.
set(public_tree ${PROJECT_BINARY_DIR}/public)
set(make_public_tree ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D TREE=${public_tree} -D JOB=${STENCIL_PROGRAMS}
  -P ${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake)
execute_process(COMMAND ${make_public_tree} COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${public_tree}/sources.txt public_sources)
# CMake configures the build again when a new header is listed
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_tree}/sources.txt)
list(TRANSFORM public_sources REPLACE "^include/stencil/" "" OUTPUT_VARIABLE public_headers)
list(TRANSFORM public_headers PREPEND ${public_tree}/stencil/)
list(TRANSFORM public_sources PREPEND ${PROJECT_SOURCE_DIR}/)
add_custom_command(OUTPUT ${public_tree}/made BYPRODUCTS ${public_headers}
  COMMAND ${make_public_tree}
  COMMAND ${CMAKE_COMMAND} -E touch ${public_tree}/made
  DEPENDS ${public_sources} ${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake
  COMMENT "Public headers" VERBATIM)
add_custom_target(stencil_public_headers DEPENDS ${public_tree}/made)

# stencil_library(NAME FILE LAYERS target...): defines the static or shared library Stencil::NAME, which consists of the objects of
# these layers. The target FILE_library builds it as the file libFILE. The code is position-independent. For calls within a library,
# the compiler may assume that no program replaces the called function.
function(stencil_library name file)
  cmake_parse_arguments(arg "" "" "LAYERS" ${ARGN})
  set_target_properties(${arg_LAYERS} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set(objects)
  foreach(layer ${arg_LAYERS})
    target_compile_options(${layer} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
  endforeach()
  add_library(${file}_library ${objects})
  add_library(Stencil::${name} ALIAS ${file}_library)
  target_compile_features(${file}_library PUBLIC cxx_std_20)
  target_include_directories(${file}_library PUBLIC
    $<BUILD_INTERFACE:${public_tree}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_dependencies(${file}_library stencil_public_headers)
  set_target_properties(${file}_library PROPERTIES
    EXPORT_NAME ${name} OUTPUT_NAME ${file} LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INSTALL_RPATH $ORIGIN INSTALL_RPATH_USE_LINK_PATH ON)
  if(BUILD_SHARED_LIBS AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE)
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(${file}_library PRIVATE LINKER:--version-script=${exports})
    set_target_properties(${file}_library PROPERTIES LINK_DEPENDS ${exports})
  endif()
endfunction()

stencil_library(stencil stencil
  LAYERS stencil_grid stencil_device stencil_parallel stencil_kernels ${STENCIL_ROW_KERNELS} stencil_arrays
    stencil_pipeline)
target_link_libraries(stencil_library PUBLIC MPI::MPI_C PRIVATE fmt::fmt OpenMP::OpenMP_CXX Threads::Threads)
# mpi.h is included without the C++ interface, which was removed in MPI 3
target_compile_definitions(stencil_library PUBLIC OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
if(STENCIL_HAS_CUDA)
  target_link_libraries(stencil_library PRIVATE CUDA::cudart)
endif()
if(STENCIL_HAS_NCCL)
  target_link_libraries(stencil_library PRIVATE Stencil::nccl)
endif()

stencil_library(io stencil_io LAYERS stencil_io)
target_link_libraries(stencil_io_library PUBLIC stencil_library PRIVATE Stencil::storage fmt::fmt)

# the program stencil_run without its main()
if(STENCIL_PROGRAMS)
  stencil_library(job stencil_job LAYERS stencil_drivers)
  target_link_libraries(stencil_job_library PUBLIC stencil_io_library
    PRIVATE Stencil::storage Boost::program_options fmt::fmt OpenMP::OpenMP_CXX)
endif()
