#include "framework/parallel/last_word.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace stencil {
namespace {

using Flag = std::atomic<int>;
static_assert(Flag::is_always_lock_free, "it is shared between processes");

Flag own{0};
std::atomic<Flag*> flag{&own};
std::atomic<bool> is_spread{false};

/// Location of the memory file of the node's first rank, and identity of that file: in another
/// process namespace the same path leads to a different file or to none.
struct SharedFile {
  std::int64_t process = 0, descriptor = -1, device = 0, inode = 0;
};

/// Sets device and inode of a file. @returns false if they cannot be determined
bool identify(int descriptor, SharedFile& file) {
  struct stat state {};
  if (descriptor < 0 || ::fstat(descriptor, &state) != 0) return false;
  file.device = static_cast<std::int64_t>(state.st_dev);
  file.inode = static_cast<std::int64_t>(state.st_ino);
  return true;
}

/// Called on the node's first rank. @returns the descriptor, negative on failure
int make_memory(SharedFile& file) {
  const int descriptor = ::memfd_create("stencil", MFD_CLOEXEC);
  if (descriptor < 0) return -1;
  if (::ftruncate(descriptor, sizeof(Flag)) != 0 || !identify(descriptor, file)) {
    ::close(descriptor);
    return -1;
  }
  file.process = ::getpid();
  file.descriptor = descriptor;
  return descriptor;
}

/// Called on the other ranks. @returns the descriptor, negative on failure
int open_memory(const SharedFile& file) {
  if (file.descriptor < 0) return -1;
  const std::string path = fmt::format("/proc/{}/fd/{}", file.process, file.descriptor);
  // O_NONBLOCK, because the path may lead to a pipe of another process
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  SharedFile found;
  if (identify(descriptor, found) && found.device == file.device && found.inode == file.inode)
    return descriptor;
  if (descriptor >= 0) ::close(descriptor);
  return -1;
}

/// Returns memory that the first rank of the node creates and that all ranks of the node map. The
/// memory has no name in any file system, so no file remains. Returns null if the memory cannot be
/// allocated.
Flag* shared_flag(MPI_Comm node, int rank) {
  SharedFile file;
  int descriptor = rank == 0 ? make_memory(file) : -1;
  MPI_Bcast(&file, sizeof file, MPI_BYTE, 0, node);
  if (rank != 0) descriptor = open_memory(file);
  void* memory = MAP_FAILED;
  if (descriptor >= 0)
    memory = ::mmap(nullptr, sizeof(Flag), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  int is_mapped = memory != MAP_FAILED;
  MPI_Allreduce(MPI_IN_PLACE, &is_mapped, 1, MPI_INT, MPI_MIN, node);
  if (descriptor >= 0) ::close(descriptor);  // the mapping stays
  return is_mapped ? static_cast<Flag*>(memory) : nullptr;
}

}  // namespace

bool take_last_word() {
  return flag.load()->exchange(1) == 0;
}

void share_last_word(MPI_Comm communicator) {
  int ranks = 1;
  MPI_Comm_size(communicator, &ranks);
  if (ranks == 1) return;
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank = 0, size = 1;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &size);
  is_spread = size < ranks;
  if (Flag* shared = shared_flag(node, rank)) flag = shared;
  MPI_Comm_free(&node);
}

bool spans_nodes() {
  return is_spread;
}

bool is_last_word_of_job() {
  return flag.load() != &own && !is_spread;
}

}  // namespace stencil
