#include "io/metadata/common_names.hpp"

#include <gtest/gtest.h>

#include <string>

namespace stencil::storage {
namespace {

TEST(CommonNames, with_one_meaning_are_certain_however_they_are_spelled) {
  const struct {
    std::string name;
    Meaning meaning;
    std::string axis, unit;
  } cases[] = {
      {"SamplingFrequency", Meaning::rate, "time", "Hz"},
      {"sampling_rate", Meaning::rate, "time", "Hz"},
      {"SamplingFrequency[Hz]", Meaning::rate, "time", "Hz"},
      {"sample_rate_khz", Meaning::rate, "time", "kHz"},
      {"fs", Meaning::rate, "time", "Hz"},
      {"dt", Meaning::spacing, "time", ""},
      {"dt_s", Meaning::spacing, "time", "s"},
      {"TimeSamplingInterval(seconds)", Meaning::spacing, "time", "seconds"},
      {"StartTime", Meaning::first, "time", ""},
      {"nx", Meaning::count, "x", ""},
      {"y0", Meaning::first, "y", ""},
  };
  for (const auto& one : cases) {
    const auto found = quantity_named(one.name);
    ASSERT_TRUE(found) << one.name;
    EXPECT_EQ(found->meaning, one.meaning) << one.name;
    EXPECT_EQ(found->axis, one.axis) << one.name;
    EXPECT_EQ(found->unit, one.unit) << one.name;
    EXPECT_TRUE(found->is_certain) << one.name;
  }
}

TEST(CommonNames, that_only_look_like_it_are_found_and_never_certain) {
  const struct {
    std::string name;
    Meaning meaning;
    std::string axis;
  } cases[] = {
      {"gridSpacing", Meaning::spacing, "any"},
      {"ImageSizeX", Meaning::length, "x"},
      {"pixel_size_um", Meaning::spacing, "any"},
      {"Precise Sampling Frequency (Hz)", Meaning::rate, "time"},
      {"channel_start", Meaning::first, "distance"},
      {"x_min", Meaning::range, "x"},
      {"frame_interval", Meaning::spacing, "any"},
      {"num_rows", Meaning::count, "any"},
      {"record_length", Meaning::length, "any"},
      {"resolution", Meaning::spacing, "any"},
      {"bbox", Meaning::range, "any"},
  };
  for (const auto& one : cases) {
    const auto found = quantity_named(one.name);
    ASSERT_TRUE(found) << one.name;
    EXPECT_EQ(found->meaning, one.meaning) << one.name;
    EXPECT_EQ(found->axis, one.axis) << one.name;
    EXPECT_FALSE(found->is_certain) << one.name;
  }
}

TEST(CommonNames, of_other_things_say_nothing_of_the_points) {
  for (const char* name :
       {"units", "long_name", "GaugeLength", "PulseRate", "PulseWidth[ns]", "FibreIndex",
        "instrument_id", "frequency", "wavelength", "description", "scale_factor", "add_offset",
        "history", "SerialNumber", "gain", "title", "last_modified", "height"})
    EXPECT_FALSE(quantity_named(name)) << name;
}

}  // namespace
}  // namespace stencil::storage
