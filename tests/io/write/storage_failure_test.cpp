// Whole jobs under mpirun whose storage fails: one line, exit status 3, no files left.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

struct Outcome {
  int status = -1;
  std::vector<std::string> lines;  ///< lines on stderr that the program itself printed
};

Outcome run_job(const Scratch& scratch, const std::string& arguments) {
  const Scratch messages;
  const std::string command =
      MPIEXEC " --oversubscribe --bind-to none --timeout 100 -n 3 " FAILING_WRITER " " +
      scratch.folder() + "/out.h5 " + arguments + " 2> " + (messages / "stderr") + " > /dev/null";
  const int ended = std::system(command.c_str());
  Outcome outcome{WIFEXITED(ended) ? WEXITSTATUS(ended) : -1, {}};
  std::ifstream stream(messages / "stderr");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("failing_writer: ")) outcome.lines.push_back(line);
  return outcome;
}

void expect_clean_failure(const Scratch& scratch, const Outcome& outcome, const std::string& part) {
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.lines.size(), 1u);
  for (const std::string& line : outcome.lines)
    EXPECT_NE(line.find(part), std::string::npos) << line;
  EXPECT_TRUE(scratch.names().empty()) << scratch.names().front();
}

TEST(StorageFailure, the_job_works_where_nothing_fails) {
  for (const char* way : {"plain 900", "gzip 900"}) {
    const Scratch scratch;
    EXPECT_EQ(run_job(scratch, way).status, 0);
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.h5"});
  }
}

TEST(StorageFailure, a_limit_met_while_reserving) {
  const Scratch scratch;
  const Outcome outcome = run_job(scratch, "plain 900 limit 1000000");
  expect_clean_failure(scratch, outcome, "out.h5");
}

TEST(StorageFailure, a_limit_met_while_writing_compressed) {
  const Scratch scratch;
  const Outcome outcome = run_job(scratch, "gzip 900 limit 1000000");
  expect_clean_failure(scratch, outcome, "out.h5.part:/data: file write failed: File too large: ");
}

TEST(StorageFailure, a_limit_on_the_size_of_files_is_no_full_disk) {
  for (const char* limit : {"20000", "200000", "1000000"}) {
    SCOPED_TRACE(limit);
    const Scratch scratch;
    const Outcome outcome = run_job(scratch, std::string("gzip 900 limit ") + limit);
    expect_clean_failure(scratch, outcome, "ulimit -f");
    ASSERT_FALSE(outcome.lines.empty());
    EXPECT_EQ(outcome.lines[0].find("bytes are available"), std::string::npos);
  }
}

TEST(StorageFailure, a_rank_that_gives_up_leaves_nothing_and_speaks_alone) {
  for (const char* way : {"plain 900 abort 0", "plain 900 abort 2", "gzip 900 abort 1"}) {
    const Scratch scratch;
    const Outcome outcome = run_job(scratch, way);
    EXPECT_EQ(outcome.status, 4);
    EXPECT_EQ(outcome.lines, std::vector<std::string>{"failing_writer: gave up"});
    EXPECT_TRUE(scratch.names().empty());
  }
}

/// A file that is removed while it is being created must not be created afterwards.
TEST(StorageFailure, a_signal_while_an_output_begins_leaves_nothing) {
  for (int wait = 0; wait < 30; wait += 4) {
    const Scratch scratch;
    run_job(scratch, fmt::format("plain 40000 begin {}", wait));
    EXPECT_TRUE(scratch.names().empty()) << scratch.names()[0] << " after " << wait << " ms";
  }
}

TEST(StorageFailure, writing_takes_no_more_memory_than_told) {
  for (const char* way : {"plain 60000 memory", "gzip 60000 memory", "gzip 900 memory"}) {
    const Scratch scratch;
    const Outcome outcome = run_job(scratch, way);
    EXPECT_EQ(outcome.status, 0) << (outcome.lines.empty() ? "" : outcome.lines[0]);
  }
}

TEST(StorageFailure, a_disk_that_is_filled_meanwhile) {
  const Scratch scratch;
  if (::mount("none", scratch.folder().c_str(), "tmpfs", 0, "size=8m") != 0)
    GTEST_SKIP() << "SKIPPED: mounting a small file system needs root";
  // an uncompressed output has reserved its blocks already
  EXPECT_EQ(run_job(scratch, "plain 900 fill").status, 0);
  std::filesystem::remove(scratch / "out.h5");
  expect_clean_failure(scratch, run_job(scratch, "gzip 900 fill"), "bytes are available in");
  ::umount(scratch.folder().c_str());
}

TEST(StorageFailure, a_small_disk) {
  const Scratch scratch;
  if (::mount("none", scratch.folder().c_str(), "tmpfs", 0, "size=2m") != 0)
    GTEST_SKIP() << "SKIPPED: mounting a small file system needs root";
  Outcome plain = run_job(scratch, "plain 900");
  expect_clean_failure(scratch, plain, "3686400 bytes");
  expect_clean_failure(scratch, run_job(scratch, "gzip 3000"), "out.h5.part");
  EXPECT_EQ(run_job(scratch, "plain 300").status, 0);
  ::umount(scratch.folder().c_str());
}

}  // namespace
}  // namespace stencil
