// Checkpoint files: which file is used, which damage is detected, and which run may write the
// files.
#include "io/write/resume/checkpoint_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "framework/grid/error.hpp"
#include "io/write/lock/lock_owner.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/resume/checkpoint_names.hpp"
#include "tests/io/shared_scratch.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

namespace fs = std::filesystem;

constexpr Point shape{2, 300, 700};  // two blocks of rows of 1 MiB
using Words = std::vector<std::string>;

struct Case {
  Case() = default;
  ~Case() { world.barrier(); }  // rank 0 removes the folder
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  Communicator world{MPI_COMM_WORLD};
  std::unique_ptr<testing::Scratch> scratch = testing::shared_scratch(world);
  std::string file = *scratch / "state.h5";
  Words passed_over{};

  double value(Index steps, Index i) const { return double(i % 1009) + double(steps); }

  /// Writes a checkpoint of the points after `steps` steps; each rank writes its rows.
  void write(const std::string& name, Index steps) {
    OutputFile output(world, checkpoint_spec(name, shape, ElementType::float32,
                                             {"steps=9\ninput=x\n", steps, {3, 4, 5}}));
    Box owned = make_box(shape);
    owned.set(y_axis, {shape[1] * world.rank() / world.size(),
                       shape[1] * (world.rank() + 1) / world.size()});
    const testing::OwnedBox<float> mine(NormalForm({shape[0], shape[1], shape[2]}, {0, 1, 2}),
                                        owned, [&](Index i) { return value(steps, i); });
    output.write<float>(mine.box, mine.view);
    output.commit();
  }
  void save(CheckpointFiles& files, Index steps) {
    write(files.next_name(), steps);
    files.give_name(Former::kept);
  }
  /// Returns the step of the checkpoint that would be used; 0 if there is no such checkpoint.
  Index steps_found() {
    passed_over.clear();
    const auto found = find_checkpoint(world, file, passed_over);
    return found ? found->record.steps_done : 0;
  }
  std::string refusal() {
    try {
      find_checkpoint(world, file, passed_over);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::storage);
      return error.what();
    }
  }
  /// Overwrites bytes on rank 0. If `bytes` is 0, the file is cut off at position `at`.
  void damage(const std::string& name, Index at, int bytes) const {
    world.barrier();
    if (world.rank() == 0) {
      if (bytes == 0) fs::resize_file(name, static_cast<std::uintmax_t>(at));
      std::fstream stream(name, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekp(at);
      for (int i = 0; i < bytes; ++i) stream.put('~');
    }
    world.barrier();
  }
  /// Writes the lock of a run that was killed.
  void leave_lock() const {
    if (world.rank() == 0) {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(0);
      ::waitpid(child, nullptr, 0);
      storage::LockOwner owner = storage::this_process();
      owner.pid = std::to_string(child);
      std::ofstream(file + ".lock") << text_of(owner);
    }
    world.barrier();
  }
  Words names() const {
    world.barrier();
    Words found = scratch->names();
    world.barrier();
    return found;
  }
};

TEST(CheckpointFile, TheNewestIsTaken) {
  Case one;
  EXPECT_EQ(one.steps_found(), 0);
  {
    CheckpointFiles files(one.world, one.file);
    one.save(files, 3);
    EXPECT_EQ(one.steps_found(), 3);
    one.save(files, 5);
    EXPECT_EQ(one.steps_found(), 5);
    one.write(files.next_name(), 8);  // killed before the file got its final name
    EXPECT_EQ(one.steps_found(), 8);
  }
  EXPECT_EQ(one.names(), (Words{"state.h5", "state.h5.next", "state.h5.previous"}));
  CheckpointFiles files(one.world, one.file);
  files.give_name(Former::kept);
  EXPECT_EQ(one.steps_found(), 8);
  if (one.world.rank() == 0) fs::remove(one.file);
  one.world.barrier();
  EXPECT_EQ(one.steps_found(), 5) << "a run was killed between the names";
}

TEST(CheckpointFile, HoldsWhatWasWritten) {
  Case one;
  CheckpointFiles files(one.world, one.file);
  one.save(files, 7);
  const auto found = find_checkpoint(one.world, one.file, one.passed_over);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->record.words, "steps=9\ninput=x\n");
  EXPECT_EQ(found->record.input.missing, 3);
  EXPECT_EQ(found->record.input.nans, 4);
  EXPECT_EQ(found->record.input.infinities, 5);
  const std::vector<double> values = testing::values_of(one.file, found->points.dataset);
  ASSERT_EQ(std::ssize(values), points(shape));
  for (Index i = 0; i < points(shape); i += 97)
    EXPECT_EQ(values[static_cast<std::size_t>(i)], one.value(7, i)) << i;
}

