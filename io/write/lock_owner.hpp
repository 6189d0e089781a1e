#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stencil::storage {

/// The owner of a lock. The lock file contains one line, `host pid start job restart boot
/// namespace`, with `-` for unknown values; earlier versions of the program wrote the first five
/// words.
struct LockOwner {
  std::string host = "-", pid = "-";
  std::string start = "-";           ///< of the process, in clock ticks since boot
  std::string job = "-";             ///< of Slurm
  std::string restart = "-";         ///< how often Slurm has started the job again
  std::string boot = "-";            ///< identifies the boot of the machine
  std::string pid_namespace = "-";   ///< in which `pid` is valid; each container has its own
  bool gives_signs_of_life = false;  ///< earlier versions did not touch their locks
};

/// Content of a lock of this process.
LockOwner this_process();

std::string text_of(const LockOwner& owner);

/// Parses the content of a lock; nothing if it is invalid.
std::optional<LockOwner> owner_from(std::string_view text);

/// Whether the owner of a lock still runs, as far as this process can determine: `unknown` for
/// processes of other hosts and containers, for which the signs of life decide.
enum class Life { over, going_on, unknown };
Life life_of(const LockOwner& owner, const LockOwner& self);

/// Whether two owners belong to the same start of the same Slurm job.
bool is_same_job(const LockOwner& one, const LockOwner& other);

}  // namespace stencil::storage
