// Outputs that are refused before any work, and the lock of an output.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>

#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/probe.hpp"
#include "io/write/lock/output_lock.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/output_spec.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

class OutputRules : public ::testing::Test {
 protected:
  Communicator all{MPI_COMM_WORLD};
  std::unique_ptr<Scratch> scratch = shared_scratch(all);
  NormalForm form{{16, 16}, {0}};
  void TearDown() override { all.barrier(); }

  OutputSpec spec(const std::string& name) const {
    OutputSpec s;
    s.file = *scratch / name;
    s.dataset = "data";
    s.form = form;
    return s;
  }
  void on_first(const std::function<void()>& work) const {
    if (all.rank() == 0) work();
    all.barrier();
  }
  void write(const OutputSpec& s) const {
    const Box mine = all.rank() == 0 ? make_box(form.shape()) : Box{};
    const OwnedBox<float> owned(form, mine, [](Index i) { return double(i); });
    OutputFile output(all, s);
    output.write<float>(mine, owned.view);
    output.commit();
  }
  /// Checks that every rank throws the same line, which contains `part`, and that the folder does
  /// not change.
  void expect_refused(const OutputSpec& s, Status status, const std::string& part) const {
    const std::vector<std::string> before = scratch->names();
    all.barrier();
    const Thrown thrown = thrown_by([&] { OutputFile output(all, s); });
    EXPECT_EQ(thrown.status, status) << thrown.message;
    EXPECT_NE(thrown.message.find(part), std::string::npos) << thrown.message;
    EXPECT_EQ(thrown.message.find('\n'), std::string::npos);
    all.barrier();
    EXPECT_EQ(scratch->names(), before);
    all.barrier();
  }
};

TEST_F(OutputRules, an_existing_file_is_kept_unless_overwrite) {
  on_first([&] { write_bytes(*scratch / "old.h5", "old"); });
  expect_refused(spec("old.h5"), Status::storage, "overwrite");
  EXPECT_EQ(bytes_of(*scratch / "old.h5"), "old");
  OutputSpec s = spec("old.h5");
  s.overwrite = true;
  write(s);
  EXPECT_EQ(values_of(s.file, "data")[255], 255);
  EXPECT_EQ(scratch->names(), std::vector<std::string>{"old.h5"});
}

TEST_F(OutputRules, the_old_file_stays_until_the_new_one_is_whole) {
  on_first([&] { write_bytes(*scratch / "old.h5", "old"); });
  OutputSpec s = spec("old.h5");
  s.overwrite = true;
  { OutputFile output(all, s); }
  all.barrier();
  EXPECT_EQ(bytes_of(s.file), "old");
  EXPECT_EQ(scratch->names(), std::vector<std::string>{"old.h5"});
}

TEST_F(OutputRules, folders_that_do_not_serve) {
  on_first([&] {
    write_bytes(*scratch / "file", "x");
    std::filesystem::create_directory(*scratch / "folder.h5");
  });
  expect_refused(spec("none/out.h5"), Status::storage, "create it first");
  expect_refused(spec("file/out.h5"), Status::storage, "folder");
  OutputSpec s = spec("folder.h5");
  s.overwrite = true;
  expect_refused(s, Status::storage, "a folder");
  s.file = "/proc/out.h5";
  EXPECT_EQ(thrown_by([&] { OutputFile output(all, s); }).status, Status::storage);
}

TEST_F(OutputRules, words_that_make_no_output) {
  const auto refused = [&](const std::function<void(OutputSpec&)>& change, const char* part) {
    OutputSpec s = spec("out.h5");
    change(s);
    expect_refused(s, Status::words, part);
  };
  refused([](OutputSpec& s) { s.dataset = "/"; }, "output.dataset");
  refused([](OutputSpec& s) { s.dataset = "group/"; }, "output.dataset");
  for (const char* name : {"../x", "..", ".", "./x", "a/../x", "/a/./x", "a/.."})
    refused([&](OutputSpec& s) { s.dataset = name; }, "output.dataset");
  refused([](OutputSpec& s) { s.chunk = {4}; }, "1 axes but the output has 2");
  refused([](OutputSpec& s) { s.chunk = {4, 0}; }, "below 1");
  refused([](OutputSpec& s) { s.chunk = {1 << 20, 1 << 20}; }, "limit");
  refused([](OutputSpec& s) { s.gzip_level = 4; }, "output.chunk");
  refused([](OutputSpec& s) { s.gzip_level = 10, s.chunk = {4, 4}; }, "gzip:10");
  refused([](OutputSpec& s) { s.type = ElementType::uint8, s.missing_value = -1; }, "uint8");
}

