#include <fmt/core.h>
#include <gtest/gtest.h>
#include <hdf5_hl.h>

#include <functional>
#include <string>

#include "io/hdf5/dataset_facts.hpp"
#include "io/probe.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

double index_of(Index i) {
  return static_cast<double>(i);
}

TEST(SamplingRate, from_the_spacing_of_a_signal) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    set_number(write_dataset(file, "seconds", {8}, {}, index_of), "Xspacing", 1.0 / 4096);
    const Handle milli = write_dataset(file, "milli", {8}, {}, index_of);
    set_number(milli, "Xspacing", 2);
    set_text(milli, "Xunits", "ms");
    const Handle metres = write_dataset(file, "metres", {8}, {}, index_of);
    set_number(metres, "Xspacing", 2);
    set_text(metres, "Xunits", "m");
    set_number(write_dataset(file, "grid", {2, 4}, {}, index_of), "Xspacing", 0.5);
  }
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "seconds");
  EXPECT_EQ(facts.sampling_rate, std::vector<double>{4096});
  EXPECT_EQ(facts.sampling_source, std::vector<std::string>{"attribute Xspacing"});
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "milli").sampling_rate, std::vector<double>{500});
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "metres").sampling_rate, std::vector<double>{0});
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "grid").sampling_rate, (std::vector<double>{0, 0}));
}

TEST(SamplingRate, from_the_nearest_group_and_along_the_axis_named_time) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle dataset = write_dataset(file, "run/raw/data", {6, 4}, {}, index_of);
    const Handle outer(H5Gopen2(file, "run", H5P_DEFAULT), H5Gclose);
    const Handle inner(H5Gopen2(file, "run/raw", H5P_DEFAULT), H5Gclose);
    set_number(outer, "PulseRate", 4000);
    set_number(outer, "OutputDataRate", 100);
    set_number(inner, "OutputDataRate", 200);
    const Handle pulses = write_dataset(file, "pulses/data", {6, 4}, {}, index_of);
    set_number(Handle(H5Gopen2(file, "pulses", H5P_DEFAULT), H5Gclose), "PulseRate", 4000);
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, 5);
    const hsize_t two = 2;
    const Handle space(H5Screate_simple(1, &two, nullptr), H5Sclose);
    const Handle names(H5Acreate2(pulses, "Dimensions", type, space, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
    H5Awrite(names, type, "locustime");
  }
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "run/raw/data");
  EXPECT_EQ(facts.sampling_rate, (std::vector<double>{200, 0}));
  EXPECT_EQ(facts.sampling_source[0], "attribute OutputDataRate of /run/raw");
  // the axis of the attribute is unknown
  EXPECT_EQ(facts.time_source, (std::vector<std::string>{"", ""}));
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "pulses/data").sampling_rate,
            (std::vector<double>{0, 4000}));
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "pulses/data").time_source[1],
            "attribute PulseRate of /pulses");
}

TEST(SamplingRate, without_coordinates_is_certain_where_only_the_first_axis_has_several_points) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    set_number(write_dataset(file, "column", {8, 1}, {}, index_of), "sampling_rate", 50);
    set_number(write_dataset(file, "row", {1, 8}, {}, index_of), "sampling_rate", 50);
  }
  const DatasetFacts column = probe_dataset(scratch / "a.h5", "column"),
                     row = probe_dataset(scratch / "a.h5", "row");
  EXPECT_EQ(column.sampling_rate, (std::vector<double>{50, 0}));
  EXPECT_EQ(column.time_source[0], "attribute sampling_rate");
  // the rate is known because the dataset may be one of several such rows
  EXPECT_EQ(row.sampling_rate, (std::vector<double>{50, 0}));
  EXPECT_EQ(row.time_source, (std::vector<std::string>{"", ""}));
}

void attach(hid_t file, hid_t dataset, unsigned axis, const char* name, const char* units,
            hsize_t length, const std::function<double(Index)>& value) {
  const Handle scale = write_dataset(file, name, {length}, {.file_type = H5T_NATIVE_DOUBLE}, value);
  set_text(scale, "units", units);
  H5DSset_scale(scale, name);
  H5DSattach_scale(dataset, scale, axis);
}

TEST(SamplingRate, from_evenly_spaced_dimension_scales_in_units_of_time) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    const Handle dataset = write_dataset(file, "data", {3, 100, 5}, {}, index_of);
    attach(file, dataset, 0, "hour", "hours since 2000-01-01", 3,
           [](Index i) { return 6.0 * double(i); });
    attach(file, dataset, 1, "seconds", "s", 100, [](Index i) { return 10 - 0.004 * double(i); });
    attach(file, dataset, 2, "metres", "m", 5, index_of);
    const Handle uneven = write_dataset(file, "uneven", {100}, {}, index_of);
    attach(file, uneven, 0, "jumps", "s", 100, [](Index i) { return double(i) + (i == 60); });
  }
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", "data");
  ASSERT_EQ(facts.sampling_rate.size(), 3u);
  EXPECT_DOUBLE_EQ(facts.sampling_rate[0], 1.0 / (6 * 3600));
  EXPECT_NEAR(facts.sampling_rate[1], 250, 1e-9);
  EXPECT_EQ(facts.sampling_rate[2], 0);
  EXPECT_EQ(facts.sampling_source[1], "dimension scale /seconds");
  EXPECT_EQ(facts.time_source,
            (std::vector<std::string>{"dimension scale /hour", "dimension scale /seconds", ""}));
  const DatasetFacts uneven = probe_dataset(scratch / "a.h5", "uneven");
  EXPECT_EQ(uneven.sampling_rate, std::vector<double>{0});
  EXPECT_EQ(uneven.time_source, std::vector<std::string>{"dimension scale /jumps"});
}

