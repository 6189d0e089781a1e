#include "io/hdf5_error.hpp"

#include <fmt/core.h>

#include <cctype>

#include "framework/grid/error.hpp"

namespace stencil::storage {
namespace {

/// Keeps the first description met: walking upwards starts where the error happened.
herr_t keep_first(unsigned, const H5E_error2_t* error, void* text) {
  auto& reason = *static_cast<std::string*>(text);
  if (reason.empty() && error->desc) reason = error->desc;
  return 0;
}

}  // namespace

std::string place(const std::string& file, const std::string& dataset) {
  return one_line(fmt::format("{}:{}{}", file, dataset.starts_with('/') ? "" : "/", dataset));
}

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  return reason.empty() ? "HDF5 gives no reason" : one_line(reason);
}

void throw_hdf5(const std::string& what) {
  throw StorageError(fmt::format("{}: {}", what, hdf5_reason()));
}

}  // namespace stencil::storage