TEST_F(OutputRules, the_input_is_never_overwritten) {
  on_first([&] {
    write_dataset(create_file(*scratch / "in.h5"), "data", {16, 16}, {}, [](Index) { return 1.0; });
    std::filesystem::create_hard_link(*scratch / "in.h5", *scratch / "hard.h5");
    std::filesystem::create_symlink("in.h5", *scratch / "soft.h5");
    std::filesystem::copy(*scratch / "in.h5", *scratch / "x.h5.part");
    std::filesystem::copy(*scratch / "in.h5", *scratch / "y.h5.lock");
  });
  const auto refuse = [&](const std::string& input, const std::string& output) {
    OutputSpec s = spec(output);
    s.overwrite = true;
    s.input = probe_dataset(*scratch / input, "data");
    expect_refused(s, Status::words, "overwrite");
  };
  refuse("in.h5", "in.h5");
  refuse("in.h5", "./in.h5");
  refuse("in.h5", "hard.h5");
  refuse("in.h5", "soft.h5");
  refuse("soft.h5", "in.h5");
  refuse("x.h5.part", "x.h5");
  refuse("y.h5.lock", "y.h5");
  OutputSpec s = spec("in.h5");
  s.overwrite = true;
  s.input = probe_dataset(*scratch / "hard.h5", "data");
  s.input.file = *scratch / "x.h5.part";
  s.input.sources = {*scratch / "in.h5"};  // as for a virtual dataset
  expect_refused(s, Status::words, "overwrite");
}

TEST_F(OutputRules, no_other_file_of_the_run_is_overwritten) {
  on_first([&] {
    write_bytes(*scratch / "mask.h5", "taps");
    std::filesystem::create_symlink("mask.h5", *scratch / "soft.h5");
  });
  const auto refuse = [&](const std::string& other, const std::string& output) {
    OutputSpec s = spec(output);
    s.overwrite = true;
    s.also_read = {*scratch / other};
    expect_refused(s, Status::words, "would overwrite");
  };
  refuse("mask.h5", "mask.h5");
  refuse("soft.h5", "mask.h5");
  refuse("report.json", "report.json");  // this file does not exist yet
  refuse("./report.h5.part", "report.h5");
  EXPECT_EQ(bytes_of(*scratch / "mask.h5"), "taps");
}

/// Files with the names of a run's temporary files are removed if a run of this program made them;
/// otherwise they are refused and not changed.
TEST_F(OutputRules, files_of_the_user_stay) {
  write(spec("done.h5"));
  on_first([&] {
    write_bytes(*scratch / "precious", "precious");
    std::filesystem::create_symlink("precious", *scratch / "link.h5.part");
    std::filesystem::create_directory(*scratch / "folder.h5.part");
    write_bytes(*scratch / "text.h5.part", "precious");
    write_bytes(*scratch / "empty.h5.part", "");
    std::filesystem::copy(*scratch / "done.h5", *scratch / "copy.h5.part");
    write_bytes(*scratch / "cut.h5.part", bytes_of(*scratch / "done.h5").substr(0, 3000));
    write_dataset(create_file(*scratch / "other.h5.part"), "data", {16, 16}, {},
                  [](Index) { return 1.0; });
  });
  for (const char* name : {"link", "folder", "text", "empty", "copy", "cut", "other"})
    expect_refused(spec(std::string(name) + ".h5"), Status::storage,
                   std::string(name) + ".h5.part exists, has the name");
  EXPECT_EQ(bytes_of(*scratch / "precious"), "precious");
  EXPECT_EQ(bytes_of(*scratch / "text.h5.part"), "precious");
  EXPECT_EQ(bytes_of(*scratch / "copy.h5.part"), bytes_of(*scratch / "done.h5"));
}

