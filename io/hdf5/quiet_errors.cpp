#include "io/hdf5/quiet_errors.hpp"

namespace stencil::storage {

QuietErrors::QuietErrors() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() {
  H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

}  // namespace stencil::storage
