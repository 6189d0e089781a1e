// The rules for which run may write an output, and for which locks of other runs a run takes over.
#include "io/write/lock/output_lock.hpp"
#include "io/write/lock/left_files.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "framework/grid/error.hpp"
#include "tests/io/scratch.hpp"

namespace {

/// Numbers of calls that succeed before a call fails; if negative, no call fails.
int passing_reads = -1, passing_looks = -1;
bool for_all_calls = false;  ///< whether all later calls fail, not only one

bool fails(int& passing) {
  if (passing < 0) return false;
  if (passing > 0) {
    --passing;
    return false;
  }
  if (!for_all_calls) passing = -1;
  errno = EIO;
  return true;
}

}  // namespace

// These functions replace those of libc.
extern "C" ssize_t pread(int descriptor, void* to, size_t bytes, off_t at) {
  static const auto next = reinterpret_cast<decltype(&::pread)>(::dlsym(RTLD_NEXT, "pread"));
  return fails(passing_reads) ? -1 : next(descriptor, to, bytes, at);
}
extern "C" int fstat(int descriptor, struct stat* state) noexcept {
  static const auto next = reinterpret_cast<decltype(&::fstat)>(::dlsym(RTLD_NEXT, "fstat"));
  return fails(passing_looks) ? -1 : next(descriptor, state);
}

