#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stencil::storage {

/// The owner of a lock. The first line of the lock file is `host pid start job restart boot
/// namespace`, with `-` for unknown values. The lines after it say which files the owner has made,
/// see FilesMade.
struct LockOwner {
  std::string host = "-", pid = "-";
  std::string start = "-";          ///< of the process, in clock ticks since boot
  std::string job = "-";            ///< of Slurm: `123@cluster`
  std::string restart = "-";        ///< how often Slurm has started the job again
  std::string boot = "-";           ///< identifies the boot of the machine
  std::string pid_namespace = "-";  ///< in which `pid` is valid; each container has its own
};

/// The owner of a lock that this process takes.
LockOwner this_process();

/// First line of a lock.
std::string text_of(const LockOwner& owner);

/// Parses the content of a lock; nothing if it is invalid.
std::optional<LockOwner> owner_from(std::string_view text);

/// Whether the owner of a lock still runs, as far as this process can determine. It can if both run
/// in the same boot of the same machine and in the same process namespace, and for earlier starts
/// of this Slurm job. For all others the result is `unknown`, and the time since they last touched
/// the lock decides: processes of other machines and containers, also those with the same host
/// name, and processes of this machine before its last boot, which cannot be distinguished from
/// them.
enum class Life { over, going_on, unknown };
Life life_of(const LockOwner& owner, const LockOwner& self);

/// Whether two owners belong to the same start of the same Slurm job.
bool is_same_job(const LockOwner& one, const LockOwner& other);

}  // namespace stencil::storage
