#include "io/write/output/write_speed.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/write/blocks/block_stream.hpp"
#include "io/write/lock/part_file.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/write_errors.hpp"

namespace stencil {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int threads = 4;                              // the number of windows that wait
                                                        // for the disk
constexpr Index piece = writing_speed_bytes / threads;  // size of one transfer

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Opens a file without a name in the folder of the output.
storage::Descriptor open_unnamed(const storage::OutputPaths& paths) {
  const storage::Descriptor folder = storage::open_folder(paths);
  storage::Descriptor file(::openat(folder.number(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  const std::string name = fmt::format(".stencil_speed.{}", ::getpid());
  file = storage::Descriptor(::openat(folder.number(), name.c_str(),
                                      O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0600));
  if (!file)
    storage::throw_unwritable("cannot try the folder of " + paths.final, errno, paths.final);
  ::unlinkat(folder.number(), name.c_str(), 0);
  return file;
}

/// Calls `transfer(memory, position)` for pieces of the file from several threads, each with memory
/// for one piece. @returns the errno of a failed call, or 0
template <class Transfer>
int for_pieces(const std::vector<Memory>& memory, Index pieces, double seconds,
               std::atomic<Index>& done, const Transfer& transfer) {
  std::atomic<Index> next{0};
  std::atomic<int> error{0};
  const auto start = Clock::now();
  const auto work = [&](std::size_t thread) {
    for (Index i; error == 0 && seconds_since(start) < seconds && (i = next++) < pieces;) {
      const int failed = transfer(memory[thread].get(), i * piece);
      if (failed != 0) error = failed;
      ++done;
    }
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < memory.size(); ++i) others.emplace_back(work, i);
  } catch (const std::system_error&) {
    // if a thread cannot be started, the work continues with fewer threads
  }
  work(0);
  for (std::thread& other : others) other.join();
  return error;
}

}  // namespace

WriteSpeed measure_writing(const std::string& output, Index bytes, double seconds) {
  const auto paths = storage::OutputPaths::of(output);
  const storage::Descriptor file = open_unnamed(paths);
  const Index pieces = std::max<Index>(1, bytes / piece);
  std::vector<Memory> memory;
  for (int i = 0; i < threads; ++i) {
    memory.push_back(CpuExecutor().allocate(piece));
    // fills the memory with numbers other than 0, because some file systems store zeros faster
    for (Index at = 0; at < piece; ++at)
      memory.back()[static_cast<std::size_t>(at)] = static_cast<std::byte>(at * 2654435761u >> 13);
  }
  int error = 0;
  do {
    error = ::posix_fallocate(file.number(), 0, pieces * piece);
  } while (error == EINTR);
  storage::UncachedFile uncached(file.number(), true);
  std::atomic<Index> written{0}, read{0};
  auto start = Clock::now();
  if (error == 0)
    error = for_pieces(memory, pieces, seconds, written, [&](std::byte* from, Index at) {
      if (uncached.can_write()) {
        const int failed = storage::write_exactly(uncached.for_writing(), from, piece, at);
        if (failed != EINVAL) return failed;
        uncached.refuse();
      }
      return storage::write_exactly(file.number(), from, piece, at);
    });
  if (error == 0 && ::fsync(file.number()) != 0) error = errno;
  WriteSpeed speed;
  speed.write = double(written * piece) / seconds_since(start);
  start = Clock::now();
  if (error == 0)
    error = for_pieces(memory, written, seconds, read, [&](std::byte* to, Index at) {
      const int by = uncached.can_read() ? uncached.for_reading() : file.number();
      return storage::read_exactly(by, to, piece, at);
    });
  speed.read_back = double(read * piece) / seconds_since(start);
  if (error == storage::cut_off) error = EIO;
  if (error != 0)
    storage::throw_unwritable("cannot try the folder of " + paths.final, error, paths.final);
  return speed;
}

}  // namespace stencil