TEST(CheckpointFile, ADamagedOneIsPassedOver) {
  for (const auto& [at, bytes] : std::vector<std::pair<Index, int>>{
           {0, 4}, {100, 60}, {5000, 1}, {1'500'000, 1}, {70'000, 0}, {0, 0}}) {
    Case one;
    CheckpointFiles files(one.world, one.file);
    one.save(files, 3);
    one.save(files, 5);
    one.damage(one.file, at, bytes);
    EXPECT_EQ(one.steps_found(), 3) << bytes << " at " << at;
    ASSERT_EQ(one.passed_over.size(), 1U);
    EXPECT_NE(one.passed_over.front().find("state.h5"), std::string::npos);
    one.save(files, 7);  // the damaged checkpoint becomes the previous checkpoint
    EXPECT_EQ(one.steps_found(), 7);
  }
}

/// Some of these bytes are such that the changed file looks like a checkpoint of another run, or
/// like another kind of file.
TEST(CheckpointFile, EveryByteOutsideThePointsCounts) {
  Case one;
  CheckpointFiles files(one.world, one.file);
  one.save(files, 3);
  one.save(files, 5);
  const DatasetFacts facts = read_checkpoint(one.file).points;
  const Index first = facts.data_offset, last = first + points(shape) * Index{sizeof(float)};
  const auto end = static_cast<Index>(fs::file_size(one.file));
  one.world.barrier();  // no rank reads while rank 0 changes bytes
  ASSERT_LT(0, first);
  ASSERT_LT(last, end);
  std::fstream stream(one.file, std::ios::in | std::ios::out | std::ios::binary);
  const auto flip = [&](Index at) {
    stream.seekg(at);
    const int byte = stream.get();
    stream.seekp(at);
    stream.put(static_cast<char>(byte ^ (1 << at % 8))).flush();
  };
  // in the quick run, every third byte
  const Index step = testing::is_thorough() ? 1 : 3;
  const auto next = [&](Index at) {
    return at < first && at + step >= first ? last + at % step : at + step;
  };
  for (Index at = 0; at < end && one.world.rank() == 0; at = next(at)) {
    flip(at);
    EXPECT_THROW(read_checkpoint(one.file), StorageError) << at;
    if (at % (100 * step) == 0) {  // only for some bytes, because this call reads much of each file
      EXPECT_NO_THROW(storage::require_own_checkpoints(fs::canonical(one.file))) << at;
    }
    flip(at);
  }
  one.world.barrier();
  EXPECT_EQ(one.steps_found(), 5);
  const Index outside = first + (end - last);
  for (Index i = 0; i < outside; i += outside / (40 / step)) {
    const Index at = i < first ? i : last + i - first;
    if (one.world.rank() == 0) flip(at);
    one.world.barrier();
    EXPECT_EQ(one.steps_found(), 3) << at;
    one.world.barrier();
    if (one.world.rank() == 0) flip(at);
  }
}

TEST(CheckpointFile, NoneThatIsSoundIsAnError) {
  Case one;
  CheckpointFiles files(one.world, one.file);
  one.save(files, 3);
  one.save(files, 5);
  one.damage(one.file, 1'000'000, 1);
  one.damage(one.file + ".previous", 1000, 0);
  EXPECT_NE(one.refusal().find("damaged: remove it to start from the beginning"),
            std::string::npos);
}

TEST(CheckpointFile, AnotherFileIsNoCheckpoint) {
  Case one;
  if (one.world.rank() == 0) std::ofstream(one.file) << "my diary";
  one.world.barrier();
  EXPECT_NE(one.refusal().find("is not a checkpoint of this program"), std::string::npos);
  if (one.world.rank() == 0) {
    fs::remove(one.file);
    const auto file = testing::create_file(one.file);
    testing::write_dataset(file, "points", {2, 3, 4}, {}, [](Index i) { return double(i); });
  }
  one.world.barrier();
  EXPECT_NE(one.refusal().find("is not a checkpoint of this program"), std::string::npos);
}

TEST(CheckpointFile, OneRunAtATimeWritesThem) {
  Case one;
  one.leave_lock();
  if (one.world.rank() == 0) {
    fs::copy_file(one.file + ".lock", one.file + ".next.lock");
    for (const char* of : {".next.part", ".windows.part", ".snapshots.part"})
      std::ofstream(one.file + of).flush();
  }
  one.world.barrier();
  {
    CheckpointFiles files(one.world, one.file);
    EXPECT_EQ(one.names(), Words{"state.h5.lock"});
    try {
      CheckpointFiles others(one.world, one.file);
      ADD_FAILURE() << "two runs have the lock";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::storage);
      EXPECT_NE(std::string(error.what()).find("state.h5.lock"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("another run.checkpoint"), std::string::npos);
    }
    one.save(files, 1);
    one.save(files, 2);
    one.write(files.next_name(), 3);
    EXPECT_TRUE(one.world.rank() > 0 || files.remove());
    EXPECT_EQ(one.names(), Words{"state.h5.lock"});
  }
  EXPECT_EQ(one.names(), Words{});
}

/// Files of the user are kept, with and without the lock of a killed run.
TEST(CheckpointFile, FilesOfTheUserStay) {
  for (const std::string of : storage::checkpoint_endings)
    for (const bool is_lock_left : {false, true}) {
      if (of == ".lock" || of == ".next.lock") continue;
      for (const bool is_link : {false, true}) {
        // without a suffix, the link leads to the checkpoint itself
        if (is_link && of.empty()) continue;
        Case one;
        if (is_lock_left) one.leave_lock();
        if (one.world.rank() == 0) {
          std::ofstream(one.file + ".precious") << "precious";
          if (is_link)
            fs::create_symlink(one.file + ".precious", one.file + of);
          else
            fs::copy_file(one.file + ".precious", one.file + of);
        }
        const Words before = one.names();
        const auto thrown =
            testing::thrown_by([&] { const CheckpointFiles files(one.world, one.file); });
        EXPECT_EQ(thrown.status, Status::words) << of;
        EXPECT_NE(thrown.message.find(one.file + of), std::string::npos) << thrown.message;
        EXPECT_EQ(one.names(), before);
        if (one.world.rank() == 0) {
          EXPECT_EQ(testing::bytes_of(one.file + of), "precious");
        }
      }
    }
}

/// A description and the contents of a file that rank 0 writes.
using Content = std::pair<std::string, std::string>;

TEST(CheckpointFile, WhatACrashLeavesOfOneIsPassedOver) {
  Case one;
  {
    CheckpointFiles files(one.world, one.file);
    one.save(files, 3);
    one.save(files, 5);
  }
  const std::string sound = testing::bytes_of(one.file);
  const auto zeros = [](std::size_t size) { return std::string(size, '\0'); };
  std::vector<Content> left{
      {"the first page is lost", zeros(4096) + sound.substr(4096)},
      {"the signature is damaged", "~" + sound.substr(1)},
      {"zeros", zeros(sound.size())},
      {"the end is zeros", sound.substr(0, 5000) + zeros(sound.size() - 5000)},
      {"the end is damaged", sound.substr(0, sound.size() - 8) + "damaged!"}};
  for (const std::size_t size : {0, 1, 8, 47, 48, 100, 400, 600, 800, 1000, 1024, 5000})
    left.emplace_back(std::to_string(size) + " bytes", sound.substr(0, size));
  for (const auto& [what, content] : left) {
    one.world.barrier();
    if (one.world.rank() == 0) std::ofstream(one.file, std::ios::binary) << content;
    one.world.barrier();
    EXPECT_EQ(one.steps_found(), 3) << what;
    EXPECT_EQ(one.passed_over.size(), 1U) << what;
    EXPECT_NO_THROW(CheckpointFiles(one.world, one.file)) << what;
  }
  const std::size_t heap = sound.find("GCOL");
  ASSERT_NE(heap, sound.npos);
  left.emplace_back("only the heap is written", zeros(heap) + sound.substr(heap, 4096));
  one.leave_lock();
  for (const auto& [what, content] : left) {
    // a file without the signature is not recognized as the beginning of a checkpoint
    if (what == "the signature is damaged") continue;
    one.world.barrier();
    if (one.world.rank() == 0) std::ofstream(one.file + ".next.part", std::ios::binary) << content;
    EXPECT_NO_THROW(CheckpointFiles(one.world, one.file)) << what;
    EXPECT_EQ(one.names(), (Words{"state.h5", "state.h5.previous"})) << what;
  }
}

TEST(CheckpointFile, WhatOnlyResemblesOneStays) {
  Case one;
  one.write(*one.scratch / "sealed.h5", 1);
  OutputSpec spec;  // a finished output, as the program writes it
  spec.file = *one.scratch / "output.h5";
  spec.dataset = "/points";
  spec.form = NormalForm({4, 5}, {0, 1});
  spec.provenance = {{"stencil_configuration", "stencil_missing_points stencil_nan_points"}};
  if (one.world.rank() == 0) {
    const Communicator alone(MPI_COMM_SELF);
    OutputFile output(alone, spec);
    const testing::OwnedBox<float> all(spec.form, make_box(spec.form.shape()),
                                       [](Index i) { return double(i); });
    output.write<float>(all.box, all.view);
    output.commit();
  }
  one.world.barrier();
  const std::string output = testing::bytes_of(spec.file), zeros(1 << 20, '\0');
  const std::string signature = output.substr(0, 8);
  const std::vector<Content> contents{
      {"text", "see stencil_missing_points and stencil_nan_points in state.h5"},
      {"a volume", zeros + "precious"},
      {"a large volume", zeros + zeros + "precious"},
      {"a finished output", output},
      {"an HDF5 file of others", signature + std::string(2000, 'x')},
      {"text with a signature", signature + "stencil_run stencil_nan_points" + zeros},
      {"a seal in the middle",
       testing::bytes_of(*one.scratch / "sealed.h5").substr(4096) + "more"}};
  std::size_t cases = 0;  // every second case in a quick run, with and without a lock in turn
  for (const auto& [what, content] : contents)
    for (const std::string of : {"", ".next", ".previous", ".next.part"})
      for (const bool is_lock_left : {false, true}) {
        const std::size_t number = cases++;
        if (!testing::is_thorough() && is_lock_left != ((number / 2 + number / 8) % 2 == 1))
          continue;
        one.world.barrier();
        if (one.world.rank() == 0) std::ofstream(one.file + of, std::ios::binary) << content;
        if (is_lock_left) one.leave_lock();
        one.world.barrier();
        const auto thrown =
            testing::thrown_by([&] { const CheckpointFiles files(one.world, one.file); });
        EXPECT_EQ(thrown.status, Status::words) << what << ' ' << of;
        EXPECT_NE(thrown.message.find(one.file + of + " is not a"), std::string::npos)
            << what << ": " << thrown.message;
        one.world.barrier();
        if (one.world.rank() == 0) {
          EXPECT_TRUE(testing::bytes_of(one.file + of) == content) << what;
          fs::remove(one.file + of);
          fs::remove(one.file + ".lock");
        }
      }
  one.world.barrier();
}

TEST(CheckpointFile, ANameWithoutRoomForTemporaryFilesIsRefused) {
  Case one;
  for (const int size : {180, 190, 200, 210, 220, 230, 240, 250}) {
    const std::string file = *one.scratch / std::string(static_cast<std::size_t>(size), 'n');
    const auto thrown = testing::thrown_by([&] {
      CheckpointFiles files(one.world, file);
      one.write(files.next_name(), 3);
      files.give_name(Former::kept);
      files.remove();
    });
    if (thrown.message.empty()) continue;
    EXPECT_EQ(thrown.status, Status::words) << size << ": " << thrown.message;
    EXPECT_NE(thrown.message.find("choose a shorter name"), std::string::npos) << thrown.message;
    EXPECT_GT(size, 180);
  }
  EXPECT_EQ(one.names(), Words{});
  const auto thrown =
      testing::thrown_by([&] { const CheckpointFiles files(one.world, one.file + ".d/state.h5"); });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("state.h5.d: No such file or directory: create it first"),
            std::string::npos)
      << thrown.message;
}

TEST(CheckpointFile, ThatOfAnotherRunDoesNotStay) {
  Case one;
  CheckpointFiles files(one.world, one.file);
  one.save(files, 3);
  one.save(files, 5);
  one.write(files.next_name(), 1);
  files.give_name(Former::removed);
  EXPECT_EQ(one.names(), (Words{"state.h5", "state.h5.lock"}));
  EXPECT_EQ(one.steps_found(), 1);
}

}  // namespace
}  // namespace stencil
