// Records of unfinished outputs are read as they were written, and any damage is detected.
#include "io/write/output/unfinished_output.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using testing::Scratch;

UnfinishedOutput example() {
  UnfinishedOutput u;
  u.words = "steps=9\ninput=x\n";
  u.axis = 1;
  u.done = {{0, 10}, {20, 35}};
  u.times = {0, 0.5};
  u.counts = {1, 2, 3};
  u.inode = 77;
  u.bytes = 4096;
  u.modified = 123456789;
  u.first_byte = 2048;
  u.structure = 0xfedcba9876543210;
  u.skipped = {"attribute a of /x"};
  u.records = {{0, 11, 100, 2048}, {1, 0xffffffffffffffff, 50, 2148}};
  return u;
}

void put(const std::string& name, const std::string& bytes) {
  // truncating an existing file would make some file systems wait for the disk
  std::filesystem::remove(name);
  std::ofstream(name, std::ios::binary) << bytes;
}

std::string bytes_in(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(UnfinishedOutput, ComesBackAsWritten) {
  const Scratch scratch;
  write_unfinished(scratch / "r", example());
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"r"});
  const auto found = read_unfinished(scratch / "r");
  ASSERT_TRUE(found);
  EXPECT_EQ(serialize(*found), serialize(example()));
  EXPECT_EQ(found->structure, example().structure);
  EXPECT_EQ(found->done, example().done);
  EXPECT_EQ(found->outputs(), 25);
  EXPECT_FALSE(read_unfinished(scratch / "nothing"));
}

TEST(UnfinishedOutput, EveryByteCounts) {
  const Scratch scratch;
  const std::string name = scratch / "r";
  write_unfinished(name, example());
  const std::string bytes = bytes_in(name);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ (1 << at % 8));
    put(name, other);
    EXPECT_THROW(read_unfinished(name), DamagedRecord) << at;
    EXPECT_NO_THROW(require_own_record(name)) << at;
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    put(name, bytes.substr(0, size));
    EXPECT_THROW(read_unfinished(name), DamagedRecord) << size << " bytes";
  }
  put(name, bytes + 'x');
  EXPECT_THROW(read_unfinished(name), DamagedRecord);
}

/// Such a record could come from a program that uses the same kind of record for other content.
TEST(UnfinishedOutput, OtherContentUnderASoundChecksumIsDamaged) {
  const std::string sound = serialize(example());
  const std::size_t mark = sound.find('\n') + 1;
  const auto with = [&](const std::vector<std::uint8_t>& content) {
    const std::uint64_t sum = storage::checksum_of(content.data(), content.size());
    std::string bytes = sound.substr(0, mark) + std::string(sizeof sum, '\0');
    std::memcpy(bytes.data() + mark, &sum, sizeof sum);
    return bytes.append(content.begin(), content.end());
  };
  auto json = nlohmann::json::from_cbor(sound.begin() + std::ptrdiff_t(mark + 8), sound.end());
  EXPECT_NO_THROW(unfinished_from(with(nlohmann::json::to_cbor(json)), "r"));
  for (const auto& item : json.items()) {
    nlohmann::json without = json, other = json;
    without.erase(item.key());
    other[item.key()] = {{"an", "object"}};
    for (const nlohmann::json& each : {without, other})
      EXPECT_THROW(unfinished_from(with(nlohmann::json::to_cbor(each)), "r"), DamagedRecord)
          << item.key();
  }
  EXPECT_THROW(unfinished_from(with({}), "r"), DamagedRecord);
  EXPECT_THROW(unfinished_from(with({0xff, 0xff}), "r"), DamagedRecord) << "no CBOR";
}

TEST(UnfinishedOutput, WhatACrashLeavesIsDamaged) {
  const Scratch scratch;
  UnfinishedOutput large = example();
  large.records.resize(2000, large.records.front());
  for (const std::string& bytes : {serialize(example()), serialize(large)}) {
    const std::size_t lost = std::min<std::size_t>(4096, bytes.size() / 2);
    std::vector<std::string> left{std::string(lost, '\0') + bytes.substr(lost),
                                  std::string(32, '\0') + bytes.substr(32),
                                  std::string(bytes.size(), '\0')};
    for (const std::size_t size : {0, 1, 8, 31, 32, 33, 100}) left.push_back(bytes.substr(0, size));
    for (const std::string& content : left) {
      put(scratch / "r", content);
      EXPECT_THROW(read_unfinished(scratch / "r"), DamagedRecord) << content.size();
      EXPECT_NO_THROW(require_own_record(scratch / "r")) << content.size();
    }
  }
}

TEST(UnfinishedOutput, AnotherFileIsNeitherReadNorOverwritten) {
  const Scratch scratch;
  put(scratch / "diary", "my diary");
  put(scratch / "empty", "");
  put(scratch / "large", "");
  std::filesystem::resize_file(scratch / "large", std::uintmax_t{1} << 42);  // more than any memory
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  put(scratch / "volume", std::string(4096, '\0') + "precious");
  put(scratch / "words", std::string(4096, '\0') + "skipped structure times words");
  put(scratch / "longer", serialize(example()).substr(0, 20) + "s");
  for (const char* name : {"diary", "large", "pipe", "volume", "words", "longer"}) {
    EXPECT_THROW(read_unfinished(scratch / name), DamagedRecord) << name;
    EXPECT_THROW(require_own_record(scratch / name), WordsError) << name;
  }
  EXPECT_NO_THROW(require_own_record(scratch / "nothing"));
}

}  // namespace
}  // namespace stencil
