#include "io/write/lock/lock_owner.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "io/write/lock/files_made.hpp"

namespace stencil::storage {
namespace {

/// Field `number` of /proc/PID/stat, counted from 1 as in proc(5), at least 3; `-` if there is no
/// such process.
std::string stat_field(const std::string& pid, int number) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  if (!std::getline(file, line)) return "-";
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the process name may contain
                                                                // blanks
  std::string field;
  for (int i = 3; i <= number; ++i) fields >> field;
  return field;
}

/// Start time of a process of this host, in clock ticks since boot. The start time distinguishes
/// the process from a later process with the same number. The result is `-` if there is no such
/// process.
std::string start_of(const std::string& pid) {
  return stat_field(pid, 22);
}

/// Returns whether the process is a zombie.
bool is_zombie(const std::string& pid) {
  const std::string state = stat_field(pid, 3);
  return state == "Z" || state == "X";
}

std::string word_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? value : "-";
}

/// Name of the Slurm job: `123@cluster`. Clusters that share a file system may use the same job
/// numbers.
std::string job_of_slurm() {
  const std::string job = word_from("SLURM_JOB_ID"), cluster = word_from("SLURM_CLUSTER_NAME");
  return job == "-" || cluster == "-" ? job : job + "@" + cluster;
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  return file >> id ? id : "-";
}

/// Process namespace of this process: `pid:[4026531836]`.
std::string own_pid_namespace() {
  char name[64]{};
  return ::readlink("/proc/self/ns/pid", name, sizeof name - 1) > 0 ? name : "-";
}

bool is_number(const std::string& word) {
  return !word.empty() && word.size() < 10 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns whether the process of the owner has ended. @pre the number of the process is valid in
/// this namespace
bool has_ended(const LockOwner& owner) {
  const long pid = std::strtol(owner.pid.c_str(), nullptr, 10);
  if (pid <= 0) return false;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return true;
  if (is_zombie(owner.pid)) return true;
  const std::string start = start_of(owner.pid);
  return owner.start != "-" && start != "-" && owner.start != start;
}

bool is_known_and_same(const std::string& one, const std::string& other) {
  return one != "-" && one == other;
}

/// Returns whether the owner is an earlier start of this Slurm job. Slurm ends a job before it
/// restarts the job; the first start has no number.
bool is_earlier_start(const LockOwner& owner, const LockOwner& self) {
  const auto number = [](const LockOwner& o) {
    return std::strtol(o.restart.c_str(), nullptr, 10);
  };
  return is_known_and_same(owner.job, self.job) && number(owner) < number(self);
}

}  // namespace

LockOwner this_process() {
  char host[256]{};
  ::gethostname(host, sizeof host - 1);
  const std::string pid = std::to_string(::getpid());
  return {host,
          pid,
          start_of(pid),
          job_of_slurm(),
          word_from("SLURM_RESTART_COUNT"),
          boot_id(),
          own_pid_namespace()};
}

std::string text_of(const LockOwner& o) {
  return fmt::format("{} {} {} {} {} {} {}\n", o.host, o.pid, o.start, o.job, o.restart, o.boot,
                     o.pid_namespace);
}

std::optional<LockOwner> owner_from(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == text.npos || !is_behind_owner(text.substr(end + 1))) return std::nullopt;
  std::istringstream line{std::string(text.substr(0, end))};
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  if (words.size() != 7 || !is_number(words[1])) return std::nullopt;
  return LockOwner{words[0], words[1], words[2], words[3], words[4], words[5], words[6]};
}

bool is_same_job(const LockOwner& one, const LockOwner& other) {
  return is_known_and_same(one.job, other.job) && one.restart == other.restart;
}

Life life_of(const LockOwner& owner, const LockOwner& self) {
  if (is_earlier_start(owner, self)) return Life::over;
  // The host name is not compared, because containers and copies of a machine can share it.
  const bool is_pid_valid = is_known_and_same(owner.boot, self.boot) &&
                            is_known_and_same(owner.pid_namespace, self.pid_namespace);
  if (!is_pid_valid) return Life::unknown;
  return has_ended(owner) ? Life::over : Life::going_on;
}

}  // namespace stencil::storage
