// Runs whose lock or unfinished file was taken over by another run while they wrote.
#include <gtest/gtest.h>

#include <filesystem>

#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/resume/checkpoint_file.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil {
namespace {

namespace fs = std::filesystem;
using namespace testing;
using Words = std::vector<std::string>;

const std::string other_owner = "elsewhere 123 456 77@c - another-boot pid:[1]\n";
const std::string other_run = "another run, process 123 on elsewhere, job 77@c, has taken the lock";

class Lost : public ::testing::Test {
 protected:
  Communicator all{MPI_COMM_WORLD};
  std::unique_ptr<Scratch> scratch = shared_scratch(all);
  NormalForm form{{16, 16}, {0}};
  OutputSpec spec = make_spec();
  void TearDown() override { all.barrier(); }

  OutputSpec make_spec() const {
    OutputSpec s;
    s.file = *scratch / "out.h5";
    s.dataset = "data";
    s.form = form;
    return s;
  }
  void on_first(const std::function<void()>& work) const {
    all.barrier();
    if (all.rank() == 0) work();
    all.barrier();
  }
  /// Returns the error of all ranks if `meanwhile` runs on rank 0 before the commit.
  std::string refusal(const std::function<void()>& meanwhile) const {
    const Box mine = all.rank() == 0 ? make_box(form.shape()) : Box{};
    const OwnedBox<float> owned(form, mine, [](Index i) { return double(i); });
    const Thrown thrown = thrown_by([&] {
      OutputFile output(all, spec);
      output.write<float>(mine, owned.view);
      on_first(meanwhile);
      output.commit();
    });
    EXPECT_EQ(thrown.status, Status::storage) << thrown.message;
    EXPECT_EQ(thrown.message.find('\n'), std::string::npos);
    all.barrier();
    return thrown.message;
  }
  std::string part() const { return spec.file + ".part"; }
  std::string lock() const { return spec.file + ".lock"; }
  /// Takes the lock over, as another run does.
  void take_lock() const {
    write_bytes(lock() + ".new", other_owner);
    fs::rename(lock() + ".new", lock());
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST_F(Lost, the_run_that_has_the_lock_is_named_whatever_it_did_to_the_file) {
  const std::string theirs = "of the other run";
  const std::vector<std::pair<const char*, std::function<void()>>> deeds{
      {"nothing yet", [] {}},
      {"removed it", [&] { fs::remove(part()); }},
      {"began it anew", [&] { fs::remove(part()), write_bytes(part(), theirs); }},
      {"wrote into it", [&] { write_bytes(part(), theirs); }},
      {"has ended", [&] { fs::rename(part(), spec.file), write_bytes(spec.file, theirs); }},
  };
  for (const auto& [name, deed] : deeds) {
    SCOPED_TRACE(name);
    const std::string message = refusal([&, &work = deed] { take_lock(), work(); });
    EXPECT_TRUE(contains(message, other_run)) << message;
    EXPECT_TRUE(contains(message, "choose another output.file")) << message;
    EXPECT_EQ(bytes_of(lock()), other_owner);
    for (const std::string& file : {part(), spec.file}) {
      const bool is_theirs = fs::exists(file) && bytes_of(file).size() < 100;
      EXPECT_TRUE(!is_theirs || bytes_of(file) == theirs) << bytes_of(file);
    }
    on_first([&] {
      for (const std::string& left : scratch->names()) fs::remove(*scratch / left);
    });
  }
}

TEST_F(Lost, a_lock_that_is_gone_is_told) {
  const std::string message = refusal([&] { fs::remove(lock()), fs::remove(part()); });
  EXPECT_TRUE(contains(message, "out.h5.lock of this output is gone")) << message;
  EXPECT_EQ(scratch->names(), Words{});
}

TEST_F(Lost, a_file_that_is_gone_or_another_one_is_told) {
  std::string message = refusal([&] { fs::remove(part()); });
  EXPECT_TRUE(contains(message, "out.h5.part was removed while this run wrote it")) << message;
  EXPECT_EQ(scratch->names(), Words{});
  all.barrier();
  message = refusal([&] { fs::remove(part()), write_bytes(part(), "theirs"); });
  EXPECT_TRUE(contains(message, "out.h5.part was replaced by another file")) << message;
  EXPECT_EQ(scratch->names(), Words{"out.h5.part"});
  EXPECT_EQ(bytes_of(part()), "theirs");
}

TEST_F(Lost, an_error_of_the_run_itself_stays_what_it_is) {
  const Thrown thrown = thrown_by([&] {
    OutputFile output(all, spec);
    output.as_owner([&] { all.agree([] { throw StorageError("a file is missing"); }); });
  });
  EXPECT_EQ(thrown.message, "a file is missing");
}

TEST_F(Lost, checkpoints_of_the_run_that_has_the_lock_are_left_alone) {
  const std::string file = *scratch / "state.h5";
  CheckpointFiles files(all, file);
  files.require_ownership();
  on_first([&] {
    write_bytes(file, "theirs");
    write_bytes(file + ".next", "theirs");
    write_bytes(file + ".lock.new", other_owner);
    fs::rename(file + ".lock.new", file + ".lock");
  });
  const Words before = scratch->names();
  all.barrier();
  for (const Thrown& thrown : {thrown_by([&] { files.require_ownership(); }),
                               thrown_by([&] { files.give_name(Former::kept); })}) {
    EXPECT_EQ(thrown.status, Status::storage);
    EXPECT_TRUE(contains(thrown.message, other_run)) << thrown.message;
    EXPECT_TRUE(contains(thrown.message, "of this checkpoint")) << thrown.message;
    EXPECT_TRUE(contains(thrown.message, "run.checkpoint")) << thrown.message;
  }
  on_first([&] { EXPECT_TRUE(files.remove()); });
  EXPECT_EQ(scratch->names(), before);
  EXPECT_EQ(bytes_of(file), "theirs");
}

}  // namespace
}  // namespace stencil
