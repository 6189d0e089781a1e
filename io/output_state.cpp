#include "io/output_state.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include "framework/grid/error.hpp"
#include "io/hdf5_error.hpp"
#include "io/native_type.hpp"
#include "io/output_creation.hpp"
#include "io/transfer.hpp"

namespace stencil {

using storage::Handle;

namespace {

/// The same outputs as inputs, for callers that say nothing about sampling.
void complete_sampling(OutputSpec& spec) {
  if (!spec.input.file.empty() && spec.sampling.empty())
    for (const Index extent : spec.input.dims)
      spec.sampling.push_back({.extent = extent, .count = extent});
  if (spec.input.file.empty() || (spec.sampling.size() == spec.form.dims().size() &&
                                  spec.sampling.size() == spec.input.dims.size()))
    return;
  throw ShapeError(
      fmt::format("the sampling of {} axes does not fit an output of {} and an input of {}",
                  spec.sampling.size(), spec.form.dims().size(), spec.input.dims.size()));
}

/// Free space for the data; the size of compressed data is not known before they are written.
void check_room(const OutputSpec& spec, const storage::OutputPaths& paths) {
  const Index bytes = checked_multiply(storage::points_of(spec.form.dims()),
                                       static_cast<Index>(size_of(spec.type)));
  if (spec.gzip_level == 0) storage::check_free_space(paths, bytes);
}

void check_visible(const storage::OutputPaths& paths, int rank) {
  const int descriptor = ::open(paths.part.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor >= 0) {
    ::close(descriptor);
    return;
  }
  char host[256]{};
  const int error = errno;
  ::gethostname(host, sizeof host - 1);
  throw StorageError(
      fmt::format("rank {} on {} cannot open {}: {}: choose a folder that all nodes share", rank,
                  host, one_line(paths.part), std::strerror(error)));
}

}  // namespace

void check_output(const OutputSpec& spec) {
  const auto paths = storage::OutputPaths::of(spec.file);
  storage::check_output(spec, paths);
  storage::check_absent(spec, paths);
  check_room(spec, paths);
}

void OutputFile::State::begin() {
  communicator.agree([&] {
    complete_sampling(spec);
    paths = storage::OutputPaths::of(spec.file);
    if (communicator.rank() != 0) return;
    storage::check_output(spec, paths);
    lock.emplace(paths.lock);
    storage::check_absent(spec, paths);
    ::unlink(paths.part.c_str());  // of a run that was killed: the lock is ours
    check_room(spec, paths);
    is_created = true;
    skipped = storage::create_output(spec, paths);
  });
  cleanup.emplace([this] { return clear_aborted(); });
  communicator.agree([&] { check_visible(paths, communicator.rank()); });
  open_together();
}

OutputFile::State::~State() {
  if (std::uncaught_exceptions() == 0) {
    dataset.close();
    file.close();
  } else {
    // closing is collective, and while an error unwinds the others may never come here
    dataset.release();
    file.release();
  }
  if (descriptor >= 0) ::close(descriptor);
  if (is_created) ::unlink(paths.part.c_str());
}

void OutputFile::State::open_together() {
  const Handle access = storage::output_access();
  H5Pset_fapl_mpio(access, communicator.handle(), MPI_INFO_NULL);
  H5Pset_coll_metadata_write(access, true);  // else many compressed chunks crash or hang
  transfer = Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  std::string name = paths.part;
  if (name.find(':') != std::string::npos) {  // ROMIO takes what stands before for a file system
    descriptor = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
    name = fmt::format("/proc/self/fd/{}", descriptor);
  }
  file = Handle(H5Fopen(name.c_str(), H5F_ACC_RDWR, access), H5Fclose);
  if (file) dataset = Handle(H5Dopen2(file, spec.dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!file || !dataset)
    fail(fmt::format("cannot open {} from all ranks: {}", one_line(paths.part),
                     storage::hdf5_reason()));
}

void OutputFile::State::hold_staging(Index bytes) {
  if (bytes <= staging_bytes) return;
  staging.reset();
  staging.reset(new std::byte[static_cast<std::size_t>(bytes)]);
  staging_bytes = bytes;
}

void OutputFile::State::write_together(const storage::Piece& piece) {
  const std::string where = storage::place(paths.part, spec.dataset);
  const Index points = piece.count.empty() ? 0 : piece.points();
  const std::size_t bytes = static_cast<std::size_t>(points) * size_of(spec.type);
  if (points > 0) written.push_back({piece, storage::checksum_of(staging.get(), bytes)});
  try {
    const Handle target = storage::select(dataset, piece, where);
    const Handle row = storage::points_in_a_row(points, where);
    storage::checked(
        H5Dwrite(dataset, storage::native_type(spec.type), row, target, transfer, staging.get()),
        "cannot write " + where);
  } catch (const Error& error) {
    fail(error.what());
  }
}

void OutputFile::State::close_together() {
  staging.reset();
  staging_bytes = 0;
  transfer.close();
  if (dataset.close() < 0 || file.close() < 0)
    fail(fmt::format("cannot finish {}: {}", one_line(paths.part), storage::hdf5_reason()));
}

void OutputFile::State::fail(const std::string& what) {
  abort_job(Status::storage, fmt::format("{}: {}", what, storage::room_in(paths.folder)));
}

bool OutputFile::State::clear_aborted() const {
  // Several ranks may see the same failure: the one that removes the file speaks for all of them,
  // and ends the others while they wait here.
  constexpr unsigned patience = 60;
  if (::unlink(paths.part.c_str()) == 0) {
    ::unlink(paths.lock.c_str());
    return true;
  }
  const bool is_cleared = errno == ENOENT;
  ::sleep(is_cleared ? patience : std::min(patience, static_cast<unsigned>(communicator.rank())));
  return true;  // whoever was to speak is no more
}

}  // namespace stencil
