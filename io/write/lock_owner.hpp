#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stencil::storage {

/// Who holds a lock. Its file says so in one line: `host pid start job restart boot namespace`, a
/// `-` for each that is not known; earlier versions of the program wrote the first five words.
struct LockOwner {
  std::string host = "-", pid = "-";
  std::string start = "-";           ///< of the process, in clock ticks since boot
  std::string job = "-";             ///< of Slurm
  std::string restart = "-";         ///< how often Slurm has started the job again
  std::string boot = "-";            ///< tells a start of the machine from its earlier ones
  std::string pid_namespace = "-";   ///< within which `pid` counts: containers have their own
  bool gives_signs_of_life = false;  ///< earlier versions did not touch their locks
};

/// What a lock of this process says.
LockOwner this_process();

std::string text_of(const LockOwner& owner);

/// Nothing if the text is not what a lock says.
std::optional<LockOwner> owner_from(std::string_view text);

/// Whether the owner of a lock still runs, as far as this process can know: `unknown` for processes
/// of other hosts and containers, whose signs of life have to tell.
enum class Life { over, going_on, unknown };
Life life_of(const LockOwner& owner, const LockOwner& self);

/// Whether two owners are of one start of one Slurm job.
bool is_same_job(const LockOwner& one, const LockOwner& other);

}  // namespace stencil::storage
