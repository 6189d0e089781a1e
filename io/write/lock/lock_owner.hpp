#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stencil::storage {

/// The owner of a lock. The first line of the lock file is `host pid start job restart boot
/// namespace`, with `-` for unknown values. The lines after it list the files that the owner has
/// made, see FilesMade.
struct LockOwner {
  std::string host = "-", pid = "-";
  std::string start = "-";          ///< start time of the process, in clock ticks since boot
  std::string job = "-";            ///< Slurm job: `123@cluster`
  std::string restart = "-";        ///< number of restarts of the job by Slurm
  std::string boot = "-";           ///< identifies the boot of the machine
  std::string pid_namespace = "-";  ///< namespace in which `pid` is valid; each container has a
                                    ///< different one
};

/// Returns the owner of a lock that is taken by this process.
LockOwner this_process();

/// Returns the first line of a lock.
std::string text_of(const LockOwner& owner);

/// Parses the content of a lock; std::nullopt if the content is invalid.
std::optional<LockOwner> owner_from(std::string_view text);

/// State of the owner of a lock, as far as this process can determine it. If the owner and this
/// process were started since the same boot of the same machine, in the same process namespace, it
/// is known whether the owner has ended (`over`) or is running (`going_on`). An earlier start of
/// this Slurm job has ended (`over`). In all other cases the state is `unknown`, and the caller
/// decides by the time since the owner last updated the lock. The state is unknown for processes on
/// other machines or in other containers, even with the same host name. The state is also unknown
/// for processes that this machine ran before its last boot, because they cannot be distinguished
/// from processes of other machines.
enum class Life { over, going_on, unknown };
Life life_of(const LockOwner& owner, const LockOwner& self);

/// Returns whether two owners belong to the same start of the same Slurm job.
bool is_same_job(const LockOwner& one, const LockOwner& other);

}  // namespace stencil::storage