namespace stencil {
namespace {

using namespace testing;
using storage::LockOwner;
using storage::OutputLock;

const std::string name = "o.h5.lock";

class Lock : public ::testing::Test {
 protected:
  Scratch scratch;
  std::string path = scratch / name;
  int folder = ::open(scratch.folder().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  LockOwner self = storage::this_process();

  void TearDown() override {
    ::unsetenv("SLURM_JOB_ID");
    ::unsetenv("SLURM_RESTART_COUNT");
    ::close(folder);
  }
  std::unique_ptr<OutputLock> take() const {
    return std::make_unique<OutputLock>(folder, name, path);
  }
  /// Writes a lock that was last touched `seconds` ago.
  void plant(const std::string& text, int seconds = 0) const {
    write_bytes(path, text);
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec -= seconds;
    const timespec times[] = {now, now};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
  void plant(const LockOwner& owner, int seconds = 0) const { plant(text_of(owner), seconds); }
  void expect_taken() const {
    const auto lock = take();
    EXPECT_TRUE(lock->is_ours());
    EXPECT_EQ(bytes_of(path), text_of(self));
    EXPECT_EQ(scratch.names(), std::vector<std::string>{name});
  }
  /// Checks that the lock is refused with status 3 and one line that contains all parts, and that
  /// nothing in the folder changes.
  void expect_refused(const std::vector<std::string>& parts) const {
    const std::vector<std::string> before = scratch.names();
    const Thrown thrown = thrown_by([&] { take(); });
    EXPECT_EQ(thrown.status, Status::storage) << thrown.message;
    for (const std::string& part : parts)
      EXPECT_NE(thrown.message.find(part), std::string::npos) << thrown.message;
    EXPECT_EQ(thrown.message.find('\n'), std::string::npos);
    EXPECT_EQ(scratch.names(), before);
  }
  /// Returns the owner of a lock of a run on another machine.
  LockOwner other() const {
    return {"elsewhere", "123", "456", "-", "-", "another-boot", self.pid_namespace};
  }
};

TEST_F(Lock, says_who_holds_it_and_goes_away) {
  expect_taken();
  EXPECT_TRUE(scratch.names().empty());
  EXPECT_EQ(storage::owner_from(text_of(self))->boot, self.boot);
  EXPECT_NE(self.boot, "-");
  EXPECT_NE(self.pid_namespace, "-");
}

TEST_F(Lock, is_refused_to_a_second_one) {
  const auto first = take();
  expect_refused({path, "process " + self.pid, self.host, "remove the lock file"});
  EXPECT_TRUE(first->is_ours());
}

TEST_F(Lock, of_a_process_that_has_ended_is_taken_over) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  LockOwner owner = self;
  owner.pid = std::to_string(child);
  plant(owner);
  expect_taken();
  owner = self;  // its process number now belongs to another process
  owner.start = "1";
  plant(owner);
  expect_taken();
}

/// The owner is on a copy of this machine, or was on this machine before its last boot: these cases
/// cannot be distinguished.
TEST_F(Lock, of_another_boot_under_the_name_of_this_host_is_judged_by_its_signs_of_life) {
  LockOwner owner = self;
  owner.boot = "another-boot";
  plant(owner, 50);
  expect_refused({"process " + self.pid, "try again in a minute"});
  plant(owner, 70);
  expect_taken();
}

TEST_F(Lock, of_a_living_run_of_another_container_of_this_name_and_number_is_kept) {
  LockOwner owner = self;
  owner.pid_namespace = "pid:[1]";
  plant(owner);
  const std::string theirs = fmt::format("{}.{}.00000000.{}", path, self.host, self.pid);
  write_bytes(theirs, text_of(owner));  // another process is about to take the lock
  expect_refused({"process " + self.pid});
  EXPECT_EQ(bytes_of(theirs), text_of(owner));
  const timespec old[] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, theirs.c_str(), old, 0), 0);
  plant(owner, 70);
  expect_taken();  // the files that the other process left are removed
}

TEST_F(Lock, of_an_earlier_start_of_this_job_is_taken_over) {
  LockOwner owner = other();
  owner.job = "77";
  ::setenv("SLURM_JOB_ID", "77", 1);
  ::setenv("SLURM_RESTART_COUNT", "1", 1);
  self = storage::this_process();
  plant(owner);
  expect_taken();
  owner.job = "78";
  plant(owner);
  expect_refused({"job 78"});
}

TEST_F(Lock, of_another_host_is_taken_over_when_it_gives_no_sign_of_life) {
  plant(other(), 50);
  expect_refused({"process 123 on elsewhere", "5", " s ago", "try again in a minute"});
  plant(other(), 70);
  expect_taken();
}

TEST_F(Lock, of_a_living_owner_is_kept_whichever_look_at_it_fails) {
  for (int* passing : {&passing_reads, &passing_looks})
    for (int first = 0, met = 1; met; ++first) {
      plant(other());
      *passing = first;
      expect_refused({path});
      met = std::exchange(*passing, -1) < 0;
      EXPECT_TRUE(met || first > 0);
      EXPECT_EQ(bytes_of(path), text_of(other()));
    }
}

TEST_F(Lock, without_a_name_is_taken_over_later_than_its_owner_could_write_it) {
  plant("", 20);
  expect_refused({path, "is being taken by another run"});
  plant("", 40);
  expect_refused({path, "is empty, as other programs make their locks"});
  // the file name of a competing process shows that the lock belongs to this program
  LockOwner owner = self;
  owner.start = "1";
  write_bytes(fmt::format("{}.elsewhere.0123abcd.17", path), text_of(owner));
  plant("", 40);
  expect_taken();
}

TEST_F(Lock, of_another_container_is_judged_by_its_signs_of_life) {
  LockOwner owner = self;
  owner.pid = "999999999";  // no such process exists here
  owner.pid_namespace = "pid:[1]";
  plant(owner);
  expect_refused({"process 999999999"});
  plant(owner, 70);
  expect_taken();
}

TEST_F(Lock, of_this_job_on_another_host_is_waited_for) {
  LockOwner owner = other();
  owner.job = "77";
  ::setenv("SLURM_JOB_ID", "77", 1);
  self = storage::this_process();
  plant(owner, 57);
  const auto start = std::chrono::steady_clock::now();
  expect_taken();
  EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  plant(owner);
  std::thread ending([&] {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    ::unlink(path.c_str());
  });
  expect_taken();
  ending.join();
}

TEST_F(Lock, nothing_is_written_through_a_link) {
  const std::string theirs = "somebody's", file = scratch / "theirs";
  write_bytes(file, theirs);
  ASSERT_EQ(::symlink(file.c_str(), path.c_str()), 0);
  expect_refused({path, "is a symbolic link"});
  EXPECT_EQ(bytes_of(file), theirs);
  ::unlink(path.c_str());

  const std::size_t tag = std::hash<std::string>{}(self.boot + self.pid_namespace) & 0xffffffff;
  const std::string plate = fmt::format("{}.{}.{:08x}.{}", path, self.host, tag, self.pid);
  ASSERT_EQ(::symlink(file.c_str(), plate.c_str()), 0);
  take();
  EXPECT_EQ(bytes_of(file), theirs);
  ASSERT_EQ(::unlink(plate.c_str()), 0) << "a file that is not a nameplate stays";
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"theirs"});

  ASSERT_EQ(::link(file.c_str(), path.c_str()), 0);
  expect_refused({path, "is not a lock"});
  EXPECT_EQ(bytes_of(file), theirs);
}

