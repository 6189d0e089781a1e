#include "io/hdf5/storage_environment.hpp"

#include <hdf5.h>

#include <csignal>
#include <cstdlib>

namespace stencil {

void prepare_storage_environment() {
  // Environment variables must not make HDF5 load other files or code when a file is opened.
  ::unsetenv("HDF5_VDS_PREFIX");
  ::unsetenv("HDF5_EXTFILE_PREFIX");
  ::unsetenv("HDF5_PLUGIN_PATH");
  ::unsetenv("HDF5_PLUGIN_PRELOAD");
  ::unsetenv("HDF5_DRIVER");
  // Exceeding a file size limit must fail the call instead of ending the program.
  std::signal(SIGXFSZ, SIG_IGN);
  // HDF5's own exit handler would close parallel files after MPI_Finalize.
  H5dont_atexit();
  H5open();
  H5PLset_loading_state(0);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

}  // namespace stencil
