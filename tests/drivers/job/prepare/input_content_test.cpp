// The checksum of an input's content does not depend on the names of its files, and changes with
// the content.
#include "drivers/job/prepare/input_content.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

namespace fs = std::filesystem;

struct Files {
  testing::Scratch scratch;

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(scratch / name, std::ios::binary) << content;
    return scratch / name;
  }
  /// Facts of an input that consists of these files; the first file has the dataset.
  static DatasetFacts facts_of(const std::vector<std::string>& paths) {
    DatasetFacts facts;
    facts.file = paths.front();
    facts.dataset = "/x";
    facts.dims = {4, 5};
    facts.file_bytes = static_cast<Index>(fs::file_size(paths.front()));
    facts.modified = 1'700'000'000;
    for (std::size_t i = 1; i < paths.size(); ++i) {
      facts.sources.push_back(paths[i]);
      facts.source_bytes.push_back(static_cast<Index>(fs::file_size(paths[i])));
      facts.source_modified.push_back(1'700'000'000);
    }
    return facts;
  }
};

TimeSpan times_of(int axis, Nanoseconds first, Nanoseconds last) {
  TimeSpan times;
  times.axis = axis;
  times.first = first;
  times.last = last;
  return times;
}

TEST(InputContent, ACopyHasTheSame) {
  const Files written;
  const std::string text(50'000, 'a');
  const std::string a = written.write("a.h5", text), b = written.write("b.h5", text + "b");
  DatasetFacts facts = Files::facts_of({a, b});
  facts.sampling_source = {"the attribute of " + a};
  facts.remarks = {"the times of " + a};
  DatasetFacts source = Files::facts_of({b});
  facts.source_datasets = {source};
  DatasetFacts copy =
      Files::facts_of({written.write("c.h5", text), written.write("d.h5", text + "b")});
  copy.modified = 0;
  copy.source_modified = {1};
  source.file = copy.sources.front();
  copy.source_datasets = {source};
  EXPECT_EQ(content_of(facts), content_of(copy));
}

TEST(InputContent, EveryByteOfFilesOfUpTo64MiBCounts) {
  const Files written;
  for (const Index bytes : {1, 4095, 4097, 300'000, 64 << 20}) {
    std::string text(static_cast<std::size_t>(bytes), 'a');
    const std::string file = written.write("a.h5", text);
    const std::uint64_t content = content_of(Files::facts_of({file}));
    for (const Index at : {Index{0}, bytes / 3, bytes / 2 + 17, bytes - 1}) {
      if (at >= bytes) continue;
      text[static_cast<std::size_t>(at)] ^= 1;
      written.write("a.h5", text);
      EXPECT_NE(content_of(Files::facts_of({file})), content) << bytes << ": " << at;
      text[static_cast<std::size_t>(at)] ^= 1;
    }
  }
}

TEST(InputContent, OfALargeFile256PlacesCount) {
  const Files written;
  const Index bytes = Index{512} << 20, block = 4096, each = (bytes - block) / 255;
  const std::string file = written.write("a.h5", "a");
  // a sparse file, which takes no space on the disk
  fs::resize_file(file, static_cast<std::uintmax_t>(bytes));
  std::uint64_t content = content_of(Files::facts_of({file}));
  for (const Index at : {Index{0}, each + block / 2, 200 * each + block / 2, bytes - 1}) {
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(at).put('b');
    const std::uint64_t changed = content_of(Files::facts_of({file}));
    EXPECT_NE(changed, content) << at;
    content = changed;
  }
}

TEST(InputContent, SourcesAndTheirOrderCount) {
  const Files written;
  const std::string a = written.write("a.h5", "a"), b = written.write("b.h5", "b"),
                    c = written.write("c.h5", "c");
  const std::uint64_t content = content_of(Files::facts_of({a, b, c}));
  EXPECT_NE(content_of(Files::facts_of({a, c, b})), content);
  EXPECT_NE(content_of(Files::facts_of({a, b})), content);
  written.write("c.h5", "d");
  EXPECT_NE(content_of(Files::facts_of({a, b, c})), content);
}

// The checksum includes every fact on which the points or their meaning depend.
TEST(InputContent, FactsThatDecideThePointsCount) {
  const Files written;
  const DatasetFacts plain = Files::facts_of({written.write("a.h5", "a")});
  const std::vector<void (*)(DatasetFacts&)> changes{
      [](DatasetFacts& facts) { facts.dataset = "/y"; },
      [](DatasetFacts& facts) {
        facts.dims = {5, 4};
      },
      [](DatasetFacts& facts) { facts.type = ElementType::int16; },
      [](DatasetFacts& facts) { facts.type = ElementType::float16; },
      [](DatasetFacts& facts) {
        facts.sampling_rate = {0, 100};
      },
      [](DatasetFacts& facts) {
        facts.sampling_rate = {0, 100.00000000000001};
      },
      [](DatasetFacts& facts) {
        facts.holes = {{1, 2, 3}};
      },
      [](DatasetFacts& facts) { facts.missing_values = {-999}; },
      [](DatasetFacts& facts) {
        facts.missing_values = {-999, 5};
      },
      [](DatasetFacts& facts) { facts.missing_unasked = {-999}; },
      [](DatasetFacts& facts) { facts.missing_unasked = {std::uint64_t{1} << 63}; },
      [](DatasetFacts& facts) { facts.missing_unasked = {(std::uint64_t{1} << 63) + 1}; },
      [](DatasetFacts& facts) { facts.missing_unasked = {std::int64_t{1} << 53}; },
      [](DatasetFacts& facts) { facts.missing_unasked = {(std::int64_t{1} << 53) + 1}; },
      [](DatasetFacts& facts) { facts.valid_min = 0; },
      [](DatasetFacts& facts) { facts.valid_max = 0; },
      [](DatasetFacts& facts) { facts.range_is_of_values = true; },
      [](DatasetFacts& facts) { facts.is_packed = true; },
      [](DatasetFacts& facts) { facts.scale_factor = 2; },
      [](DatasetFacts& facts) { facts.add_offset = 2; },
      [](DatasetFacts& facts) { facts.has_other_sign = true; },
      [](DatasetFacts& facts) { facts.reads_values = true; },
      [](DatasetFacts& facts) { facts.times = times_of(0, 1, 2); },
      [](DatasetFacts& facts) { facts.times = times_of(0, 1, 3); },
      [](DatasetFacts& facts) { facts.file_bytes += 1; },
      [](DatasetFacts& facts) { facts.source_bytes = {7}; },
      [](DatasetFacts& facts) { facts.source_datasets = {facts}; },
      [](DatasetFacts& facts) {
        facts.mappings = {{0, {0, 0}, {4, 5}, {1, 0}, {4, 5}}};
      },
      [](DatasetFacts& facts) {
        facts.mappings = {{0, {0, 0}, {4, 5}, {1, 0}, {4, 5}, {2, 1}}};
      },
      [](DatasetFacts& facts) { facts.joined_axis = 0; },
      [](DatasetFacts& facts) { facts.joined_axis = 1; },
      [](DatasetFacts& facts) { facts.joined_first = 3; },
      [](DatasetFacts& facts) { facts.fill = -1; },
      [](DatasetFacts& facts) {
        facts.wanted = {{0, 1, 4}, {1, 2, 2}};
      },
      [](DatasetFacts& facts) { facts.validity = {facts}; },
      [](DatasetFacts& facts) {
        facts.selected = {{0, 1, 4}, {1, 2, 2}};
      },
  };
  std::set<std::uint64_t> found{content_of(plain)};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    DatasetFacts facts = plain;
    changes[i](facts);
    EXPECT_TRUE(found.insert(content_of(facts)).second) << "change " << i;
  }
}

// The checksum includes neither the storage of the points nor facts that are only reported to the
// user.
TEST(InputContent, OtherFactsDoNot) {
  const Files written;
  DatasetFacts facts = Files::facts_of({written.write("a.h5", "a")});
  const std::uint64_t content = content_of(facts);
  facts.layout = "chunked";
  facts.chunk = {2, 5};
  facts.chunk_bytes = 40;
  facts.filters = "gzip";
  facts.storage_bytes = 77;
  facts.data_offset = 2048;
  facts.unwritten = 1;
  facts.meaning = "units K";
  facts.missing_text = "missing_value = none";
  facts.join_notes = {"a note"};
  facts.time_source = {"/time", ""};
  EXPECT_EQ(content_of(facts), content);
}

// Checkpoints store this number: a build that computes another number for the same input refuses
// checkpoints of other builds of its version. If the number changes, the version must change, too.
TEST(InputContent, IsTheSameNumberInEveryBuild) {
  const Files written;
  DatasetFacts facts = Files::facts_of({written.write("a.h5", "a"), written.write("b.h5", "bc")});
  facts.sampling_rate = {0, 1000.5};
  facts.missing_values = {-999, 0.1};
  facts.scale_factor = 0.01;
  facts.times = times_of(1, 10, Nanoseconds{1} << 70);
  EXPECT_EQ(content_of(facts), 83057609386706777U);
}

}  // namespace
}  // namespace stencil