TEST_F(Lock, a_lock_that_is_taken_over_is_not_written_into) {
  LockOwner owner = self;
  owner.start = "1";
  plant(owner);
  ASSERT_EQ(::link(path.c_str(), (scratch / "theirs").c_str()), 0);
  { EXPECT_TRUE(take()->is_ours()); }
  EXPECT_EQ(bytes_of(scratch / "theirs"), text_of(owner));
}

/// Creates a file, and returns the inode and time that this process records for the file.
storage::FileBirth made(const std::string& file) {
  write_bytes(file, "");
  const storage::Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  return storage::birth_of(opened.number(), file);
}

TEST_F(Lock, says_which_files_its_run_has_made) {
  auto lock = take();
  const storage::FileBirth birth = made(scratch / "o.h5.part");
  const storage::Descriptor part(::open((scratch / "o.h5.part").c_str(), O_RDONLY | O_CLOEXEC));
  lock->note_made(part.number(), "o.h5.part");
  lock->note_fresh(".stencil-0123456789abcdef");
  EXPECT_TRUE(lock->is_ours());
  EXPECT_FALSE(lock->was_left());
  const std::string text = bytes_of(path);
  EXPECT_EQ(text, text_of(self) + line_of(birth) + "fresh .stencil-0123456789abcdef\n");
  EXPECT_TRUE(lock->release());

  LockOwner owner = self;
  owner.start = "1";  // the owner has ended
  plant(text_of(owner) + text.substr(text_of(self).size()));
  // the records are kept even if several runs are killed before they remove the files
  for (int killed = 0; killed < 3; ++killed) {
    lock = take();
    ASSERT_TRUE(lock->was_left());
    ASSERT_EQ(lock->left().files.size(), 1U);
    EXPECT_EQ(lock->left().files[0].inode, birth.inode);
    EXPECT_EQ(lock->left().files[0].time, birth.time);
    EXPECT_EQ(lock->left().fresh_names, std::vector<std::string>{".stencil-0123456789abcdef"});
    const std::string taken = bytes_of(path);
    lock.reset();
    plant(text_of(owner) + taken.substr(text_of(self).size()));
  }
}

TEST_F(Lock, whose_lines_a_crash_has_cut_off_is_read) {
  LockOwner owner = self;
  owner.start = "1";
  for (const std::string end : {"made 12", "mad", "fresh .stenc", "made 7 8\nfre"}) {
    plant(text_of(owner) + end);
    EXPECT_TRUE(take()->was_left()) << end;
  }
  plant(text_of(owner) + std::string(40, '\0'));
  EXPECT_TRUE(take()->was_left());
  plant(text_of(owner) + "another line\n");
  expect_refused({path, "is not a lock"});
}

