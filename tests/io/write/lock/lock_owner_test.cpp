#include "io/write/lock/lock_owner.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace stencil {
namespace {

using storage::Life;
using storage::life_of;
using storage::LockOwner;
using storage::owner_from;
using storage::text_of;

TEST(LockOwner, TextIsReadAsItWasWritten) {
  const LockOwner owner{"host", "42", "777", "job", "1", "boot-id", "pid:[5]"};
  EXPECT_EQ(text_of(owner), "host 42 777 job 1 boot-id pid:[5]\n");
  const auto read = owner_from(text_of(owner));
  ASSERT_TRUE(read);
  EXPECT_EQ(text_of(*read), text_of(owner));
}

TEST(LockOwner, OtherTextsAreNone) {
  for (const char* text :
       {"", "\n", "host 42 777 - -", "host 42 777 - -\nmore\n", "host 42 777 -\n",
        "host 42 777 - -\n", "host 42 777 - - boot\n", "host pid 777 - -\n", "host -1 777 - -\n",
        "host 1234567890 777 - -\n", "host 42 7 - - boot pid more\n"})
    EXPECT_FALSE(owner_from(text)) << text;
}

/// Returns the number of a process that has ended.
std::string ended_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return std::to_string(child);
}

TEST(LockOwner, ProcessesOfThisMachineAreLookedAt) {
  const LockOwner self = storage::this_process();
  EXPECT_EQ(life_of(self, self), Life::going_on);
  LockOwner ended = self;
  ended.pid = ended_process();
  EXPECT_EQ(life_of(ended, self), Life::over);
  LockOwner earlier = self;
  earlier.start = "1";
  EXPECT_EQ(life_of(earlier, self), Life::over) << "its number was used again";
}

TEST(LockOwner, ProcessesWhoseNumbersMeanNothingHereAreUnknown) {
  LockOwner self = storage::this_process();
  LockOwner ended = self;
  ended.pid = ended_process();
  for (const char* host : {self.host.c_str(), "elsewhere"}) {
    LockOwner owner = ended;
    owner.host = host;
    EXPECT_EQ(life_of(owner, self), Life::over) << "this machine had another name";
    owner.boot = "another-boot";
    EXPECT_EQ(life_of(owner, self), Life::unknown) << "a copy of this machine, or an earlier boot";
    owner = ended, owner.host = host, owner.pid_namespace = "pid:[1]";
    EXPECT_EQ(life_of(owner, self), Life::unknown) << "a container";
  }
  self.boot = ended.boot = "-";
  EXPECT_EQ(life_of(ended, self), Life::unknown) << "two that do not know their boot";
  self = storage::this_process();
  ended.boot = self.boot;
  self.pid_namespace = ended.pid_namespace = "-";
  EXPECT_EQ(life_of(ended, self), Life::unknown);
}

TEST(LockOwner, EarlierStartsOfTheSameJobAreOver) {
  const LockOwner self{"here", "10", "-", "7@c", "2", "boot", "pid:[1]"};
  LockOwner owner{"there", "9", "-", "7@c", "-", "other", "pid:[1]"};
  for (const char* restart : {"-", "0", "1"}) {
    owner.restart = restart;
    EXPECT_EQ(life_of(owner, self), Life::over) << restart;
    EXPECT_EQ(life_of(self, owner), Life::unknown) << "a later start";
    EXPECT_FALSE(is_same_job(owner, self));
  }
  owner.restart = "2";
  EXPECT_EQ(life_of(owner, self), Life::unknown);
  EXPECT_TRUE(is_same_job(owner, self));
  owner.restart = "1";
  owner.job = "7@d";
  EXPECT_EQ(life_of(owner, self), Life::unknown) << "a job of another cluster has this number";
}

TEST(LockOwner, JobsAreNamedWithTheirCluster) {
  ::setenv("SLURM_JOB_ID", "7", 1);
  EXPECT_EQ(storage::this_process().job, "7");
  ::setenv("SLURM_CLUSTER_NAME", "c", 1);
  EXPECT_EQ(storage::this_process().job, "7@c");
  ::unsetenv("SLURM_JOB_ID");
  EXPECT_EQ(storage::this_process().job, "-");
  ::unsetenv("SLURM_CLUSTER_NAME");
}

}  // namespace
}  // namespace stencil