TEST_F(OutputRules, an_unfinished_output_is_known_by_its_content) {
  OutputFile begun(all, spec("out.h5"));
  on_first([&] {
    const std::string bytes = bytes_of(*scratch / "out.h5.part");
    write_bytes(*scratch / "left.h5.part", bytes);
    write_bytes(*scratch / "cut.h5.part", bytes.substr(0, 3000));
    write_bytes(*scratch / "damaged.h5.part", "otherbytes" + bytes.substr(10));
  });
  for (const char* name : {"left.h5", "cut.h5", "damaged.h5"}) write(spec(name));
  all.barrier();
  EXPECT_FALSE(std::filesystem::exists(*scratch / "left.h5.part"));
  EXPECT_EQ(values_of(*scratch / "cut.h5", "data")[255], 255);
  all.barrier();
}

TEST_F(OutputRules, a_companion_of_another_program_stays) {
  on_first([&] { write_bytes(*scratch / "out.h5.xdmf", "<Xdmf>precious</Xdmf>"); });
  OutputSpec s = spec("out.h5");
  s.snapshots = SnapshotAxis{.count = 2};
  s.overwrite = true;
  expect_refused(s, Status::storage, "out.h5.xdmf exists, has the name");
}

TEST_F(OutputRules, a_living_owner_keeps_its_lock) {
  OutputFile first(all, spec("out.h5"));
  OutputSpec s = spec("out.h5");
  s.overwrite = true;
  expect_refused(s, Status::storage, "out.h5.lock");
  all.barrier();
}

TEST_F(OutputRules, a_dead_owner_is_cleared_away) {
  on_first([&] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    storage::LockOwner owner = storage::this_process();
    owner.start = "1";  // the number of the process that has ended now belongs to another process
    write_bytes(*scratch / "reused.h5.lock", text_of(owner));
    owner.pid = std::to_string(child);
    const std::string part = *scratch / "out.h5.part";
    write_bytes(part, "\x89HDF\r\n\x1a\nhalf of an output");
    const storage::Descriptor file(::open(part.c_str(), O_RDONLY | O_CLOEXEC));
    write_bytes(*scratch / "out.h5.lock",
                text_of(owner) + line_of(storage::birth_of(file.number(), part)));
  });
  write(spec("out.h5"));
  write(spec("reused.h5"));
  EXPECT_EQ(scratch->names(), (std::vector<std::string>{"out.h5", "reused.h5"}));
}

TEST_F(OutputRules, a_foreign_file_beside_the_lock_of_a_dead_owner_stays) {
  for (const std::string text : {"half of something", "\x89HDF\r\n\x1a\nhalf of something"}) {
    on_first([&] {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(0);
      ::waitpid(child, nullptr, 0);
      storage::LockOwner owner = storage::this_process();
      owner.pid = std::to_string(child);
      write_bytes(*scratch / "out.h5.lock", text_of(owner));
      write_bytes(*scratch / "out.h5.part", text);
    });
    EXPECT_THROW(write(spec("out.h5")), Error);
    EXPECT_EQ(scratch->names(), std::vector<std::string>{"out.h5.part"});
    EXPECT_EQ(bytes_of(*scratch / "out.h5.part"), text);
    all.barrier();
  }
}

/// The process has ended, but its parent has not collected its status, which in a container may
/// never happen.
TEST_F(OutputRules, a_zombie_is_dead) {
  pid_t child = 0;
  on_first([&] {
    child = ::fork();
    if (child == 0) ::_exit(0);
    siginfo_t ended{};
    // the child stays a zombie
    ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
    storage::LockOwner owner = storage::this_process();
    owner.pid = std::to_string(child), owner.start = "-";
    write_bytes(*scratch / "out.h5.lock", text_of(owner));
  });
  write(spec("out.h5"));
  EXPECT_EQ(scratch->names(), std::vector<std::string>{"out.h5"});
  if (child > 0) ::waitpid(child, nullptr, 0);
}

