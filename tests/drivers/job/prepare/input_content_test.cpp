// What an input holds is known whatever its files are called, and another content is noticed.
#include "drivers/job/prepare/input_content.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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
  /// Facts of an input of these files; the first one has the dataset.
  static DatasetFacts facts_of(const std::vector<std::string>& files) {
    DatasetFacts facts;
    facts.file = files.front();
    facts.dataset = "/x";
    facts.dims = {4, 5};
    facts.file_bytes = static_cast<Index>(fs::file_size(files.front()));
    facts.modified = 1'700'000'000;
    for (std::size_t i = 1; i < files.size(); ++i) {
      facts.sources.push_back(files[i]);
      facts.source_bytes.push_back(static_cast<Index>(fs::file_size(files[i])));
      facts.source_modified.push_back(1'700'000'000);
    }
    return facts;
  }
};

TEST(InputContent, ACopyHasTheSame) {
  const Files files;
  const std::string text(50'000, 'a');
  const std::string a = files.write("a.h5", text), b = files.write("b.h5", text + "b");
  DatasetFacts facts = Files::facts_of({a, b});
  facts.sampling_source = {"the attribute of " + a};
  facts.remarks = {"the times of " + a};
  DatasetFacts source = Files::facts_of({b});
  facts.source_datasets = {source};
  DatasetFacts copy = Files::facts_of({files.write("c.h5", text), files.write("d.h5", text + "b")});
  copy.modified = 0;
  copy.source_modified = {1};
  source.file = copy.sources.front();
  copy.source_datasets = {source};
  EXPECT_EQ(content_of(facts), content_of(copy));
}

TEST(InputContent, EveryByteOfFilesOfUpTo64MiBCounts) {
  const Files files;
  for (const Index bytes : {1, 4095, 4097, 300'000, 64 << 20}) {
    std::string text(static_cast<std::size_t>(bytes), 'a');
    const std::string file = files.write("a.h5", text);
    const std::uint64_t content = content_of(Files::facts_of({file}));
    for (const Index at : {Index{0}, bytes / 3, bytes / 2 + 17, bytes - 1}) {
      if (at >= bytes) continue;
      text[static_cast<std::size_t>(at)] ^= 1;
      files.write("a.h5", text);
      EXPECT_NE(content_of(Files::facts_of({file})), content) << bytes << ": " << at;
      text[static_cast<std::size_t>(at)] ^= 1;
    }
  }
}

TEST(InputContent, OfALargeFile256PlacesCount) {
  const Files files;
  const Index bytes = Index{512} << 20, block = 4096, each = (bytes - block) / 255;
  const std::string file = files.write("a.h5", "a");
  fs::resize_file(file, static_cast<std::uintmax_t>(bytes));  // takes no room
  std::uint64_t content = content_of(Files::facts_of({file}));
  for (const Index at : {Index{0}, each + block / 2, 200 * each + block / 2, bytes - 1}) {
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(at).put('b');
    const std::uint64_t changed = content_of(Files::facts_of({file}));
    EXPECT_NE(changed, content) << at;
    content = changed;
  }
}

TEST(InputContent, SourcesAndTheirOrderCount) {
  const Files files;
  const std::string a = files.write("a.h5", "a"), b = files.write("b.h5", "b"),
                    c = files.write("c.h5", "c");
  const std::uint64_t content = content_of(Files::facts_of({a, b, c}));
  EXPECT_NE(content_of(Files::facts_of({a, c, b})), content);
  EXPECT_NE(content_of(Files::facts_of({a, b})), content);
  files.write("c.h5", "d");
  EXPECT_NE(content_of(Files::facts_of({a, b, c})), content);
}

TEST(InputContent, WhatTheMetadataSayCounts) {
  const Files files;
  DatasetFacts facts = Files::facts_of({files.write("a.h5", "a")});
  const std::uint64_t content = content_of(facts);
  facts.scale_factor = 2;
  EXPECT_NE(content_of(facts), content);
}

}  // namespace
}  // namespace stencil
