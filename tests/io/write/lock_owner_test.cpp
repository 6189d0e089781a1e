#include "io/write/lock_owner.hpp"

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
  const LockOwner owner{"host", "42", "777", "job", "1", "boot-id", "pid:[5]", true};
  EXPECT_EQ(text_of(owner), "host 42 777 job 1 boot-id pid:[5]\n");
  const auto read = owner_from(text_of(owner));
  ASSERT_TRUE(read);
  EXPECT_EQ(text_of(*read), text_of(owner));
  EXPECT_TRUE(read->gives_signs_of_life);
  const auto old = owner_from("host 42 777 - -\n");
  ASSERT_TRUE(old) << "of an earlier version";
  EXPECT_EQ(old->boot, "-");
  EXPECT_FALSE(old->gives_signs_of_life);
}

TEST(LockOwner, OtherTextsAreNone) {
  for (const char* text :
       {"", "\n", "host 42 777 - -", "host 42 777 - -\nmore\n", "host 42 777 -\n",
        "host 42 777 - - boot\n", "host pid 777 - -\n", "host -1 777 - -\n",
        "host 1234567890 777 - -\n", "host 42 7 - - boot pid more\n"})
    EXPECT_FALSE(owner_from(text)) << text;
}

/// Process number of a process that has ended.
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

TEST(LockOwner, OthersAreJudgedByWhatTheirLockSays) {
  const LockOwner self{"here", "10", "-", "7", "1", "boot", "pid:[1]", true};
  LockOwner owner{"here", "9", "-", "-", "-", "boot-before", "pid:[1]", true};
  EXPECT_EQ(life_of(owner, self), Life::over) << "the machine has started anew";
  owner.host = "there";
  EXPECT_EQ(life_of(owner, self), Life::unknown) << "another machine";
  owner = self, owner.pid_namespace = "pid:[2]";
  EXPECT_EQ(life_of(owner, self), Life::unknown) << "another container";
  owner = {"there", "9", "-", "7", "0", "other", "pid:[1]", true};
  EXPECT_EQ(life_of(owner, self), Life::over) << "Slurm has started the job again since";
  EXPECT_FALSE(is_same_job(owner, self));
  owner.restart = "-";
  EXPECT_EQ(life_of(owner, self), Life::over) << "the first start has no number";
  owner.restart = "1";
  EXPECT_TRUE(is_same_job(owner, self));
}

}  // namespace
}  // namespace stencil
