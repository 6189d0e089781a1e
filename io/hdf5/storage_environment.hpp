#pragma once

namespace stencil {

/// Has to be called once before MPI_Init and before any HDF5 call. Disables filter plugins and the
/// environment variables that redirect external and virtual files, makes file locking best effort,
/// and turns off the printing of HDF5's error stack.
void prepare_storage_environment();

}  // namespace stencil