TEST_F(OutputRules, a_lock_of_another_host_or_nobody_is_respected) {
  on_first([&] {
    write_bytes(*scratch / "a.h5.lock", "elsewhere 1 1 - - boot pid:[1]\n");
    write_bytes(*scratch / "b.h5.lock", "");
    write_bytes(*scratch / "c.h5.lock", "elsewhere 1 1 77 - boot pid:[1]\n");
  });
  expect_refused(spec("a.h5"), Status::storage, "remove the lock file");
  expect_refused(spec("b.h5"), Status::storage, "remove the lock file");
  ::setenv("SLURM_JOB_ID", "78", 1);
  expect_refused(spec("c.h5"), Status::storage, "job 77");
  ::setenv("SLURM_JOB_ID", "77", 1);
  // the same job after a requeue: its first start has ended
  ::setenv("SLURM_RESTART_COUNT", "1", 1);
  write(spec("c.h5"));
  ::unsetenv("SLURM_JOB_ID");
  ::unsetenv("SLURM_RESTART_COUNT");
  EXPECT_EQ(scratch->names(), (std::vector<std::string>{"a.h5.lock", "b.h5.lock", "c.h5"}));
}

/// Other programs leave empty lock files; this program does not.
TEST_F(OutputRules, an_old_empty_lock_is_refused) {
  on_first([&] {
    write_bytes(*scratch / "out.h5.lock", "");
    std::filesystem::last_write_time(
        *scratch / "out.h5.lock",
        std::filesystem::file_time_type::clock::now() - std::chrono::seconds(40));
  });
  expect_refused(spec("out.h5"), Status::storage, "out.h5.lock is empty");
  EXPECT_EQ(scratch->names(), std::vector<std::string>{"out.h5.lock"});
}

TEST_F(OutputRules, a_run_killed_while_it_takes_its_lock_leaves_none) {
  on_first([&] {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit nothing{0, 0};
      ::setrlimit(RLIMIT_CORE, &nothing);
      ::setrlimit(RLIMIT_FSIZE, &nothing);
      // the signal kills the process at the first byte that it writes
      std::signal(SIGXFSZ, SIG_DFL);
      const int folder = ::open(scratch->folder().c_str(), O_PATH | O_DIRECTORY);
      storage::OutputLock lock(folder, "out.h5.lock", *scratch / "out.h5.lock");
      ::_exit(0);
    }
    int ending = 0;
    ::waitpid(child, &ending, 0);
    EXPECT_TRUE(WIFSIGNALED(ending) && WTERMSIG(ending) == SIGXFSZ);
    EXPECT_FALSE(std::filesystem::exists(*scratch / "out.h5.lock"));
    EXPECT_EQ(scratch->names().size(), 1u);  // the temporary name of the lock
  });
  write(spec("out.h5"));
  EXPECT_EQ(scratch->names(), std::vector<std::string>{"out.h5"});
}

TEST_F(OutputRules, too_little_space_is_told_in_bytes) {
  OutputSpec s = spec("huge.h5");
  s.form = NormalForm({Index{1} << 28, Index{1} << 28}, {0});  // 2^58 bytes
  expect_refused(s, Status::storage, std::to_string(Index{1} << 58) + " bytes");
}

TEST_F(OutputRules, a_symbolic_link_is_written_through) {
  on_first([&] {
    std::filesystem::create_directory(*scratch / "real");
    write_bytes(*scratch / "real/out.h5", "old");
    std::filesystem::create_symlink("real/out.h5", *scratch / "link.h5");
  });
  OutputSpec s = spec("link.h5");
  s.overwrite = true;
  write(s);
  EXPECT_TRUE(std::filesystem::is_symlink(*scratch / "link.h5"));
  EXPECT_EQ(values_of(*scratch / "real/out.h5", "data")[1], 1);
}

}  // namespace
}  // namespace stencil
