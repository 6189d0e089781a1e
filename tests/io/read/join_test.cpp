// The rules for joining datasets: their order, their compatibility, gaps; and files that change
// after they were inspected.
#include "io/read/join.hpp"

#include <gtest/gtest.h>

#include "io/probe.hpp"
#include "io/read/file_list.hpp"
#include "io/read/input_dataset.hpp"
#include "io/read/times.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

constexpr Index second = 1'000'000'000;

/// Returns the facts of a part with 10 points per second along axis 0.
DatasetFacts part(const std::string& file, Index points, Index first) {
  DatasetFacts facts;
  facts.file = file;
  facts.dataset = "/data";
  facts.dims = {points, 3};
  facts.sampling_rate = {10, 0};
  facts.sampling_source = {"attribute", ""};
  facts.times = TimeSpan{0, first, first + (points - 1) * second / 10, "clock"};
  return facts;
}

TEST(Join, follows_the_times) {
  const DatasetFacts joined =
      join({part("c.h5", 10, 2 * second), part("a.h5", 20, 0), part("b.h5", 5, 3 * second)}, {})
          .front();
  EXPECT_EQ(joined.file, "a.h5");
  EXPECT_EQ(joined.dims, (std::vector<Index>{35, 3}));
  EXPECT_EQ(joined.sources, (std::vector<std::string>{"c.h5", "b.h5"}));
  ASSERT_EQ(joined.mappings.size(), 3u);
  EXPECT_EQ(joined.mappings[2].start, (std::vector<Index>{30, 0}));
  EXPECT_EQ(joined.mappings[2].count, (std::vector<Index>{5, 3}));
  EXPECT_EQ(facts_from(serialize(joined)).joined_axis, 0);
}

TEST(Join, refuses_gaps_and_overlaps_and_fills_or_splits_at_gaps) {
  const std::vector<DatasetFacts> late{part("a.h5", 10, 0), part("b.h5", 10, 2 * second)};
  EXPECT_NE(
      thrown_by([&] { join(late, {}); }).message.find("1 s are missing between a.h5 and b.h5"),
      std::string::npos);
  JoinWords words;
  words.gaps = Gaps::fill;
  EXPECT_EQ(join(late, words).front().dims[0], 30);
  EXPECT_EQ(join(late, words).front().filled_points, 10);
  words.gaps = Gaps::split;
  const std::vector<DatasetFacts> stretches =
      join({late[1], part("c.h5", 10, 3 * second), late[0]}, words);
  ASSERT_EQ(stretches.size(), 2u);
  EXPECT_EQ(stretches[0].file, "a.h5");
  EXPECT_EQ(stretches[0].dims[0], 10);
  EXPECT_EQ(stretches[1].file, "b.h5");
  EXPECT_EQ(stretches[1].sources, std::vector<std::string>{"c.h5"});
  EXPECT_EQ(stretches[1].dims[0], 20);
  const Thrown early = thrown_by([&] {
    join({part("a.h5", 10, 0), part("b.h5", 10, second / 2)}, words);
  });
  EXPECT_EQ(early.status, Status::words);
  EXPECT_NE(early.message.find("a.h5 and b.h5 overlap by 0.5 s"), std::string::npos);
}

TEST(Join, orders_names_with_their_numbers) {
  EXPECT_TRUE(storage::is_before("a9.h5", "a10.h5"));
  EXPECT_FALSE(storage::is_before("a10.h5", "a9.h5"));
  EXPECT_TRUE(storage::is_before("a09.h5", "a10.h5"));
  EXPECT_TRUE(storage::is_before("a", "a1"));
  EXPECT_FALSE(storage::is_before("a1", "a1"));
}

TEST(Join, takes_the_datasets_that_match_a_pattern_in_which_brackets_are_letters) {
  const Scratch scratch;
  const std::string name = scratch / "a.h5";
  {
    const Handle file = create_file(name);
    for (const char* dataset : {"Raw[10]", "Raw[2]", "Raw2", "Raw[x"})
      write_dataset(file, dataset, {4, 3}, {}, [](Index i) { return static_cast<double>(i); });
  }
  const DatasetFacts joined = probe_joined({name}, "/Raw[*]", {}).front();
  EXPECT_EQ(joined.dims, (std::vector<Index>{8, 3}));
  EXPECT_EQ(joined.dataset, "/Raw[2]") << "numbers are compared as numbers";
  EXPECT_EQ(joined.source_datasets.back().dataset, "/Raw[10]");
  EXPECT_NE(name_of(joined).find("and 1 datasets joined"), std::string::npos) << name_of(joined);
  const DatasetFacts single = probe_joined({name}, "/Raw[?0]", {}).front();
  EXPECT_EQ(single.dataset, "/Raw[10]") << "a single one is not a joined one";
  EXPECT_EQ(single.layout, "contiguous");
  const Thrown thrown = thrown_by([&] { probe_joined({name}, "/Raw[1*2]", {}); });
  EXPECT_NE(thrown.message.find("/Raw[1*2]"), std::string::npos) << thrown.message;
}

TEST(Join, in_one_calendar_only) {
  std::vector<DatasetFacts> parts{part("a.h5", 10, 0), part("b.h5", 10, second)};
  parts[1].times->calendar = "noleap";
  const Thrown thrown = thrown_by([&] { join(parts, {}); });
  EXPECT_NE(thrown.message.find("calendar noleap"), std::string::npos) << thrown.message;
}

TEST(Join, reads_dates) {
  EXPECT_EQ(storage::time_of("1970-01-01T00:00:12.495000+00:00"), 12'495'000'000);
  EXPECT_EQ(storage::time_of("1970-01-02"), 86400 * second);
  EXPECT_EQ(storage::time_of("1970-01-01 02:00:00 +02:00"), 0);
  EXPECT_EQ(storage::time_of("2024-05-01T00:10Z"), 1'714'522'200 * second);
  EXPECT_FALSE(storage::time_of("2024-13-01"));
  EXPECT_FALSE(storage::time_of("yesterday"));
}

TEST(Join, a_file_that_changes_or_vanishes_is_an_error_of_storage) {
  const Scratch scratch;
  std::vector<std::string> files;
  for (const char* name : {"a.h5", "b.h5"}) {
    files.push_back(scratch / name);
    const Handle file = create_file(files.back());
    write_dataset(file, "data", {4, 3}, {}, [](Index i) { return static_cast<double>(i); });
  }
  const DatasetFacts joined = probe_joined(files, "/data", {}).front();
  EXPECT_EQ(joined.dims, (std::vector<Index>{8, 3}));
  const NormalForm form(joined.dims, {});
  const Point shape = form.shape();
  std::vector<double> points(24);
  const FieldView<double> view{points.data(), shape, shape[1] * shape[2], shape[2]};
  InputDataset(joined).read<double>(form, make_box(shape), view, std::nullopt);
  EXPECT_EQ(points[11], 11);
  EXPECT_EQ(points[12], 0);
  for (const bool vanishes : {false, true}) {
    if (vanishes)
      std::filesystem::remove(files[1]);
    else
      std::ofstream(files[1], std::ios::app) << "more";
    const Thrown thrown = thrown_by(
        [&] { InputDataset(joined).read<double>(form, make_box(shape), view, std::nullopt); });
    EXPECT_EQ(thrown.status, Status::storage);
    EXPECT_NE(thrown.message.find("b.h5"), std::string::npos) << thrown.message;
  }
}

}  // namespace
}  // namespace stencil
