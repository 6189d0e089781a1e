#pragma once

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/device/field_view.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/storage_environment.hpp"

namespace stencil::testing {

using storage::Handle;

/// Runs before main, and therefore before MPI_Init, as in every program of this project.
inline const bool environment_is_prepared = (prepare_storage_environment(), true);

/// A new folder, which the destructor removes.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "stencil_io_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no scratch folder");
    folder_ = name;
  }
  /// A folder that another object or rank owns and removes.
  explicit Scratch(std::string folder) : folder_(std::move(folder)), is_owner_(false) {}
  ~Scratch() {
    if (is_owner_) std::filesystem::remove_all(folder_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string folder() const { return folder_; }
  std::string operator/(const std::string& name) const { return folder_ + "/" + name; }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      result.push_back(entry.path().filename().string());
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  std::string folder_;
  bool is_owner_ = true;
};

inline Handle create_file(const std::string& name) {
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
}

/// The storage of a dataset in a test.
struct Storing {
  hid_t file_type = H5T_NATIVE_FLOAT;
  std::vector<hsize_t> chunk{};
  int gzip = 0;
  bool shuffle = false;
  bool compact = false;
};

inline Handle create_dataset(hid_t where, const std::string& name, const std::vector<hsize_t>& dims,
                             const Storing& storing) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (!storing.chunk.empty())
    H5Pset_chunk(creation, static_cast<int>(dims.size()), storing.chunk.data());
  if (storing.shuffle) H5Pset_shuffle(creation);
  if (storing.gzip > 0) H5Pset_deflate(creation, static_cast<unsigned>(storing.gzip));
  if (storing.compact) H5Pset_layout(creation, H5D_COMPACT);
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                     H5Sclose);
  return {H5Dcreate2(where, name.c_str(), storing.file_type, space, links, creation, H5P_DEFAULT),
          H5Dclose};
}

/// Creates a dataset in which the i-th point, in row-major order, is `value(i)`.
inline Handle write_dataset(hid_t where, const std::string& name, const std::vector<hsize_t>& dims,
                            const Storing& storing, const std::function<double(Index)>& value) {
  Handle dataset = create_dataset(where, name, dims, storing);
  std::size_t points = 1;
  for (const hsize_t extent : dims) points *= extent;
  std::vector<double> values(points);
  for (std::size_t i = 0; i < points; ++i) values[i] = value(static_cast<Index>(i));
  if (H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw std::runtime_error("cannot write the test's dataset " + name);
  return dataset;
}

template <class T>
void set_attribute(hid_t object, const std::string& name, hid_t type, const T& value) {
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  H5Awrite(attribute, type, &value);
}

inline void set_number(hid_t object, const std::string& name, double value) {
  set_attribute(object, name, H5T_NATIVE_DOUBLE, value);
}

/// Writes a text of fixed length, as netCDF and most instruments do.
inline void set_text(hid_t object, const std::string& name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, value.size());
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  H5Awrite(attribute, type, value.data());
}

inline std::string bytes_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
}

/// Status and message of the exception that a call throws; Status::done if the call throws no
/// exception.
struct Thrown {
  Status status = Status::done;
  std::string message;
};

inline Thrown thrown_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.status(), error.what()};
  }
  return {};
}

/// Returns a contiguous view of an array.
template <class T>
FieldView<T> view_of(T* data, const Point& extent) {
  return {data, extent, extent[1] * extent[2], extent[2]};
}

}  // namespace stencil::testing