TEST_F(Lock, of_a_killed_run_tells_its_files_from_those_of_the_user) {
  const std::string file = scratch / "o.h5.part";
  storage::FilesMade left;
  left.files.push_back(made(file));
  const auto stays = [&] {
    storage::remove_left_output(folder, "o.h5.part", left);
    const std::vector<std::string> names = scratch.names();
    return std::find(names.begin(), names.end(), "o.h5.part") != names.end();
  };
  write_bytes(file, "whatever the run has written");  // into the same file
  EXPECT_EQ(stays(), left.files[0].time == 0);
  ::unlink(file.c_str());
  made(file);
  EXPECT_FALSE(stays()) << "an empty file has no content that could be lost";
  write_bytes(file, "\211HDF\r\n\032\n of the user, made since");
  left.files[0].time = 1;
  EXPECT_TRUE(stays());
  left.files[0].inode = 1;
  left.files[0].time = 0;
  EXPECT_TRUE(stays());
  struct stat state {};
  ASSERT_EQ(::stat(file.c_str(), &state), 0);
  left.files[0].inode = state.st_ino;  // as on a file system that does not store creation times
  write_bytes(file, "text");
  EXPECT_TRUE(stays());
  write_bytes(file, "\211HDF\r\n\032\n");
  EXPECT_FALSE(stays());
}

TEST_F(Lock, things_that_are_no_lock_are_named) {
  ASSERT_EQ(::symlink("nowhere", path.c_str()), 0);
  expect_refused({path, "is a symbolic link"});
  ::unlink(path.c_str());
  ASSERT_EQ(::mkdir(path.c_str(), 0755), 0);
  expect_refused({path, "is a folder"});
  ::rmdir(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0644), 0);
  expect_refused({path, "is a named pipe"});
  ::unlink(path.c_str());
  const int bound = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(bound, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  expect_refused({path, "is a socket"});
  ::close(bound);
  ::unlink(path.c_str());
  plant("a b c\n", 1000);
  expect_refused({path, "is not a lock"});
  plant("two\nlines\n", 1000);
  expect_refused({path, "is not a lock"});
}

TEST_F(Lock, of_another_user_is_refused) {
  LockOwner owner = self;
  owner.start = "1";
  plant(owner);
  if (::chown(path.c_str(), 12345, static_cast<gid_t>(-1)) != 0)
    GTEST_SKIP() << "SKIPPED: giving a file away needs root";
  expect_refused({path, "belongs to another user", "12345"});
  EXPECT_EQ(bytes_of(path), text_of(owner));
}

