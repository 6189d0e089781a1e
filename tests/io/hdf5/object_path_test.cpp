#include "io/hdf5/object_path.hpp"

#include <gtest/gtest.h>

#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using storage::open_dataset;
using storage::split_path;
using testing::thrown_by;
using Names = std::vector<std::string>;

TEST(ObjectPath, IsSplitAtEverySlash) {
  EXPECT_EQ(split_path("/a//b/./c"), (Names{"a", "b", "c"}));
  EXPECT_EQ(split_path("a/b/"), (Names{"a", "b"}));
  EXPECT_EQ(split_path("/"), Names{});
  EXPECT_EQ(split_path("a.b/..c"), (Names{"a.b", "..c"})) << "dots of names stay";
}

class DatasetPaths : public ::testing::Test {
 protected:
  DatasetPaths() : name_(scratch_ / "a.h5"), file_(testing::create_file(name_)) {
    testing::write_dataset(file_, "/shot/das/x", {4}, {}, [](Index i) { return double(i); });
    for (const auto& [target, link] :
         {std::pair{"/shot/das", "/newest"}, std::pair{"x", "/shot/das/y"},
          std::pair{"/round", "/round"}, std::pair{"/gone", "/dead"}})
      H5Lcreate_soft(target, file_, link, H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("b.h5", "/x", file_, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  }

  Names names_of(const std::string& path) { return open_dataset(file_, name_, path).names; }
  testing::Thrown refusal(const std::string& path) {
    return thrown_by([&] { open_dataset(file_, name_, path); });
  }

  testing::Scratch scratch_;
  std::string name_;
  storage::Handle file_;
};

TEST_F(DatasetPaths, SoftLinksLeadToTheNamesBehindThem) {
  const Names x{"shot", "das", "x"};
  EXPECT_EQ(names_of("/shot/das/x"), x);
  EXPECT_EQ(names_of("/newest/x"), x) << "from the root";
  EXPECT_EQ(names_of("newest/y"), x) << "from the link's own group, too";
  EXPECT_EQ(open_dataset(file_, name_, "/newest/y").groups.size(), 3u) << "root, shot, das";
}

TEST_F(DatasetPaths, WhatIsNoDatasetOfTheFileIsRefused) {
  const auto group = refusal("/shot");
  EXPECT_EQ(group.status, Status::words);
  EXPECT_NE(group.message.find("it holds das"), std::string::npos) << group.message;
  EXPECT_EQ(refusal("/shot/das/x/more").status, Status::words);
  EXPECT_EQ(refusal("/dead").status, Status::words);
  const auto loop = refusal("/round");
  EXPECT_EQ(loop.status, Status::storage);
  EXPECT_NE(loop.message.find("loop"), std::string::npos) << loop.message;
  const auto link = refusal("/elsewhere");
  EXPECT_EQ(link.status, Status::storage);
  EXPECT_NE(link.message.find("into another file"), std::string::npos) << link.message;
}

}  // namespace
}  // namespace stencil
