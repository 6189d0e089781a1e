#include "io/write/blocks/ordered_chunks.hpp"

#include <fcntl.h>

#include "io/hdf5/chunk_address.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/hdf5_lock.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {

namespace {

WritableFile open_for_chunks(int descriptor, const std::string& name, FileStructure& structure,
                             const std::string& what) {
  const Hdf5Lock lock;
  const Handle access = output_access();
  H5Pset_small_data_block_size(access, 0);  // places each chunk at the end of the file
  return WritableFile::open(descriptor, name, structure, WritableFile::Points::have_records, access,
                            what);
}

}  // namespace

PackedTarget::PackedTarget(int descriptor, const std::string& name, const OutputSpec& spec,
                           FileStructure& structure)
    : grid_(grid_of(spec)),
      descriptor_(descriptor),
      keeps_places_(spec.snapshots.has_value()),
      what_("cannot write " + qualified_name(name, spec.dataset)),
      file_(open_for_chunks(descriptor, name, structure, what_)) {
  const Hdf5Lock lock;
  dataset_ = owned(H5Dopen2(file_, spec.dataset.c_str(), H5P_DEFAULT), H5Dclose, what_);
}

void PackedTarget::write(Index block, std::span<const std::byte> chunk) {
  const Piece points = grid_.points_in(block);
  const std::vector<hsize_t> first(points.start.begin(), points.start.end());
  {
    const Hdf5Lock lock;
    const Index end_before = keeps_places_ ? end_of_file() : 0;
    checked(H5Dwrite_chunk(dataset_, H5P_DEFAULT, 0, first.data(), chunk.size(), chunk.data()),
            what_);
    if (keeps_places_) places_.push_back(place_of(first, std::ssize(chunk), end_before));
  }
  // The system starts to write to the disk while other chunks are packed. Otherwise fsync would
  // have to write everything.
  constexpr Index batch = Index{32} << 20;
  unsent_ += std::ssize(chunk);
  if (unsent_ < batch) return;
  unsent_ = 0;
  ::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);  // best effort: fsync follows anyway
}

Index PackedTarget::end_of_file() const {
  haddr_t end = 0;
  checked(H5Fget_eoa(file_, &end), what_);
  return static_cast<Index>(end);
}

/// Position of a chunk in the file. If the file has grown only by the size of this chunk, the chunk
/// is at the end of the file. Otherwise HDF5 looks up the position, which takes time in proportion
/// to the number of earlier chunks.
Index PackedTarget::place_of(const std::vector<hsize_t>& first, Index bytes,
                             Index end_before) const {
  const Index end = end_of_file();
  const Index next_page = (end_before + output_page - 1) / output_page * output_page;
  if (end - bytes == end_before || end - bytes == next_page) return end - bytes;
  const haddr_t address = chunk_address(dataset_, first.data(), what_);
  return static_cast<Index>(address);
}

void PackedTarget::close() {
  const Hdf5Lock lock;
  checked(dataset_.close(), what_);
  file_.close();
}

void OrderedChunks::write(Index block, std::span<const std::byte> chunk) {
  with_room(name_, [&] { target_.write(block, chunk); });
  next_ = block + 1;
}

bool OrderedChunks::take(Index block, std::span<const std::byte> chunk) {
  const std::lock_guard lock(mutex_);
  if (block != next_) {
    const auto bytes = static_cast<Index>(chunk.size());
    if (waiting_bytes_ + bytes > most_waiting) return false;
    waiting_bytes_ += bytes;
    waiting_.emplace(block, std::vector<std::byte>(chunk.begin(), chunk.end()));
    return true;
  }
  write(block, chunk);
  while (!waiting_.empty() && waiting_.begin()->first == next_) {
    write(next_, waiting_.begin()->second);
    waiting_bytes_ -= std::ssize(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
  }
  return true;
}

std::map<Index, std::vector<std::byte>> OrderedChunks::take_back() {
  const std::lock_guard lock(mutex_);
  waiting_bytes_ = 0;
  return std::exchange(waiting_, {});
}

}  // namespace stencil::storage
