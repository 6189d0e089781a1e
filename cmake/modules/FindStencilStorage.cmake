# Stencil::storage, the libraries of the file layer: parallel HDF5, libdeflate, libaec, UDUNITS-2.
set(stencil_prefer_parallel ${HDF5_PREFER_PARALLEL})
set(HDF5_PREFER_PARALLEL TRUE)
find_package(HDF5 QUIET COMPONENTS C HL)
set(HDF5_PREFER_PARALLEL ${stencil_prefer_parallel})
unset(stencil_prefer_parallel)
find_library(STENCIL_LIBDEFLATE deflate)
find_library(STENCIL_LIBAEC aec)
find_library(STENCIL_UDUNITS udunits2)
mark_as_advanced(STENCIL_LIBDEFLATE STENCIL_LIBAEC STENCIL_UDUNITS)

set(stencil_reason)
if(HDF5_FOUND AND NOT HDF5_IS_PARALLEL)
  string(CONCAT stencil_reason "Stencil writes HDF5 from many MPI ranks and needs the parallel build of HDF5, but found the "
    "serial one (${HDF5_C_INCLUDE_DIRS}). Install libhdf5-openmpi-dev (Debian), hdf5-openmpi-devel (Fedora), or load "
    "your cluster's parallel HDF5 module, and set HDF5_ROOT or put its h5pcc first in PATH.")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(StencilStorage
  REQUIRED_VARS HDF5_C_LIBRARIES HDF5_IS_PARALLEL STENCIL_LIBDEFLATE STENCIL_LIBAEC STENCIL_UDUNITS
  REASON_FAILURE_MESSAGE "${stencil_reason}")
unset(stencil_reason)

if(StencilStorage_FOUND AND NOT TARGET Stencil::storage)
  add_library(Stencil::storage INTERFACE IMPORTED)
  target_include_directories(Stencil::storage SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(Stencil::storage INTERFACE
    ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES} ${STENCIL_LIBDEFLATE} ${STENCIL_LIBAEC} ${STENCIL_UDUNITS} MPI::MPI_C)
endif()
