#include <fmt/format.h>

#include <cstring>

#include "framework/grid/error.hpp"
#include "io/child.hpp"
#include "io/dataset.hpp"
#include "io/file_check.hpp"
#include "io/hdf5_error.hpp"
#include "io/inspect.hpp"
#include "io/object_path.hpp"
#include "io/output_creation.hpp"

namespace stencil {
namespace {

constexpr Index most_small_values = Index{1} << 24;

/// The dims, two of them, and then the values, as bytes.
std::string read_values(const std::string& file_name, const std::string& dataset_name) {
  const DatasetFacts facts = storage::inspect(file_name, dataset_name);
  const std::string where = storage::place(file_name, dataset_name);
  if (facts.dims.size() > 2)
    throw WordsError(
        fmt::format("{} has {} axes, but a mask has 1 or 2", where, facts.dims.size()));
  const Index columns = facts.dims.size() == 2 ? facts.dims[1] : 0;
  const Index count = columns > 0 ? checked_multiply(facts.dims[0], columns) : facts.dims[0];
  if (count > most_small_values)
    throw WordsError(fmt::format("{} has {} values, but a mask has {} at most", where, count,
                                 most_small_values));
  const storage::Handle file = storage::open_for_reading(file_name);
  const storage::DatasetPath path = storage::open_dataset(file, file_name, dataset_name);
  std::vector<double> values(static_cast<std::size_t>(count));
  storage::checked(
      H5Dread(path.dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      "cannot read " + where);
  const Index dims[2] = {facts.dims[0], columns};
  std::string bytes(reinterpret_cast<const char*>(dims), sizeof dims);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return bytes;
}

}  // namespace

DatasetFacts probe_dataset(const std::string& file, const std::string& dataset) {
  return facts_from(storage::run_in_child(storage::place(file, dataset), [&] {
    prepare_storage_environment();
    const DatasetFacts facts = storage::inspect(file, dataset);
    storage::rehearse_carrying(facts);
    return serialize(facts);
  }));
}

SmallArray read_small_array(const std::string& file, const std::string& dataset) {
  const std::string bytes = storage::run_in_child(storage::place(file, dataset), [&] {
    prepare_storage_environment();
    return read_values(file, dataset);
  });
  Index dims[2];
  std::memcpy(dims, bytes.data(), sizeof dims);
  SmallArray array;
  array.dims.push_back(dims[0]);
  if (dims[1] > 0) array.dims.push_back(dims[1]);
  array.values.resize((bytes.size() - sizeof dims) / sizeof(double));
  std::memcpy(array.values.data(), bytes.data() + sizeof dims, bytes.size() - sizeof dims);
  return array;
}

}  // namespace stencil
