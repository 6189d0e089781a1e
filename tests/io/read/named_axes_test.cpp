#include "io/read/named_axes.hpp"

#include <gtest/gtest.h>
#include <hdf5_hl.h>

#include "io/hdf5/dataset_facts.hpp"
#include "io/probe.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;
using Names = std::vector<std::string>;

TEST(NamedAxes, by_label_by_scale_or_not_at_all) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const auto index_of = [](Index i) { return static_cast<double>(i); };
    const Handle data = write_dataset(file, "data", {2, 3, 4, 5}, {}, index_of);
    H5DSset_label(data, 0, "Member");
    const Handle scale = write_dataset(file, "g/lat", {3}, {}, index_of);
    H5DSset_scale(scale, "lat");
    H5DSattach_scale(data, scale, 1);
    const Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(text, 4);
    const hsize_t four = 4;
    const Handle space(H5Screate_simple(1, &four, nullptr), H5Sclose);
    const Handle names(
        H5Dcreate2(file, "station", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    H5DSset_scale(names, "station");
    H5DSattach_scale(data, names, 2);
    write_dataset(file, "plain", {6, 7}, {}, index_of);
  }
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "data");
  EXPECT_EQ(facts.axis_names, (Names{"Member", "lat", "station", ""}));
  EXPECT_EQ(facts.text_scale, (Names{"", "", "/station", ""}));
  const DatasetFacts plain = probe_dataset(scratch / "a.h5", "plain");
  EXPECT_EQ(plain.axis_names, (Names{"", ""}));
  EXPECT_EQ(plain.text_scale, (Names{"", ""}));
}

}  // namespace
}  // namespace stencil