TEST(SamplingRate, from_datasets_beside_the_data) {
  const Scratch scratch;
  {
    const Handle file = create_file(scratch / "a.h5");
    write_dataset(file, "optodas/data", {6, 4}, {}, index_of);
    write_dataset(file, "optodas/header/dt", {1}, {.file_type = H5T_NATIVE_DOUBLE},
                  [](Index) { return 0.02; });
    write_dataset(file, "optodas/cableSpec/sensorDistances", {9}, {}, index_of);
    write_dataset(file, "plain/data", {4, 6}, {}, index_of);
    set_text(write_dataset(file, "plain/time", {6}, {}, [](Index i) { return 0.5 * double(i); }),
             "units", "seconds");
  }
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "optodas/data").sampling_rate,
            (std::vector<double>{50, 0}));
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "optodas/cableSpec/sensorDistances").sampling_rate,
            std::vector<double>{0})
      << "not recorded in time";
  const DatasetFacts plain = probe_dataset(scratch / "a.h5", "plain/data");
  EXPECT_EQ(plain.sampling_rate, (std::vector<double>{0, 2}));
  EXPECT_EQ(plain.sampling_source[1], "dataset /plain/time");
}

TEST(SamplingRate, of_packed_times_is_that_of_the_values) {
  const Scratch scratch;
  const auto half = [](Index i) { return 0.5 * double(i); };
  {
    const Handle file = create_file(scratch / "a.h5");
    for (const char* name : {"integers", "reals", "unsound"}) {
      const std::string group = name;
      write_dataset(file, group + "/data", {6}, {}, index_of);
      const bool is_real = group == "reals";
      const Handle times = write_dataset(
          file, group + "/time", {6}, {.file_type = is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_SHORT},
          is_real ? std::function<double(Index)>(half) : index_of);
      set_text(times, "units", "s");
      set_number(times, "scale_factor", group == "unsound" ? 0 : 0.001);
      set_number(times, "add_offset", 12);
    }
    write_dataset(file, "unsigned/data", {6}, {}, index_of);
    const Handle times =  // as unsigned numbers, 125 127 -127 -125 .. are 125 127 129 131 ..
        write_dataset(file, "unsigned/time", {6}, {.file_type = H5T_NATIVE_SCHAR},
                      [](Index i) { return i < 2 ? 125 + 2 * double(i) : 2 * double(i) - 131; });
    set_text(times, "units", "s");
    set_text(times, "_Unsigned", "true");
  }
  const auto rate_of = [&](const char* name) {
    return probe_dataset(scratch / "a.h5", name).sampling_rate;
  };
  EXPECT_EQ(rate_of("integers/data"), std::vector<double>{1000});
  EXPECT_EQ(rate_of("reals/data"), std::vector<double>{2000});
  EXPECT_EQ(rate_of("unsound/data"), std::vector<double>{0});
  EXPECT_EQ(rate_of("unsigned/data"), std::vector<double>{0.5});
}

TEST(SamplingRate, times_that_leave_points_out_are_noted) {
  const Scratch scratch;
  int number = 0;
  const auto note_on = [&](const std::function<double(Index)>& time_of, hid_t type) {
    const std::string name = scratch / fmt::format("a{}.h5", number++);
    {
      const Handle file = create_file(name);
      write_dataset(file, "data", {40}, {}, index_of);
      set_text(write_dataset(file, "time", {40}, {.file_type = type}, time_of), "units", "s");
    }
    const DatasetFacts facts = probe_dataset(name, "data");
    EXPECT_EQ(facts.holes.empty(), facts.join_notes.empty());
    if (!facts.holes.empty()) {
      EXPECT_EQ(facts.sampling_rate, std::vector<double>{1});
    }
    return facts.join_notes.empty() ? std::string() : facts.join_notes.front();
  };
  const auto late = [](Index i) { return index_of(i) + (i < 25 ? 0 : 6) + (i < 30 ? 0 : 1); };
  for (const hid_t type : {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT}) {
    const std::string note = note_on(late, type);
    EXPECT_NE(note.find("leave out 7 points in 2 places, the first before point 25"), note.npos)
        << note;
    EXPECT_EQ(note_on(index_of, type), "");
    EXPECT_EQ(note_on([](Index i) { return -2 * index_of(i); }, type), "") << "evenly falling";
    EXPECT_EQ(note_on([](Index i) { return index_of(i * i); }, type), "") << "uneven all along";
    EXPECT_EQ(note_on([](Index i) { return index_of(i) + (i < 25 ? 0 : -6); }, type), "");
    EXPECT_EQ(note_on([](Index i) { return index_of(i + i / 4); }, type), "") << "every fifth";
  }
  EXPECT_EQ(
      note_on([](Index i) { return index_of(i) + (i % 2 == 0 ? 0 : 0.05); }, H5T_NATIVE_DOUBLE), "")
      << "uneven by less than a tenth";
}

}  // namespace
}  // namespace stencil
