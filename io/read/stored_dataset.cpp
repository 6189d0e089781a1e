#include "io/read/stored_dataset.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/hdf5_lock.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/transfer.hpp"
#include "io/hdf5/unpack.hpp"
#include "io/read/chunk_read.hpp"
#include "io/read/direct_read.hpp"
#include "io/read/file_check.hpp"
#include "io/read/virtual_read.hpp"

namespace stencil::storage {
namespace {

constexpr Index points_per_task = Index{1} << 16;

[[noreturn]] void throw_changed(const std::string& what) {
  throw StorageError(fmt::format(
      "{} has changed since the run began: wait until its writer is done, then run again", what));
}

/// Returns whether a file still exists and has not changed since the probe.
bool is_same(const std::string& file, Index bytes, Index modified) {
  const FileState state = file_state(file);
  return state.bytes == bytes && state.modified == modified;
}

bool has_dims(hid_t dataset, const std::vector<Index>& dims) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (H5Sget_simple_extent_ndims(space) != static_cast<int>(dims.size())) return false;
  std::vector<hsize_t> found(dims.size());
  H5Sget_simple_extent_dims(space, found.data(), nullptr);
  return std::equal(found.begin(), found.end(), dims.begin(),
                    [](hsize_t a, Index b) { return a == static_cast<hsize_t>(b); });
}

std::vector<std::string> files_of(const DatasetFacts& facts) {
  std::vector<std::string> files = facts.sources;
  files.push_back(facts.file);
  return files;
}

/// Passes the points of one piece of a hyperslab to `take`, with several threads.
void hand_on(const Runs& runs, const std::byte* points, Index count, Index element_bytes,
             const StoredDataset::Take& take) {
  const Index tasks = (count - 1) / points_per_task + 1;
#pragma omp parallel for schedule(static) if (tasks > 1)
  for (Index task = 0; task < tasks; ++task) {
    const Index first = task * points_per_task, last = std::min(count, first + points_per_task);
    for_runs(runs, first, last,
             [&](Index k, Index at, Index n) { take(points + k * element_bytes, at, n); });
  }
}

std::shared_ptr<const PointReader> open_stored(const DatasetFacts& source) {
  return std::make_shared<const StoredDataset>(source);
}

}  // namespace

StoredDataset::StoredDataset(const DatasetFacts& facts, Index kept)
    : facts_(facts), in_use_(files_of(facts)), where_(qualified_name(facts.file, facts.dataset)) {
  check_unchanged();
  if (facts.is_composed()) {
    sources_ = std::make_unique<VirtualRead>(facts, open_stored);
    return;
  }
  file_ = open_for_reading(facts.file);
  if (facts.mappings.empty()) held_ = open_sources(facts);
  const DatasetPath path = open_dataset(file_, facts.file, facts.dataset);
  const bool reads_chunks = ChunkedFile::can_read(path.dataset, facts, where_);
  const Handle access =
      access_with_cache(facts.dims, reads_chunks ? std::vector<Index>{} : facts.chunk,
                        static_cast<Index>(size_of(facts.type)));
  dataset_ = owned(H5Dopen2(path.groups.back(), path.names.back().c_str(), access), H5Dclose,
                   "cannot open " + where_);
  const Handle type = owned(H5Dget_type(dataset_), H5Tclose, where_);
  complex_ = complex_type_of(type);
  std::vector<Index> dims = facts.dims;
  if (facts.is_complex()) dims.pop_back();
  const auto found = complex_ ? std::optional(complex_->part) : element_type_of(type);
  if (found != facts.type || complex_.has_value() != facts.is_complex() ||
      !has_dims(dataset_, dims))
    throw_changed(where_);
  open_ways(type, reads_chunks, kept);
}

StoredDataset::~StoredDataset() = default;

void StoredDataset::open_ways(hid_t type, bool reads_chunks, Index kept) {
  const Handle numbers = complex_ && complex_->is_dense
                             ? Handle(H5Tcopy(complex_->stored_part), H5Tclose)
                             : number_type(type);
  // false for booleans, bit fields and complex numbers
  const bool are_numbers = H5Tequal(numbers, type) > 0;
  first_type_ =
      are_numbers ? first_memory_type(numbers, facts_.type) : Handle(H5Tcopy(numbers), H5Tclose);
  read_type_ = Handle(H5Tcopy(are_numbers ? hid_t{first_type_} : type), H5Tclose);
  const bool has_place = facts_.layout == "contiguous" && facts_.unwritten == 0;
  if (has_place && H5Tequal(numbers, native_type(facts_.type)) > 0)
    direct_ = std::make_unique<DirectFile>(facts_.file, where_, facts_.data_offset,
                                           static_cast<Index>(size_of(facts_.type)));
  if (reads_chunks) chunked_ = std::make_unique<ChunkedFile>(dataset_, facts_, where_, kept);
  if (!facts_.mappings.empty()) sources_ = std::make_unique<VirtualRead>(facts_, open_stored);
}

void StoredDataset::check_unchanged() const {
  if (facts_.is_composed())
    return;  // each source is checked when it is opened, and again after each read
  if (!is_same(facts_.file, facts_.file_bytes, facts_.modified)) throw_changed(where_);
  for (std::size_t i = 0; i < facts_.source_bytes.size(); ++i)
    if (!is_same(facts_.sources[i], facts_.source_bytes[i], facts_.source_modified[i]))
      throw_changed(fmt::format("{}, a source of {},", one_line(facts_.sources[i]), where_));
}

void StoredDataset::read(const Piece& whole, const Take& take) const {
  try {
    read_by_any_way(whole, take);
  } catch (const StorageError&) {
    // if the file was changed, the change is reported as the reason
    if (chunked_ || sources_) check_unchanged();
    throw;
  }
}

void StoredDataset::read_by_any_way(const Piece& whole, const Take& take) const {
  if (sources_)
    sources_->read(whole, take);
  else if (chunked_)
    chunked_->read(whole, take);
  else if (!direct_ || !direct_->read(facts_.dims, whole, take))
    read_in_pieces(whole, take);
}

void StoredDataset::read_in_pieces(const Piece& whole, const Take& take) const {
  const auto element = static_cast<Index>(size_of(facts_.type));
  Bytes staging;
  for (const Piece& piece : cut(whole, facts_.chunk, element)) {
    std::byte* const points = staging.hold(piece.points() * element);
    {
      const Hdf5Lock lock;
      read_numbers(piece, points);
    }
    hand_on({whole, piece}, points, piece.points(), element, take);
  }
}

/// Reads with HDF5. @pre the calling thread holds a Hdf5Lock
void StoredDataset::read_numbers(const Piece& piece, std::byte* points) const {
  if (complex_) {
    Piece of_dataset = piece;
    of_dataset.start.pop_back();
    of_dataset.count.pop_back();
    const Index part = piece.count.back() == 2 ? -1 : piece.start.back();
    return read_piece(dataset_, memory_type(*complex_, part), of_dataset, points, where_);
  }
  read_piece(dataset_, read_type_, piece, points, where_);
  checked(H5Tconvert(first_type_, native_type(facts_.type),
                     static_cast<std::size_t>(piece.points()), points, nullptr, H5P_DEFAULT),
          where_ + ": cannot convert its elements");
}

}  // namespace stencil::storage
