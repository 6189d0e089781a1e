#include "framework/parallel/sound_start.hpp"

#include <errno.h>  // program_invocation_short_name of glibc
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "framework/grid/error.hpp"
#include "framework/parallel/run_guarded.hpp"

namespace stencil {
namespace {

constexpr rlim_t stack_bytes = rlim_t{8} << 20;

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)  // open() returns the lowest free descriptor, `stream`
        [[maybe_unused]]
      const int opened = ::open("/dev/null", O_RDONLY);
}

/// Makes all threads use one heap. Otherwise each heap reserves 64 MiB of addresses (128 MiB while
/// it is created), and a limit of the address space would leave less memory than plans expect.
void share_heap_within_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    ::mallopt(M_ARENA_MAX, 1);
}

/// Ends the program with status 4. Usually all ranks call this function. Ranks other than rank 0
/// wait in it, so that rank 0 can print the message.
[[noreturn]] void refuse_stack(rlim_t bytes, const char* what, int error) {
  if (!will_be_first_rank()) ::sleep(3);
  std::fprintf(stderr,
               "%s: the limit of the stack is %llu KiB, 8192 KiB are needed, and %s (%s): start a "
               "new shell, or have the hard limit raised, so that `ulimit -s 8192` is accepted\n",
               program_invocation_short_name, static_cast<unsigned long long>(bytes >> 10), what,
               std::strerror(error));
  ::_exit(static_cast<int>(Status::machine));
}

}  // namespace

void start_soundly(char** argv) {
  open_standard_streams();
  share_heap_within_limit();
  rlimit limit{};
  // RLIM_INFINITY is the largest rlim_t
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= stack_bytes) return;
  const rlimit wanted{stack_bytes, std::max(limit.rlim_max, stack_bytes)};
  char program[PATH_MAX]{};
  if (::setrlimit(RLIMIT_STACK, &wanted) != 0)
    refuse_stack(limit.rlim_cur, "the hard limit does not allow a higher limit", errno);
  if (::readlink("/proc/self/exe", program, sizeof program - 1) <= 0)
    refuse_stack(limit.rlim_cur, "/proc/self/exe, to restart the program with it, cannot be read",
                 errno);
  ::execv(program, argv);
  refuse_stack(limit.rlim_cur, "the program cannot be restarted with it", errno);
}

}  // namespace stencil
