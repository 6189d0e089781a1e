#include "io/read/missing_attributes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/hdf5/attributes.hpp"
#include "io/probe.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;
using Values = std::vector<ElementValue>;

double number(Index i) {
  return static_cast<double>(i);
}

/// Returns the facts of a dataset of a given type, in a file that netCDF wrote or in another file.
DatasetFacts facts_with(hid_t type, bool is_netcdf, const std::function<void(hid_t)>& describe) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
    if (is_netcdf) set_text(root, "_NCProperties", "version=2,netcdf=4.9.0,hdf5=1.10.8");
    describe(write_dataset(file, "d", {3}, {.file_type = type}, number));
  }
  return probe_dataset(scratch / "a.h5", "d");
}

void nothing(hid_t) {}

TEST(MissingAttributes, netcdf_has_default_fill_values) {
  const auto unasked = [](hid_t type) { return facts_with(type, true, nothing).missing_unasked; };
  EXPECT_EQ(unasked(H5T_IEEE_F32LE), Values{9.9692099683868690e+36});
  EXPECT_EQ(unasked(H5T_STD_I16LE), Values{-32767});
  EXPECT_EQ(unasked(H5T_STD_U16LE), Values{65535});
  EXPECT_EQ(unasked(H5T_STD_I64LE), Values{-9223372036854775806});
  EXPECT_EQ(unasked(H5T_STD_U8LE), Values{}) << "bytes have none";
  EXPECT_EQ(facts_with(H5T_STD_I16LE, true, nothing).missing_values, Values{});
  EXPECT_EQ(facts_with(H5T_STD_I16LE, false, nothing).missing_unasked, Values{});
  const auto filled = [](hid_t data) { set_number(data, "_FillValue", -9); };
  EXPECT_EQ(facts_with(H5T_STD_I16LE, true, filled).missing_unasked, Values{-9});
}

TEST(MissingAttributes, ranges_are_of_numbers_or_of_the_values_that_they_stand_for) {
  const auto packed = facts_with(H5T_STD_I16LE, false, [](hid_t data) {
    set_number(data, "scale_factor", 0.5);
    storage::write_attribute(data, "valid_min", Index{-5});
  });
  EXPECT_EQ(packed.valid_min, ElementValue(-5));
  EXPECT_FALSE(packed.valid_max);
  EXPECT_FALSE(packed.range_is_of_values);
  const auto unpacked = facts_with(H5T_STD_I16LE, false, [](hid_t data) {
    set_number(data, "scale_factor", 0.5);
    set_number(data, "valid_max", 7.5);
  });
  EXPECT_TRUE(unpacked.range_is_of_values);
  EXPECT_EQ(unpacked.valid_max, ElementValue(7.5));
  EXPECT_FALSE(facts_with(H5T_STD_I16LE, false, [](hid_t data) {
                 set_number(data, "valid_max", 7.5);
               }).range_is_of_values);
}

TEST(MissingAttributes, complex_numbers_are_missing_by_nan_only) {
  struct Parts {
    float r, i;
  };
  const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Parts)), H5Tclose);
  H5Tinsert(type, "r", 0, H5T_NATIVE_FLOAT);
  H5Tinsert(type, "i", sizeof(float), H5T_NATIVE_FLOAT);
  const auto facts_of = [&](const std::function<void(hid_t)>& describe) {
    const Scratch scratch;
    {
      const Handle file = create_file(scratch / "a.h5");
      describe(create_dataset(file, "d", {3}, {.file_type = type}));
    }
    return probe_dataset(scratch / "a.h5", "d");
  };
  const auto set = [&](hid_t data, const Parts& value) {
    const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(data, "_FillValue", type, scalar, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    H5Awrite(attribute, type, &value);
  };
  const auto none = facts_of(nothing);
  EXPECT_TRUE(none.missing_values.empty());
  EXPECT_EQ(none.missing_complex, "");
  for (const Parts& value : {Parts{NAN, 0}, Parts{1, NAN}}) {
    const auto facts = facts_of([&](hid_t data) { set(data, value); });
    ASSERT_EQ(facts.missing_unasked.size(), 1);
    EXPECT_TRUE(facts.missing_unasked[0].is_nan());
    EXPECT_EQ(facts.missing_complex, "");
  }
  const auto finite = facts_of([&](hid_t data) { set(data, {-999, 2.5}); });
  EXPECT_TRUE(finite.missing_values.empty());
  EXPECT_EQ(finite.missing_complex, "_FillValue = -999+2.5j");
  const auto real = facts_of([&](hid_t data) { set_number(data, "missing_value", -9); });
  EXPECT_EQ(real.missing_complex, "missing_value = -9+0j");
  const auto text = facts_of(
      [&](hid_t data) { storage::write_attribute(data, "_FillValue", std::string("-999")); });
  EXPECT_EQ(text.missing_text, "_FillValue = -999");
  EXPECT_EQ(text.missing_complex, "");
}

}  // namespace
}  // namespace stencil