TEST_F(Lock, follows_its_folder) {
  std::filesystem::create_directory(scratch / "a");
  const int inner = ::open((scratch / "a").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  auto lock = std::make_unique<OutputLock>(inner, name, path);
  ::close(inner);
  std::filesystem::rename(scratch / "a", scratch / "b");
  EXPECT_TRUE(lock->is_ours());
  lock.reset();
  EXPECT_TRUE(std::filesystem::is_empty(scratch / "b"));
}

TEST_F(Lock, that_was_lost_is_left_to_its_new_owner) {
  auto lock = take();
  const std::string theirs = text_of(other());
  ::unlink(path.c_str());
  EXPECT_FALSE(lock->is_ours());
  write_bytes(path, theirs);
  EXPECT_FALSE(lock->is_ours());
  lock.reset();
  EXPECT_EQ(bytes_of(path), theirs);
}

TEST_F(Lock, whose_state_cannot_be_seen_is_not_called_lost) {
  const auto lock = take();
  EXPECT_EQ(lock->loss(), "");
  for (int* passing : {&passing_reads, &passing_looks}) {
    *passing = 0;
    for_all_calls = true;
    EXPECT_FALSE(lock->is_ours());
    EXPECT_EQ(lock->loss(), "");
    for_all_calls = false;
    *passing = -1;
  }
  ::unlink(path.c_str());
  EXPECT_NE(lock->loss().find("is gone"), std::string::npos) << lock->loss();
  write_bytes(path, text_of(other()));
  EXPECT_NE(lock->loss().find("process 123 on elsewhere"), std::string::npos) << lock->loss();
}

TEST_F(Lock, that_is_written_into_is_not_ours_any_more) {
  auto lock = take();
  const std::string theirs = text_of(other());
  std::ofstream(path, std::ios::trunc) << theirs;
  EXPECT_FALSE(lock->is_ours());
  EXPECT_FALSE(lock->release());
  EXPECT_EQ(bytes_of(path), theirs);
}

TEST_F(Lock, is_given_back_once) {
  auto lock = take();
  EXPECT_TRUE(lock->release());
  EXPECT_FALSE(lock->is_ours());
  const auto second = take();
  EXPECT_FALSE(lock->release());
  lock.reset();
  EXPECT_TRUE(second->is_ours());
}

TEST_F(Lock, that_was_given_back_before_is_not_taken) {
  OutputLock lock;
  EXPECT_FALSE(lock.release());
  EXPECT_EQ(thrown_by([&] { lock.take(folder, name, path); }).status, Status::storage);
  EXPECT_TRUE(scratch.names().empty());
}

/// The lock is released at any moment, as a signal would do.
TEST_F(Lock, that_is_given_back_while_it_is_taken_leaves_nothing) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    OutputLock lock;
    std::thread taking([&] { thrown_by([&] { lock.take(folder, name, path); }); });
    std::this_thread::sleep_for(std::chrono::microseconds(attempt * 5));
    lock.release();
    EXPECT_TRUE(scratch.names().empty());
    taking.join();
    EXPECT_TRUE(scratch.names().empty());
  }
}

TEST_F(Lock, that_is_given_back_while_another_is_waited_for_is_not_taken) {
  LockOwner owner = other();
  owner.job = "77";
  ::setenv("SLURM_JOB_ID", "77", 1);
  plant(owner, 57);
  OutputLock lock;
  std::thread ending([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_FALSE(lock.release());
  });
  EXPECT_EQ(thrown_by([&] { lock.take(folder, name, path); }).status, Status::storage);
  ending.join();
  EXPECT_EQ(bytes_of(path), text_of(owner));
  EXPECT_EQ(scratch.names(), std::vector<std::string>{name});
}

TEST_F(Lock, gives_signs_of_life) {
  const auto lock = take();
  const timespec old[] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), old, 0), 0);
  struct stat state {};
  for (int tenths = 0; tenths < 150 && state.st_mtim.tv_sec <= 1000; ++tenths) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ASSERT_EQ(::stat(path.c_str(), &state), 0);
  }
  EXPECT_GT(state.st_mtim.tv_sec, 1000);
}

/// If many processes find the lock of a dead owner at the same time, exactly one gets it.
TEST_F(Lock, has_one_owner_at_a_time) {
  LockOwner owner = self;
  owner.start = "1";
  plant(owner);
  std::vector<pid_t> children;
  for (int child = 0; child < 8; ++child) {
    children.push_back(::fork());
    if (children.back() > 0) continue;
    int won = 0;
    for (int attempt = 0; attempt < 20; ++attempt) try {
        const auto lock = take();
        const std::string held = scratch / "held";
        const int alone = ::open(held.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (alone < 0) ::_exit(2);
        ::unlink(held.c_str());
        ::close(alone);
        ++won;
      } catch (const StorageError&) {
      }
    ::_exit(won > 0 ? 0 : 1);
  }
  int winners = 0;
  for (const pid_t child : children) {
    int ending = 0;
    ::waitpid(child, &ending, 0);
    ASSERT_TRUE(WIFEXITED(ending));
    EXPECT_NE(WEXITSTATUS(ending), 2) << "two had it at once";
    winners += WEXITSTATUS(ending) == 0;
  }
  EXPECT_GT(winners, 0);
  EXPECT_TRUE(scratch.names().empty());
}

}  // namespace
}  // namespace stencil
