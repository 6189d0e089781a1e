// Preloaded into a program, this library makes one system call on a file fail: the n-th of a kind.
//
// Environment:
// - STENCIL_FAULT_FOLDER: only calls on this folder and its contents are counted, not those on
//   files of MPI or libc.
// - STENCIL_FAULT_LOG: file outside that folder; a line `hit RANK CALL PATH` is added at the fault.
// - STENCIL_FAULT_CALL: open read pread write pwrite fsync ftruncate fallocate rename link unlink
//   close fstat stat; each includes its variants (pwrite64 for pwrite).
// - STENCIL_FAULT_NUMBER: n, from 1; 0: no call fails, and a line `call RANK CALL PATH` is written
//   for each call.
// - STENCIL_FAULT_KIND: the name of an errno, see `errors`; or short: half of the bytes; or KILL:
//   the process is killed before the call; or USR1: the process sends itself SIGUSR1 half a second
//   before the call, which then succeeds.
// - STENCIL_FAULT_LASTS: 1: all later calls of the kind fail, too
// - STENCIL_FAULT_RANK: the rank on which the call fails; a process without MPI is rank 0.
//
// A forked child continues the count of its parent. A failing `close` still closes the file, and a
// short read or write still transfers its bytes.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>
#include <utility>

namespace {

std::string word(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value ? value : otherwise;
}

constexpr std::pair<const char*, int> errors[] = {
    {"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},   {"EMFILE", EMFILE},
    {"ENFILE", ENFILE}, {"EACCES", EACCES}, {"ENOMEM", ENOMEM}, {"ENAMETOOLONG", ENAMETOOLONG},
    {"ESTALE", ESTALE}};

int error_of(const std::string& kind) {
  for (const auto& [name, number] : errors)
    if (kind == name) return number;
  return EIO;
}

struct Fault {
  std::string folder = word("STENCIL_FAULT_FOLDER", ""), log = word("STENCIL_FAULT_LOG", "");
  std::string call = word("STENCIL_FAULT_CALL", ""), kind = word("STENCIL_FAULT_KIND", "EIO");
  std::string rank = word("OMPI_COMM_WORLD_RANK", "0");
  long number = std::atol(word("STENCIL_FAULT_NUMBER", "0").c_str());
  bool is_here = rank == word("STENCIL_FAULT_RANK", "0");
  bool is_short = kind == "short";
  bool lasts = word("STENCIL_FAULT_LASTS", "0") == "1";
  int error = error_of(kind);
  std::atomic<long>* count = nullptr;  ///< shared with forked children

  Fault() {
    void* memory =
        ::mmap(nullptr, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    count = new (memory) std::atomic<long>(0);
  }
};

const Fault& fault() {
  static const Fault* const only = new Fault;  // never destroyed: exit handlers make calls, too
  return *only;
}

[[gnu::constructor]] void begin() {
  fault();  // before any fork, so that children share the count
}

std::string target_of(const std::string& link) {
  char target[4096];
  const long length = ::syscall(SYS_readlink, link.c_str(), target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : "";
}

std::string path_of(int descriptor) {
  if (descriptor == AT_FDCWD) return target_of("/proc/self/cwd");
  return target_of("/proc/self/fd/" + std::to_string(descriptor));
}

std::string path_of(const char* path, int folder = AT_FDCWD) {
  const std::string text = path;
  if (text.rfind("/proc/self/fd/", 0) == 0) return target_of(text);
  const std::string whole = text.rfind('/', 0) == 0 ? text : path_of(folder) + "/" + text;
  return std::filesystem::path(whole).lexically_normal().string();
}

/// Writes one line to the log by direct system calls, which are not counted.
void note(const char* what, const char* call, const std::string& path) {
  const std::string line = what + (" " + fault().rank) + " " + call + " " + path + "\n";
  const long log = ::syscall(SYS_openat, AT_FDCWD, fault().log.c_str(),
                             O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (log < 0 || ::syscall(SYS_write, log, line.data(), line.size()) < 0) std::abort();
  ::syscall(SYS_close, log);
}

/// Returns whether this call is to fail. Writes to the log if calls are only counted, or if the
/// fault occurs at this call. A fault of kind KILL kills the process. A fault of kind USR1 sends
/// SIGUSR1 to the process and lets the call succeed.
bool is_hit(const char* call, const std::string& path) {
  const Fault& f = fault();
  const bool is_inside = path == f.folder || path.rfind(f.folder + "/", 0) == 0;
  if (f.folder.empty() || !is_inside) return false;
  if (f.number == 0) note("call", call, path);
  if (f.number == 0 || !f.is_here || f.call != call) return false;
  const long number = f.count->fetch_add(1) + 1;
  if (f.lasts ? number < f.number : number != f.number) return false;
  note("hit", call, path);
  if (f.kind == "KILL") ::kill(::getpid(), SIGKILL);
  if (f.kind == "USR1") {
    ::kill(::getpid(), SIGUSR1);
    ::usleep(500'000);
    return false;
  }
  return true;
}

/// Returns whether this call fails or transfers only half of the bytes. If so, sets errno to the
/// error of the fault; otherwise errno is unchanged.
template <class... Place>
bool fails(const char* call, Place... place) {
  const int before = errno;
  const bool hit = is_hit(call, path_of(place...));
  errno = hit ? fault().error : before;
  return hit;
}

/// The function of libc that the function of this library replaces.
template <class Function>
Function* next(const char* name, Function*) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}
#define NEXT(name) next(#name, &::name)

bool may_be_short(std::size_t bytes) {
  return !fault().is_short || bytes >= 2;
}

/// Replaces a transfer of `bytes` bytes at which the fault occurs. Returns -1 or, for the fault
/// `short`, the result of transfer(bytes / 2), which transfers only half of the bytes.
template <class Transfer>
ssize_t cut(std::size_t bytes, Transfer transfer) {
  if (!fault().is_short) return -1;
  return transfer(bytes / 2);
}

/// Replaces a read at which the fault occurs. Returns -1 or, for the fault `short`, half of the
/// number of bytes that `read` transfers, which may be fewer than `bytes`. The second half of these
/// bytes is overwritten by 0xA5, because a short read leaves the rest of the buffer unspecified.
template <class Read>
ssize_t cut_read(void* to, std::size_t bytes, Read read) {
  if (!fault().is_short) return -1;
  const ssize_t got = read(to, bytes);
  if (got < 2) return got;
  const ssize_t half = got / 2;
  std::memset(static_cast<char*>(to) + half, 0xA5, static_cast<std::size_t>(got - half));
  return half;
}

std::size_t bytes_of(const iovec* parts, int count) {
  std::size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

/// Returns the first part that is not empty; a short transfer uses this part alone.
const iovec* first_of(const iovec* parts, int count) {
  while (count > 1 && parts->iov_len == 0) ++parts, --count;
  return parts;
}

}  // namespace

extern "C" {

#define WITH_MODE(flags)                                       \
  mode_t mode = 0;                                             \
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list more;                                              \
    va_start(more, flags);                                     \
    mode = va_arg(more, mode_t);                               \
    va_end(more);                                              \
  }

#define OPEN(name)                                                   \
  int name(const char* path, int flags, ...) {                       \
    WITH_MODE(flags)                                                 \
    return fails("open", path) ? -1 : NEXT(name)(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                 \
  int name(int folder, const char* path, int flags, ...) {                           \
    WITH_MODE(flags)                                                                 \
    return fails("open", path, folder) ? -1 : NEXT(name)(folder, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

int creat(const char* path, mode_t mode) {
  return fails("open", path) ? -1 : NEXT(creat)(path, mode);
}
int creat64(const char* path, mode_t mode) {
  return fails("open", path) ? -1 : NEXT(creat64)(path, mode);
}
FILE* fopen(const char* path, const char* mode) {
  return fails("open", path) ? nullptr : NEXT(fopen)(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return fails("open", path) ? nullptr : NEXT(fopen64)(path, mode);
}

ssize_t read(int descriptor, void* to, size_t bytes) {
  if (!may_be_short(bytes) || !fails("read", descriptor)) return NEXT(read)(descriptor, to, bytes);
  return cut_read(to, bytes, [&](void* target, size_t n) {
    const ssize_t got = NEXT(read)(descriptor, target, n);
    if (got >= 2) ::lseek(descriptor, -(got - got / 2), SEEK_CUR);
    return got;
  });
}
ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (!may_be_short(bytes_of(parts, count)) || !fails("read", descriptor))
    return NEXT(readv)(descriptor, parts, count);
  const iovec* first = first_of(parts, count);
  return cut(first->iov_len + 1,
             [&](size_t n) { return NEXT(read)(descriptor, first->iov_base, n); });
}

#define PREAD(name)                                                                                \
  ssize_t name(int descriptor, void* to, size_t bytes, off_t at) {                                 \
    if (!may_be_short(bytes) || !fails("pread", descriptor))                                       \
      return NEXT(name)(descriptor, to, bytes, at);                                                \
    return cut_read(                                                                               \
        to, bytes, [&](void* target, size_t n) { return NEXT(name)(descriptor, target, n, at); }); \
  }
PREAD(pread)
PREAD(pread64)

ssize_t write(int descriptor, const void* from, size_t bytes) {
  if (!may_be_short(bytes) || !fails("write", descriptor))
    return NEXT(write)(descriptor, from, bytes);
  return cut(bytes, [&](size_t n) { return NEXT(write)(descriptor, from, n); });
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (!may_be_short(bytes_of(parts, count)) || !fails("write", descriptor))
    return NEXT(writev)(descriptor, parts, count);
  const iovec* first = first_of(parts, count);
  return cut(first->iov_len + 1,
             [&](size_t n) { return NEXT(write)(descriptor, first->iov_base, n); });
}

#define PWRITE(name)                                                                  \
  ssize_t name(int descriptor, const void* from, size_t bytes, off_t at) {            \
    if (!may_be_short(bytes) || !fails("pwrite", descriptor))                         \
      return NEXT(name)(descriptor, from, bytes, at);                                 \
    return cut(bytes, [&](size_t n) { return NEXT(name)(descriptor, from, n, at); }); \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t at) {
  if (!may_be_short(bytes_of(parts, count)) || !fails("pwrite", descriptor))
    return NEXT(pwritev)(descriptor, parts, count, at);
  const iovec* first = first_of(parts, count);
  return cut(first->iov_len + 1,
             [&](size_t n) { return NEXT(pwrite)(descriptor, first->iov_base, n, at); });
}

int fsync(int descriptor) {
  return fails("fsync", descriptor) ? -1 : NEXT(fsync)(descriptor);
}
int fdatasync(int descriptor) {
  return fails("fsync", descriptor) ? -1 : NEXT(fdatasync)(descriptor);
}
int ftruncate(int descriptor, off_t bytes) noexcept {
  return fails("ftruncate", descriptor) ? -1 : NEXT(ftruncate)(descriptor, bytes);
}
int ftruncate64(int descriptor, off_t bytes) noexcept {
  return fails("ftruncate", descriptor) ? -1 : NEXT(ftruncate64)(descriptor, bytes);
}
int fallocate(int descriptor, int mode, off_t at, off_t bytes) {
  return fails("fallocate", descriptor) ? -1 : NEXT(fallocate)(descriptor, mode, at, bytes);
}
int posix_fallocate(int descriptor, off_t at, off_t bytes) {  // returns the error number
  return fails("fallocate", descriptor) ? fault().error
                                        : NEXT(posix_fallocate)(descriptor, at, bytes);
}
int posix_fallocate64(int descriptor, off_t at, off_t bytes) {
  return fails("fallocate", descriptor) ? fault().error
                                        : NEXT(posix_fallocate64)(descriptor, at, bytes);
}

int rename(const char* from, const char* to) noexcept {
  return fails("rename", from) ? -1 : NEXT(rename)(from, to);
}
int renameat(int folder, const char* from, int other, const char* to) noexcept {
  return fails("rename", from, folder) ? -1 : NEXT(renameat)(folder, from, other, to);
}
int renameat2(int folder, const char* from, int other, const char* to, unsigned flags) noexcept {
  return fails("rename", from, folder) ? -1 : NEXT(renameat2)(folder, from, other, to, flags);
}
int link(const char* from, const char* to) noexcept {
  return fails("link", to) ? -1 : NEXT(link)(from, to);
}
int linkat(int folder, const char* from, int other, const char* to, int flags) noexcept {
  return fails("link", to, other) ? -1 : NEXT(linkat)(folder, from, other, to, flags);
}
int unlink(const char* path) noexcept {
  return fails("unlink", path) ? -1 : NEXT(unlink)(path);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return fails("unlink", path, folder) ? -1 : NEXT(unlinkat)(folder, path, flags);
}
int remove(const char* path) noexcept {
  return fails("unlink", path) ? -1 : NEXT(remove)(path);
}

int close(int descriptor) {
  const bool fails_after = fails("close", descriptor);
  const int closed = NEXT(close)(descriptor);
  if (!fails_after) return closed;
  errno = fault().error;
  return -1;
}
int fclose(FILE* file) {
  const bool fails_after = fails("close", ::fileno(file));
  const int closed = NEXT(fclose)(file);
  if (!fails_after) return closed;
  errno = fault().error;
  return EOF;
}

#define FSTAT(name, type)                                                   \
  int name(int descriptor, struct type* state) noexcept {                   \
    return fails("fstat", descriptor) ? -1 : NEXT(name)(descriptor, state); \
  }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

#define STAT(name, type)                                       \
  int name(const char* path, struct type* state) noexcept {    \
    return fails("stat", path) ? -1 : NEXT(name)(path, state); \
  }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

#define FSTATAT(name, type)                                                           \
  int name(int folder, const char* path, struct type* state, int flags) noexcept {    \
    return fails("stat", path, folder) ? -1 : NEXT(name)(folder, path, state, flags); \
  }
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

}  // extern "C"
