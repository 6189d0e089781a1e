// Reads a dataset as the program does or, with `trusting`, by plain HDF5; for tests that observe
// which files are opened.
//
//     trusting_reader FILE DATASET [trusting]
#include <cstdio>
#include <vector>

#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/storage_environment.hpp"
#include "io/probe.hpp"
#include "io/read/input_dataset.hpp"

namespace {

using namespace stencil;

void read_as_the_program(const char* file, const char* dataset) {
  prepare_storage_environment();
  const DatasetFacts facts = probe_dataset(file, dataset);
  const NormalForm form(facts.dims, {});
  const Point shape = form.shape();
  std::vector<float> values(static_cast<std::size_t>(points(shape)));
  const FieldView<float> view{values.data(), shape, shape[1] * shape[2], shape[2]};
  InputDataset(facts).read(form, make_box(shape), view, {});
}

int read_as_hdf5(const char* file, const char* dataset) {
  const storage::Handle opened(H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const storage::Handle found(H5Dopen2(opened, dataset, H5P_DEFAULT), H5Dclose);
  std::vector<float> values(1 << 16);
  return H5Dread(found, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0 ? 3 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  if (argc > 3) return read_as_hdf5(argv[1], argv[2]);
  try {
    read_as_the_program(argv[1], argv[2]);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.status());
  }
}
