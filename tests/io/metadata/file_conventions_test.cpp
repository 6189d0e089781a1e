// The conventions that a file follows, the names of its axes, and the meaning of its attributes.
#include "io/metadata/file_conventions.hpp"

#include <gtest/gtest.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/metadata/stated_numbers.hpp"
#include "tests/io/scratch.hpp"

namespace stencil::storage {
namespace {

using namespace testing;
using Axes = std::vector<std::size_t>;

double index_of(Index i) {
  return static_cast<double>(i);
}

bool follows(const FileConventions& file, std::string_view name) {
  return std::any_of(file.rows().begin(), file.rows().end(),
                     [&](const Convention* row) { return row->name == name; });
}

TEST(FileConventions, are_those_whose_names_the_file_has) {
  const Scratch scratch;
  const Handle file = create_file(scratch / "a.h5");
  const Handle data = write_dataset(file, "dataset1/data1/data", {36, 20}, {}, index_of);
  const Handle where(H5Gcreate2(file, "dataset1/where", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                     H5Gclose);
  set_number(where, "rscale", 1000);
  const DatasetPath path = open_dataset(file, "a.h5", "dataset1/data1/data");
  const FileConventions radar(path, {36, 20});
  EXPECT_TRUE(follows(radar, "ODIM_H5 polar"));
  EXPECT_TRUE(follows(radar, "CF"));
  EXPECT_FALSE(follows(radar, "Silixa"));
  EXPECT_EQ(radar.object_at("where").path, "where");
  EXPECT_FALSE(radar.object_at("how").object);
  const auto fields = radar.fields_of("where", "rscale");
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(radar.axes_of(*fields[0], 0), Axes{1});
  EXPECT_TRUE(radar.fields_of("", "rscale").empty()) << "of the dataset it means nothing";
}

TEST(FileConventions, tell_gwpy_by_a_time_of_gps) {
  const Scratch scratch;
  const Handle file = create_file(scratch / "a.h5");
  for (const double start : {968654552.0, 0.0}) {
    const std::string name = start > 0 ? "series" : "spectrum";
    const Handle data = write_dataset(file, name, {8}, {}, index_of);
    set_number(data, "dx", 0.5);
    set_number(data, "x0", start);
    set_text(data, "channel", "H1");
    set_text(data, "unit", "strain");
    const DatasetPath path = open_dataset(file, "a.h5", name);
    EXPECT_EQ(follows(FileConventions(path, {8}), "gwpy"), start > 0);
  }
}

TEST(AxisNames, come_from_the_format_or_from_scales_and_leave_the_rest_open) {
  const AxisNames image({"Z", "lat", "lon"}), bare({"", "dim_1"}), fibre({"times", "locus"});
  EXPECT_EQ(image.possible("x"), Axes{2});
  EXPECT_EQ(image.possible("time"), Axes{}) << "a time step is of no axis of an image";
  EXPECT_EQ(bare.possible("time"), (Axes{0, 1}));
  EXPECT_EQ(fibre.time(), 0u);
  EXPECT_EQ(fibre.possible("x"), Axes{1}) << "spacings that are not of time are of the other axis";
  EXPECT_EQ(fibre.possible("distance"), Axes{1});
  EXPECT_EQ(AxisNames({"time"}).possible("x"), Axes{0}) << "x of one signal";
  EXPECT_EQ(AxisNames({"time"}).possible("distance"), Axes{});
  AxisNames named = bare;
  named.set_time(1);
  EXPECT_EQ(named.possible("dx"), Axes{0});
}

TEST(StatedNumbers, are_numbers_texts_of_numbers_and_rows_of_characters) {
  const Scratch scratch;
  const Handle file = create_file(scratch / "a.h5");
  const Handle data = write_dataset(file, "x", {8}, {}, index_of);
  set_number(data, "number", 2.5);
  set_text(data, "text", " 500\r\n");
  set_text(data, "words", "500 Hz");
  const hsize_t three = 3;
  const Handle space(H5Screate_simple(1, &three, nullptr), H5Sclose);
  const Handle made(H5Acreate2(data, "characters", H5T_C_S1, space, H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
  H5Awrite(made, H5T_C_S1, "512");
  EXPECT_EQ(stated_numbers(data, "number"), std::vector{2.5});
  EXPECT_EQ(stated_numbers(data, "text"), std::vector{500.0});
  EXPECT_EQ(stated_numbers(data, "words"), std::vector<double>{});
  EXPECT_EQ(stated_numbers(data, "characters"), std::vector{512.0});
  EXPECT_EQ(stated_text(data, "characters"), "512");
  EXPECT_EQ(stated_numbers(data, "none"), std::vector<double>{});
}

}  // namespace
}  // namespace stencil::storage
