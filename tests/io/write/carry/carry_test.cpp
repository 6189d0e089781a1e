// Metadata that the output carries over from its input: attributes, dimension scales, spacings.
#include <gtest/gtest.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/probe.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/output_spec.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

double index_of(Index i) {
  return static_cast<double>(i);
}

/// An output opened for reading.
struct Opened {
  Handle file;
  storage::DatasetPath path;

  Opened(const std::string& name, const std::string& dataset)
      : file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose),
        path(storage::open_dataset(file, name, dataset)) {}
  hid_t group(std::size_t depth) const { return path.groups[depth]; }
  bool has(hid_t object, const char* name) const { return H5Aexists(object, name) > 0; }
};

class Carry : public ::testing::Test {
 protected:
  Communicator all{MPI_COMM_WORLD};
  std::unique_ptr<Scratch> scratch = shared_scratch(all);
  void TearDown() override { all.barrier(); }

  void on_first(const std::function<void()>& work) const {
    if (all.rank() == 0) work();
    all.barrier();
  }
  OutputSpec spec(const std::string& dataset, const std::vector<AxisSampling>& sampling) const {
    OutputSpec s;
    s.file = *scratch / "out.h5";
    s.overwrite = true;
    s.input = probe_dataset(*scratch / "in.h5", dataset);
    s.dataset = dataset;
    std::vector<Index> dims;
    for (const AxisSampling& axis : sampling) dims.push_back(axis.count);
    s.form = NormalForm(dims, {static_cast<int>(dims.size()) - 1});
    s.sampling = sampling;
    s.provenance = {{"history", "made by a test"}};
    return s;
  }
  /// @returns on rank 0 the metadata that was not carried over
  std::vector<std::string> write(const OutputSpec& s) const {
    const Box mine = all.rank() == 0 ? make_box(s.form.shape()) : Box{};
    const OwnedBox<float> owned(s.form, mine, index_of);
    OutputFile output(all, s);
    output.write<float>(mine, owned.view);
    return output.commit().skipped;
  }
};

AxisSampling same(Index n) {
  return make_sampling(Extent::same, n, 1, 0, 1);
}

void add_scale(hid_t file, hid_t dataset, unsigned axis, const char* name,
               const std::vector<double>& values) {
  const Handle scale = write_dataset(file, name, {values.size()}, {.file_type = H5T_IEEE_F64BE},
                                     [&](Index i) { return values[std::size_t(i)]; });
  set_text(scale, "units", "degrees_north");
  set_number(scale, "actual_range", 1);
  H5DSset_scale(scale, name);
  H5DSattach_scale(dataset, scale, axis);
}

TEST_F(Carry, attributes_of_the_dataset_and_of_every_group_above) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset =
        write_dataset(file, "a/b/data", {4, 6}, {.file_type = H5T_STD_I16LE}, index_of);
    set_text(dataset, "units", "nm/m");
    set_text(dataset, "history", "older");
    set_number(dataset, "scale", 0.25);
    set_number(dataset, "complete", 0);           // an attribute of the user
    set_number(dataset, "stencil_checksums", 1);  // an attribute of the run that made the input
    set_text(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose), "stencil_method", "stencil: fft");
    set_text(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose), "history", "born");
    set_number(dataset, "valid_max", 9);
    set_number(dataset, "_FillValue", -32768);
    storage::write_attribute(dataset, "note", std::string("caf\xc3\xa9"));
    const hobj_ref_t reference{};
    set_attribute(dataset, "reference", H5T_STD_REF_OBJ, reference);
    set_text(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose), "Conventions", "CF-1.8");
    set_number(Handle(H5Gopen2(file, "a", H5P_DEFAULT), H5Gclose), "OutputDataRate", 200);
    set_number(Handle(H5Gopen2(file, "a/b", H5P_DEFAULT), H5Gclose), "GaugeLength", 10);
  });
  OutputSpec of_missing = spec("/a/b/data", {same(4), same(6)});
  of_missing.missing_value = NAN;
  write(of_missing);
  const Opened out(*scratch / "out.h5", "a/b/data");
  EXPECT_EQ(storage::attribute_text(out.path.dataset, "units"), "nm/m");
  EXPECT_EQ(storage::attribute_text(out.path.dataset, "history"), "older");
  EXPECT_EQ(storage::attribute_text(out.group(0), "history"), "made by a test\nborn");
  EXPECT_EQ(storage::attribute_number(out.group(0), "stencil_complete"), 1);
  EXPECT_FALSE(out.has(out.group(0), "stencil_method"));
  EXPECT_FALSE(out.has(out.path.dataset, "stencil_checksums"));
  EXPECT_EQ(storage::attribute_text(out.path.dataset, "note"), "caf\xc3\xa9");
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "scale"), 0.25);
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "complete"), 0);
  EXPECT_FALSE(out.has(out.path.dataset, "valid_max"));
  EXPECT_FALSE(out.has(out.path.dataset, "reference"));
  EXPECT_EQ(storage::attribute_text(out.group(0), "Conventions"), "CF-1.8");
  EXPECT_EQ(storage::attribute_number(out.group(1), "OutputDataRate"), 200);
  EXPECT_EQ(storage::attribute_number(out.group(2), "GaugeLength"), 10);
  const Handle fill(H5Aopen(out.path.dataset, "_FillValue", H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(fill), H5Tclose);
  EXPECT_GT(H5Tequal(type, H5T_NATIVE_FLOAT), 0);  // the attribute has the output's type
  EXPECT_TRUE(std::isnan(storage::attribute_number(out.path.dataset, "_FillValue").value_or(0)));
}

TEST_F(Carry, groups_that_the_output_lacks_give_their_attributes_to_its_root) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    write_dataset(file, "a/b/data", {40}, {}, index_of);
    set_number(Handle(H5Gopen2(file, "a", H5P_DEFAULT), H5Gclose), "OutputDataRate", 200);
    set_number(Handle(H5Gopen2(file, "a", H5P_DEFAULT), H5Gclose), "which", 1);
    set_number(Handle(H5Gopen2(file, "a/b", H5P_DEFAULT), H5Gclose), "which", 2);
  });
  OutputSpec s = spec("/a/b/data", {make_sampling(Extent::same, 40, 1, 0, 4)});
  s.dataset = "filtered";
  write(s);
  const Opened out(*scratch / "out.h5", "filtered");
  EXPECT_EQ(storage::attribute_number(out.group(0), "OutputDataRate"), 50);
  EXPECT_EQ(storage::attribute_number(out.group(0), "which"), 2);
  EXPECT_EQ(probe_dataset(s.file, "filtered").sampling_rate, std::vector<double>{50});
}

TEST_F(Carry, the_spacing_of_a_signal_follows_first_and_stride) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "s", {100}, {}, index_of);
    set_number(dataset, "Xspacing", 0.25);
    set_attribute(dataset, "Xstart", H5T_NATIVE_INT64, Index{1126259446});
    set_attribute(dataset, "Npoints", H5T_NATIVE_INT64, Index{100});
  });
  write(spec("s", {make_sampling(Extent::valid, 100, 9, 4, 3)}));
  Opened out(*scratch / "out.h5", "s");
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "Xspacing"), 0.75);
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "Xstart"), 1126259447);
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "Npoints"), 31);
  EXPECT_EQ(probe_dataset(*scratch / "out.h5", "s").sampling_rate, std::vector<double>{4.0 / 3});
  all.barrier();
  write(spec("s", {make_sampling(Extent::full, 100, 4, 2, 1)}));  // first = -1
  out = Opened(*scratch / "out.h5", "s");
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "Xstart"), 1126259445.75);
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "Npoints"), 103);
}

TEST_F(Carry, rates_that_are_not_attributes_are_told_in_one) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    write_dataset(file, "data", {60, 4}, {}, index_of);
    write_dataset(file, "header/dt", {1}, {.file_type = H5T_NATIVE_DOUBLE},
                  [](Index) { return 0.02; });
  });
  write(spec("data", {make_sampling(Extent::same, 60, 1, 0, 5), same(4)}));
  EXPECT_EQ(probe_dataset(*scratch / "out.h5", "data").sampling_rate, (std::vector<double>{10, 0}));
}

/// Writes the groups of an acquisition whose metadata do not say which axis is time.
void write_silent(const std::string& name, bool has_loci) {
  const Handle file = create_file(name);
  const Handle dataset = write_dataset(file, "a/raw", {6, 40}, {}, index_of);
  set_number(dataset, "sampling_rate", 100);
  const Handle group(H5Gopen2(file, "a", H5P_DEFAULT), H5Gclose);
  set_number(group, "OutputDataRate", 100);
  set_number(group, "SpatialSamplingInterval", 2);
  if (has_loci) set_number(group, "NumberOfLoci", 40);
}

TEST_F(Carry, attributes_of_an_unnamed_axis_are_scaled_only_where_it_is_sure_which_they_tell_of) {
  const AxisSampling fifth = make_sampling(Extent::same, 40, 1, 0, 5);
  const auto rates = [&](bool has_loci, const std::vector<AxisSampling>& sampling,
                         const std::vector<double>& used_rate = {}) {
    on_first([&] { write_silent(*scratch / "in.h5", has_loci); });
    OutputSpec s = spec("a/raw", sampling);
    s.used_rate = used_rate;
    write(s);
    const Opened out(*scratch / "out.h5", "a/raw");
    std::vector<double> told;
    for (const char* name : {"OutputDataRate", "SpatialSamplingInterval"})
      told.push_back(storage::attribute_number(out.group(1), name).value_or(-1));
    told.push_back(storage::attribute_number(out.path.dataset, "sampling_rate").value_or(-1));
    all.barrier();
    return told;
  };
  // the axis of time is unknown, so the rates are left out (-1)
  EXPECT_EQ(rates(false, {same(6), fifth}), (std::vector<double>{-1, -1, -1}));
  // the filter was designed for the rate of the file along that axis
  EXPECT_EQ(rates(false, {same(6), fifth}, {0, 100}), (std::vector<double>{20, 2, 20}));
  EXPECT_EQ(rates(false, {same(6), fifth}, {0, 7}), (std::vector<double>{-1, -1, -1}));
  EXPECT_EQ(rates(false, {make_sampling(Extent::same, 6, 1, 0, 2), fifth}),
            (std::vector<double>{-1, -1, -1}));
  // time, channel: the axes follow from the number of loci
  EXPECT_EQ(rates(true, {same(6), fifth}), (std::vector<double>{100, 10, 100}));
  EXPECT_EQ(rates(true, {make_sampling(Extent::same, 6, 1, 0, 2), fifth}),
            (std::vector<double>{50, 10, 50}));
}

/// Writes a file of an acquisition in the layout of ProdML, with attributes that depend on the time
/// axis.
void write_acquisition(const std::string& name) {
  const Handle file = create_file(name);
  const Handle dataset = write_dataset(file, "a/raw", {40, 6}, {}, index_of);
  const Handle group(H5Gopen2(file, "a", H5P_DEFAULT), H5Gclose);
  write_dataset(file, "a/rawTime", {40}, {}, index_of);
  storage::write_attribute(dataset, "Count", Index{240});
  set_number(dataset, "StartIndex", 24000);
  set_text(dataset, "PartStartTime", "1970-01-01T00:00:00");
  set_text(dataset, "PartEndTime", "1970-01-01T00:00:01.95");
  set_text(dataset, "Dimensions", "time");
  set_number(group, "OutputDataRate", 20);
  set_number(group, "MaximumFrequency", 10);
  set_number(group, "PulseRate", 4000);
  set_number(group, "NumberOfLoci", 6);
  set_number(group, "StartLocusIndex", -260);
  set_number(group, "SpatialSamplingInterval", 2);
  set_number(group, "NumberOfSamples", 40);
  set_number(group, "dt", 0.05);
  set_number(group, "duration", 2);
  set_text(group, "start_time", "1970-01-01T00:00:00");
}

/// Returns whether one of the texts has the given beginning.
bool tells(const std::vector<std::string>& texts, const std::string& beginning) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.starts_with(beginning); });
}

TEST_F(Carry, counts_and_times_follow_a_decimation) {
  on_first([&] { write_acquisition(*scratch / "in.h5"); });
  const auto skipped = write(spec("a/raw", {make_sampling(Extent::same, 40, 1, 0, 5), same(6)}));
  const Opened out(*scratch / "out.h5", "a/raw");
  const hid_t dataset = out.path.dataset, group = out.group(1);
  const auto number = [](hid_t object, const char* name) {
    return storage::attribute_number(object, name).value_or(-1);
  };
  EXPECT_EQ(number(dataset, "Count"), 48);
  EXPECT_EQ(number(group, "NumberOfSamples"), 8);
  EXPECT_EQ(number(group, "OutputDataRate"), 4);
  EXPECT_EQ(number(group, "MaximumFrequency"), 2);
  EXPECT_EQ(number(group, "dt"), 0.25);
  EXPECT_EQ(number(group, "duration"), 2);  // eight points of 0.25 s
  EXPECT_EQ(number(group, "PulseRate"), 4000) << "which the instrument had";
  EXPECT_EQ(number(group, "StartLocusIndex"), -260);
  EXPECT_EQ(number(group, "SpatialSamplingInterval"), 2);
  EXPECT_EQ(storage::attribute_text(dataset, "PartStartTime"), "1970-01-01T00:00:00");
  EXPECT_EQ(storage::attribute_text(group, "start_time"), "1970-01-01T00:00:00");
  EXPECT_EQ(storage::attribute_text(dataset, "PartEndTime"), "1970-01-01T00:00:01.75");
  EXPECT_EQ(values_of(*scratch / "out.h5", "a/rawTime"),
            (std::vector<double>{0, 5, 10, 15, 20, 25, 30, 35}));
  EXPECT_FALSE(out.has(dataset, "StartIndex"));
  if (all.rank() == 0) {
    EXPECT_EQ(skipped.size(), 1u) << ::testing::PrintToString(skipped);
    EXPECT_TRUE(tells(skipped, "attribute StartIndex of /a/raw"));
  }
}

TEST_F(Carry, starts_and_ends_follow_extents_beyond_and_within_the_edges) {
  on_first([&] { write_acquisition(*scratch / "in.h5"); });
  for (const Extent extent : {Extent::valid, Extent::full}) {
    const auto skipped = write(spec("a/raw", {make_sampling(extent, 40, 5, 2, 1), same(6)}));
    const Opened out(*scratch / "out.h5", "a/raw");
    EXPECT_EQ(storage::attribute_number(out.path.dataset, "Count"),
              extent == Extent::valid ? 216 : 264);
    EXPECT_EQ(storage::attribute_number(out.group(1), "OutputDataRate"), 20);
    EXPECT_EQ(storage::attribute_number(out.group(1), "MaximumFrequency"), 10);
    EXPECT_EQ(storage::attribute_number(out.group(1), "dt"), 0.05);
    const bool valid = extent == Extent::valid;
    const std::string start = valid ? "1970-01-01T00:00:00.1" : "1969-12-31T23:59:59.9";
    EXPECT_EQ(storage::attribute_text(out.path.dataset, "PartStartTime"), start);
    EXPECT_EQ(storage::attribute_text(out.group(1), "start_time"), start);
    EXPECT_EQ(storage::attribute_text(out.path.dataset, "PartEndTime"),
              valid ? "1970-01-01T00:00:01.85" : "1970-01-01T00:00:02.05");
    EXPECT_NEAR(storage::attribute_number(out.group(1), "duration").value_or(-1), valid ? 1.8 : 2.2,
                1e-12);
    const std::vector<double> times = values_of(*scratch / "out.h5", "a/rawTime");
    EXPECT_EQ(times.size(), valid ? 36u : 44u);
    EXPECT_EQ(times.front(), valid ? 2 : -2);
    EXPECT_EQ(times.back(), valid ? 37 : 41);
    EXPECT_FALSE(out.has(out.path.dataset, "StartIndex"));
    if (all.rank() == 0) {
      EXPECT_EQ(skipped.size(), 1u) << ::testing::PrintToString(skipped);
    }
    all.barrier();
  }
}

TEST_F(Carry, loci_follow_a_choice_of_channels_and_times_stay) {
  on_first([&] { write_acquisition(*scratch / "in.h5"); });
  const auto skipped = write(spec("a/raw", {same(40), make_sampling(Extent::same, 6, 1, 0, 2)}));
  const Opened out(*scratch / "out.h5", "a/raw");
  const hid_t dataset = out.path.dataset, group = out.group(1);
  EXPECT_EQ(storage::attribute_number(dataset, "Count"), 120);
  EXPECT_EQ(storage::attribute_number(dataset, "StartIndex"), 24000);
  EXPECT_EQ(storage::attribute_text(dataset, "PartEndTime"), "1970-01-01T00:00:01.95");
  EXPECT_EQ(storage::attribute_number(group, "NumberOfLoci"), 3);
  EXPECT_EQ(storage::attribute_number(group, "SpatialSamplingInterval"), 4);
  EXPECT_EQ(storage::attribute_number(group, "OutputDataRate"), 20);
  EXPECT_EQ(storage::attribute_number(group, "StartLocusIndex"), -130) << "in steps of 4 m";
  EXPECT_TRUE(skipped.empty()) << ::testing::PrintToString(skipped);
  all.barrier();
  const auto odd = write(spec("a/raw", {same(40), make_sampling(Extent::same, 6, 1, 0, 3)}));
  const Opened third(*scratch / "out.h5", "a/raw");
  EXPECT_FALSE(third.has(third.group(1), "StartLocusIndex")) << "no whole number of 6 m";
  EXPECT_EQ(tells(odd, "attribute StartLocusIndex of /a"), all.rank() == 0);
}

TEST_F(Carry, what_is_not_resampled_keeps_everything) {
  on_first([&] { write_acquisition(*scratch / "in.h5"); });
  const auto skipped = write(spec("a/raw", {same(40), same(6)}));
  const Opened in(*scratch / "in.h5", "a/raw"), out(*scratch / "out.h5", "a/raw");
  for (const std::string& name : storage::attribute_names(in.path.dataset))
    EXPECT_TRUE(out.has(out.path.dataset, name.c_str())) << name;
  for (const std::string& name : storage::attribute_names(in.group(1)))
    EXPECT_TRUE(out.has(out.group(1), name.c_str())) << name;
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "Count"), 240);
  EXPECT_TRUE(skipped.empty()) << ::testing::PrintToString(skipped);
  EXPECT_EQ(values_of(*scratch / "out.h5", "a/rawTime"),
            values_of(*scratch / "in.h5", "a/rawTime"));
}

TEST_F(Carry, an_end_that_does_not_fit_its_start_is_left_out) {
  on_first([&] {
    write_acquisition(*scratch / "in.h5");
    const Handle file(H5Fopen((*scratch / "in.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const Handle dataset(H5Dopen2(file, "a/raw", H5P_DEFAULT), H5Dclose);
    storage::write_attribute(dataset, "PartEndTime", std::string("1970-01-01T00:00:03"));
    // after the last point
    storage::write_attribute(dataset, "EndTime", std::string("1970-01-01T00:00:02"));
  });
  const auto skipped = write(spec("a/raw", {make_sampling(Extent::same, 40, 1, 0, 7), same(6)}));
  const Opened out(*scratch / "out.h5", "a/raw");
  EXPECT_FALSE(out.has(out.path.dataset, "PartEndTime"));
  EXPECT_EQ(storage::attribute_text(out.path.dataset, "EndTime"), "1970-01-01T00:00:02.1");
  EXPECT_EQ(tells(skipped, "attribute PartEndTime of /a/raw"), all.rank() == 0);
}

TEST_F(Carry, times_beside_that_are_not_even_end_at_the_edges) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    write_dataset(file, "raw", {40}, {}, index_of);
    write_dataset(file, "rawTime", {40}, {.file_type = H5T_STD_I64LE},
                  [](Index i) { return static_cast<double>(i * i); });
  });
  OutputSpec s = spec("raw", {make_sampling(Extent::valid, 40, 5, 2, 10)});
  s.dataset = "smooth";
  EXPECT_TRUE(write(s).empty());
  EXPECT_EQ(values_of(*scratch / "out.h5", "smoothTime"), (std::vector<double>{4, 144, 484, 1024}));
  all.barrier();
  const auto skipped = write(spec("raw", {make_sampling(Extent::full, 40, 5, 2, 1)}));
  const Opened out(*scratch / "out.h5", "raw");
  EXPECT_LE(H5Lexists(out.file, "rawTime", H5P_DEFAULT), 0);
  EXPECT_EQ(tells(skipped, "dataset /rawTime with the times of its points, which are not even"),
            all.rank() == 0);
}

TEST_F(Carry, times_in_ns_go_on_with_all_their_digits) {
  constexpr Index start = 1'714'521'600'123'456'789;
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    write_dataset(file, "raw", {40}, {}, index_of);
    const hsize_t count = 40;
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle times(
        H5Dcreate2(file, "rawTime", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    std::vector<Index> values(40);
    for (Index i = 0; i < 40; ++i) values[std::size_t(i)] = start + 333 * i;
    H5Dwrite(times, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  });
  write(spec("raw", {make_sampling(Extent::full, 40, 3, 1, 1)}));
  const Opened out(*scratch / "out.h5", "rawTime");
  std::vector<Index> values(42);
  H5Dread(out.path.dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  for (Index i = 0; i < 42; ++i) EXPECT_EQ(values[std::size_t(i)], start + 333 * (i - 1));
}

/// Writes a file like those of OptoDAS: 40 points of 0.01 s, with every 50th channel from 200 on.
void write_optodas(const std::string& name) {
  const Handle file = create_file(name);
  write_dataset(file, "data", {40, 6}, {}, index_of);
  const auto number = [&](const char* path, hid_t type, double value) {
    write_dataset(file, path, {1}, {.file_type = type}, [&](Index) { return value; });
  };
  number("header/dt", H5T_NATIVE_DOUBLE, 0.01);
  number("header/time", H5T_NATIVE_DOUBLE, 1000.5);
  number("header/dx", H5T_NATIVE_DOUBLE, 1.02);
  write_dataset(file, "header/channels", {6}, {.file_type = H5T_STD_I32LE},
                [](Index i) { return 200.0 + 50.0 * double(i); });
  write_dataset(file, "header/phiOffs", {400}, {}, index_of);
  write_dataset(file, "header/ofTimes", {40}, {}, index_of);
  write_dataset(file, "header/dimensionSizes", {2}, {.file_type = H5T_STD_I64LE},
                [](Index i) { return i == 0 ? 40.0 : 6.0; });
  const double ranges[2][4] = {{0, 39, 40, 0.01}, {200, 450, 6, 1.02}};
  const char* names[] = {"min", "max", "size", "unitScale"};
  for (int axis = 0; axis < 2; ++axis)
    for (int i = 0; i < 4; ++i)
      number(("header/dimensionRanges/dimension" + std::to_string(axis) + "/" + names[i]).c_str(),
             i == 3 ? H5T_NATIVE_DOUBLE : H5T_STD_I64LE, ranges[axis][i]);
  number("fileVersion", H5T_STD_I64LE, 8);
  write_dataset(file, "cableSpec/sensorDistances", {400}, {}, index_of);
  number("monitoring/temperature", H5T_NATIVE_DOUBLE, 30);
}

TEST_F(Carry, a_header_of_optodas_follows_the_points) {
  on_first([&] { write_optodas(*scratch / "in.h5"); });
  const auto skipped = write(spec("data", {make_sampling(Extent::valid, 40, 5, 2, 10),
                                           make_sampling(Extent::same, 6, 1, 0, 2)}));
  const std::string out = *scratch / "out.h5";
  const auto at = [&](const std::string& path) { return values_of(out, path); };
  EXPECT_NEAR(at("header/dt")[0], 0.1, 1e-15);
  EXPECT_NEAR(at("header/time")[0], 1000.52, 1e-9);
  EXPECT_EQ(at("header/dx"), std::vector<double>{1.02});
  EXPECT_EQ(at("header/channels"), (std::vector<double>{200, 300, 400}));
  EXPECT_EQ(at("header/phiOffs").size(), 400u);
  EXPECT_EQ(at("header/dimensionSizes"), (std::vector<double>{4, 3}));
  EXPECT_EQ(at("header/dimensionRanges/dimension0/min"), std::vector<double>{0});
  EXPECT_EQ(at("header/dimensionRanges/dimension0/max"), std::vector<double>{3});
  EXPECT_EQ(at("header/dimensionRanges/dimension0/size"), std::vector<double>{4});
  EXPECT_NEAR(at("header/dimensionRanges/dimension0/unitScale")[0], 0.1, 1e-15);
  EXPECT_EQ(at("header/dimensionRanges/dimension1/min"), std::vector<double>{200});
  EXPECT_EQ(at("header/dimensionRanges/dimension1/max"), std::vector<double>{400});
  EXPECT_EQ(at("header/dimensionRanges/dimension1/size"), std::vector<double>{3});
  EXPECT_EQ(at("header/dimensionRanges/dimension1/unitScale"), std::vector<double>{1.02});
  EXPECT_EQ(at("fileVersion"), std::vector<double>{8});
  EXPECT_EQ(at("cableSpec/sensorDistances").size(), 400u);
  const Opened opened(out, "data");
  EXPECT_FALSE(opened.has(opened.group(0), "OutputDataRate")) << "the header tells it";
  EXPECT_EQ(probe_dataset(out, "data").sampling_rate, (std::vector<double>{10, 0}));
  if (all.rank() == 0) {
    EXPECT_EQ(skipped,
              (std::vector<std::string>{"dataset /header/ofTimes, which describes other points",
                                        "in group /: monitoring"}));
  }
}

TEST_F(Carry, a_start_and_a_spacing_under_gwpys_names) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "s", {100}, {}, index_of);
    set_number(dataset, "dx", 0.25);
    set_number(dataset, "x0", 1000);
    set_number(dataset, "epoch", 1000);
  });
  write(spec("s", {make_sampling(Extent::valid, 100, 9, 4, 3)}));
  const Opened out(*scratch / "out.h5", "s");
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "dx"), 0.75);
  EXPECT_EQ(storage::attribute_number(out.path.dataset, "x0"), 1001);
  EXPECT_FALSE(out.has(out.path.dataset, "epoch"));
}

TEST_F(Carry, a_derivative_has_another_unit_than_its_input) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "g/z", {6}, {}, index_of);
    for (const char* name : {"units", "standard_name", "long_name", "Yunits", "source"})
      set_text(dataset, name, "K");
    set_text(Handle(H5Gopen2(file, "g", H5P_DEFAULT), H5Gclose), "RawDataUnit", "nm");
    add_scale(file, dataset, 0, "lat", {1, 2, 3, 4, 5, 6});
  });
  for (const bool is_derivative : {false, true}) {
    OutputSpec s = spec("g/z", {same(6)});
    s.is_derivative = is_derivative;
    const auto skipped = write(s);
    const Opened out(*scratch / "out.h5", "g/z");
    for (const char* name : {"units", "standard_name", "long_name", "Yunits"})
      EXPECT_EQ(out.has(out.path.dataset, name), !is_derivative) << name;
    EXPECT_EQ(out.has(out.group(1), "RawDataUnit"), !is_derivative);
    EXPECT_TRUE(out.has(out.path.dataset, "source"));
    const Handle lat(H5Dopen2(out.group(1), "lat", H5P_DEFAULT), H5Dclose);
    EXPECT_EQ(storage::attribute_text(lat, "units"), "degrees_north");
    EXPECT_EQ(tells(skipped, "attribute units of /g/z"), is_derivative && all.rank() == 0);
    EXPECT_EQ(skipped.size(), is_derivative && all.rank() == 0 ? 5u : 0u);
    all.barrier();
  }
}

/// Results may equal the number that marks missing points in the input.
TEST_F(Carry, no_fill_value_of_the_input_goes_into_an_output_without_missing_points) {
  on_first([&] {
    const Handle dataset = write_dataset(create_file(*scratch / "in.h5"), "z", {6},
                                         {.file_type = H5T_STD_I16LE}, index_of);
    set_number(dataset, "_FillValue", 5);
    set_number(dataset, "missing_value", 5);
    storage::write_attribute(dataset, "_Unsigned", std::string("true"));
  });
  const std::vector<std::string> skipped = write(spec("z", {same(6)}));
  const Opened out(*scratch / "out.h5", "z");
  for (const char* name : {"_FillValue", "missing_value", "_Unsigned"}) {
    EXPECT_FALSE(out.has(out.path.dataset, name)) << name;
    EXPECT_EQ(tells(skipped, std::string("attribute ") + name + " of /z"), all.rank() == 0);
  }
  all.barrier();
}

TEST_F(Carry, packing_is_carried_only_for_values_that_stay_packed) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "z", {6}, {.file_type = H5T_STD_I16LE}, index_of);
    set_number(dataset, "scale_factor", 0.5);
    set_number(dataset, "add_offset", 100);
  });
  for (const bool packed : {false, true}) {
    OutputSpec s = spec("z", {same(6)});
    s.packed_attributes = packed;
    const std::vector<std::string> skipped = write(s);
    if (all.rank() == 0) {
      EXPECT_EQ(skipped.size(), packed ? 0u : 2u);
    }
    const Opened out(*scratch / "out.h5", "z");
    EXPECT_EQ(out.has(out.path.dataset, "scale_factor"), packed);
    EXPECT_EQ(out.has(out.path.dataset, "add_offset"), packed);
    all.barrier();
  }
}

TEST_F(Carry, history_goes_on_in_the_root_where_the_output_lacks_the_groups_of_the_input) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    write_dataset(file, "g/z", {6}, {}, index_of);
    set_text(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose), "history", "born");
    set_text(Handle(H5Gopen2(file, "g", H5P_DEFAULT), H5Gclose), "history", "grown");
  });
  OutputSpec s = spec("g/z", {same(6)});
  s.dataset = "z";
  write(s);
  const Opened out(*scratch / "out.h5", "z");
  EXPECT_FALSE(out.has(out.path.dataset, "history"));
  EXPECT_EQ(storage::attribute_text(out.group(0), "history"), "made by a test\nborn");
}

std::vector<double> scale_values(const Opened& out, unsigned axis) {
  std::vector<double> values;
  const auto read = [](hid_t, unsigned, hid_t scale, void* data) -> herr_t {
    auto& list = *static_cast<std::vector<double>*>(data);
    const Handle space(H5Dget_space(scale), H5Sclose);
    list.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    return H5Dread(scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, list.data());
  };
  if (H5Aexists(out.path.dataset, "DIMENSION_LIST") > 0)
    H5DSiterate_scales(out.path.dataset, axis, nullptr, read, &values);
  return values;
}

TEST_F(Carry, units_of_a_derivative_are_per_unit_of_the_coordinate) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "z", {6, 8, 4}, {}, index_of);
    add_scale(file, dataset, 0, "down", {6, 5, 4, 3, 2, 1});
    add_scale(file, dataset, 1, "x", {0, .5, 1, 1.5, 2, 2.5, 3, 3.5});
    add_scale(file, dataset, 2, "time", {0, 1, 2, 3});
    const auto set_units = [&](const char* scale, const std::string& units) {
      storage::write_attribute(Handle(H5Dopen2(file, scale, H5P_DEFAULT), H5Dclose), "units",
                               units);
    };
    set_units("x", "m s-1");
    set_units("time", "hours since 2024-05-01");
    set_text(dataset, "units", "K");
    set_text(dataset, "standard_name", "air_temperature");
  });
  const struct {
    OutputDerivative derivative;
    const char* units;
  } cases[] = {
      {{.axis = 2, .order = 1, .step = 1}, "K hours-1"},
      {{.axis = 2, .order = 2, .step = 3600}, "K s-2"},
      {{.axis = 2, .order = 1, .step = 2}, ""},
      {{.axis = 1, .order = 1, .step = 0.5}, "K (m s-1)-1"},
      {{.axis = 1, .order = 1, .step = 1}, ""},
      {{.axis = 0, .order = 1, .step = 1}, ""},  // opposite to the direction of the coordinates
  };
  for (const auto& one : cases) {
    OutputSpec s = spec("z", {same(6), same(8), same(4)});
    s.is_derivative = true;
    s.derivative = one.derivative;
    const auto skipped = write(s);
    const Opened out(*scratch / "out.h5", "z");
    EXPECT_EQ(storage::attribute_text(out.path.dataset, "units"), one.units);
    EXPECT_FALSE(out.has(out.path.dataset, "standard_name"));
    EXPECT_EQ(tells(skipped, "attribute units of /z"), all.rank() == 0 && !*one.units);
    all.barrier();
  }
}

TEST_F(Carry, variables_that_the_output_does_not_hold_are_not_named) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "g/z", {6}, {}, index_of);
    write_dataset(file, "g/flags", {1}, {}, index_of);
    add_scale(file, dataset, 0, "g/lat", {1, 2, 3, 4, 5, 6});
    const Handle lat(H5Dopen2(file, "g/lat", H5P_DEFAULT), H5Dclose);
    set_text(lat, "formula_terms", "a: gone b: lat");
    set_text(dataset, "coordinates", "depth lat");
    set_text(dataset, "ancillary_variables", "flags");
    set_text(dataset, "grid_mapping", "crs: lat");
    set_text(dataset, "cell_measures", "area: lat");
    set_text(Handle(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose), "coordinates", "/g/lat nowhere");
  });
  const auto skipped = write(spec("g/z", {same(6)}));
  const Opened out(*scratch / "out.h5", "g/z");
  const Handle lat(H5Dopen2(out.group(1), "lat", H5P_DEFAULT), H5Dclose);
  EXPECT_EQ(storage::attribute_text(out.path.dataset, "coordinates"), "lat");
  EXPECT_EQ(storage::attribute_text(out.path.dataset, "cell_measures"), "area: lat");
  EXPECT_EQ(storage::attribute_text(out.group(0), "coordinates"), "/g/lat");
  EXPECT_FALSE(out.has(out.path.dataset, "ancillary_variables"));
  EXPECT_FALSE(out.has(out.path.dataset, "grid_mapping"));
  EXPECT_FALSE(out.has(lat, "formula_terms"));
  if (all.rank() == 0) {
    EXPECT_EQ(skipped.size(), 6u) << ::testing::PrintToString(skipped);
    EXPECT_TRUE(
        tells(skipped, "depth in attribute coordinates of /g/z, which the output does not"));
    EXPECT_TRUE(tells(skipped, "crs in attribute grid_mapping of /g/z"));
    EXPECT_TRUE(tells(skipped, "in group /g: flags"));
  }
}

TEST_F(Carry, terms_of_formulas_and_bounds_go_with_the_variables_that_name_them) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "z", {6, 4}, {}, index_of);
    add_scale(file, dataset, 0, "lat", {1, 2, 3, 4, 5, 6});
    add_scale(file, dataset, 1, "lon", {1, 2, 3, 4});
    set_text(dataset, "coordinates", "height depth");
    set_text(Handle(H5Dopen2(file, "lat", H5P_DEFAULT), H5Dclose), "formula_terms", "a: offset");
    write_dataset(file, "offset", {1}, {}, index_of);
    for (const auto& [name, points] : {std::pair{"height", hsize_t{6}}, {"depth", hsize_t{4}}}) {
      const Handle variable = write_dataset(file, name, {points}, {}, index_of);
      set_text(variable, "bounds", std::string(name) + "_bounds");
      write_dataset(file, std::string(name) + "_bounds", {points, 2}, {}, index_of);
    }
  });
  write(spec("z", {make_sampling(Extent::same, 6, 1, 0, 2), same(4)}));
  const Opened out(*scratch / "out.h5", "z");
  const auto opened = [&](const char* name) {
    return Handle(H5Dopen2(out.file, name, H5P_DEFAULT), H5Dclose);
  };
  EXPECT_EQ(storage::attribute_text(opened("lat"), "formula_terms"), "a: offset");
  EXPECT_TRUE(storage::has_link(out.file, "offset"));
  EXPECT_EQ(storage::attribute_text(opened("depth"), "bounds"), "depth_bounds");
  EXPECT_TRUE(storage::has_link(out.file, "depth_bounds"));
  EXPECT_FALSE(out.has(opened("height"), "bounds"));  // the points of its axis have changed
  EXPECT_FALSE(storage::has_link(out.file, "height_bounds"));
}

TEST_F(Carry, axes_that_nexus_names_go_with_the_signal) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    write_dataset(file, "e/data", {8, 6}, {}, index_of);
    write_dataset(file, "e/az", {8}, {}, index_of);
    const Handle group(H5Gopen2(file, "e", H5P_DEFAULT), H5Gclose);
    set_text(group, "NX_class", "NXdata");
    set_text(group, "signal", "data");
    set_text(group, "axes", "az:r");
  });
  write(spec("e/data", {make_sampling(Extent::same, 8, 1, 0, 2), same(6)}));
  const Opened out(*scratch / "out.h5", "e/data");
  const Handle az(H5Dopen2(out.file, "e/az", H5P_DEFAULT), H5Dclose);
  EXPECT_TRUE(storage::has_length(az, 4));
  EXPECT_EQ(storage::attribute_texts(out.group(1), "axes"), (std::vector<std::string>{"az", "."}));
}

/// Writes a grid of 6 x 8 points and the variables that its CF attributes name.
void write_grid(const std::string& name) {
  const Handle file = create_file(name);
  const Handle dataset = write_dataset(file, "g/z", {6, 8}, {}, index_of);
  add_scale(file, dataset, 0, "g/y", {1, 2, 4, 8, 16, 32});
  add_scale(file, dataset, 1, "g/x", {0, .5, 1, 1.5, 2, 2.5, 3, 3.5});
  const Handle y(H5Dopen2(file, "g/y", H5P_DEFAULT), H5Dclose),
      x(H5Dopen2(file, "g/x", H5P_DEFAULT), H5Dclose);
  const auto attach = [](hid_t variable, const std::vector<hid_t>& scales) {
    for (unsigned i = 0; i < scales.size(); ++i) H5DSattach_scale(variable, scales[i], i);
  };
  const Handle lon = write_dataset(file, "g/lon", {6, 8}, {}, index_of);
  attach(lon, {y, x});
  set_text(lon, "units", "degrees_east");
  set_number(lon, "actual_range", 1);
  const Handle turned = write_dataset(file, "g/turned", {8, 6}, {}, index_of);
  attach(turned, {x, y});
  const Handle corner = write_dataset(file, "g/corner", {2}, {}, index_of);
  H5DSset_scale(corner, "This is a netCDF dimension but not a netCDF variable.         2");
  const Handle bounds = write_dataset(file, "g/x_bounds", {8, 2}, {}, index_of);
  attach(bounds, {x, corner});
  set_text(x, "bounds", "x_bounds");
  const Handle level = write_dataset(file, "g/level", {6}, {}, index_of);
  attach(level, {y});
  write_dataset(file, "crs", {1}, {.file_type = H5T_STD_I32LE}, index_of);
  set_text(Handle(H5Dopen2(file, "crs", H5P_DEFAULT), H5Dclose), "grid_mapping_name", "mercator");
  set_text(dataset, "coordinates", "lon turned level");
  set_text(dataset, "grid_mapping", "crs");
}

TEST_F(Carry, variables_that_coordinates_and_grid_mapping_name_stand_at_the_points) {
  on_first([&] { write_grid(*scratch / "in.h5"); });
  const auto skipped = write(spec("g/z", {make_sampling(Extent::valid, 6, 3, 1, 2), same(8)}));
  const std::string out = *scratch / "out.h5";
  const Opened opened(out, "g/z"), lon(out, "g/lon");
  EXPECT_EQ(storage::attribute_text(opened.path.dataset, "coordinates"), "lon turned level");
  EXPECT_EQ(storage::attribute_text(opened.path.dataset, "grid_mapping"), "crs");
  std::vector<double> rows, columns;
  for (int i = 0; i < 16; ++i) rows.push_back(i < 8 ? 8 + i : 24 + i - 8);  // rows 1 and 3
  for (int i = 0; i < 8; ++i) columns.insert(columns.end(), {6. * i + 1, 6. * i + 3});
  EXPECT_EQ(values_of(out, "g/lon"), rows);
  EXPECT_EQ(values_of(out, "g/turned"), columns);
  EXPECT_EQ(values_of(out, "g/level"), (std::vector<double>{1, 3}));
  EXPECT_EQ(storage::attribute_text(lon.path.dataset, "units"), "degrees_east");
  EXPECT_FALSE(lon.has(lon.path.dataset, "actual_range"));
  EXPECT_EQ(scale_values(lon, 0), (std::vector<double>{2, 8}));
  EXPECT_EQ(scale_values(lon, 1).size(), 8u);
  const Opened crs(out, "g/crs");  // in the group of the dataset, where a search upwards finds it
  EXPECT_EQ(storage::attribute_text(crs.path.dataset, "grid_mapping_name"), "mercator");
  EXPECT_EQ(values_of(out, "g/x_bounds").size(), 16u) << "along the axis that keeps its points";
  EXPECT_GT(H5Lexists(opened.group(1), "corner", H5P_DEFAULT), 0);
  const Opened x(out, "g/x");
  EXPECT_EQ(storage::attribute_text(x.path.dataset, "bounds"), "x_bounds");
  if (all.rank() == 0) {
    const std::string why = ", which describes other points";
    EXPECT_EQ(skipped, (std::vector<std::string>{"attribute actual_range of /g/y" + why,
                                                 "attribute actual_range of /g/lon" + why}));
  }
}

TEST_F(Carry, bounds_and_variables_that_cannot_follow_are_told) {
  on_first([&] { write_grid(*scratch / "in.h5"); });
  const auto skipped = write(spec("g/z", {same(6), make_sampling(Extent::full, 8, 3, 1, 1)}));
  const std::string out = *scratch / "out.h5";
  const Opened opened(out, "g/z"), x(out, "g/x");
  EXPECT_EQ(storage::attribute_text(opened.path.dataset, "coordinates"), "level");
  EXPECT_FALSE(x.has(x.path.dataset, "bounds"));
  for (const char* name : {"lon", "turned", "x_bounds", "corner"})
    EXPECT_LE(H5Lexists(opened.group(1), name, H5P_DEFAULT), 0) << name;
  if (all.rank() == 0) {
    const std::string beyond = ", whose points beyond the edges are not known";
    EXPECT_TRUE(tells(skipped, "variable /g/lon" + beyond));
    EXPECT_TRUE(tells(skipped, "variable /g/turned" + beyond));
    EXPECT_TRUE(tells(skipped, "attribute bounds of /g/x, whose cells are others"));
    EXPECT_TRUE(tells(skipped, "lon turned in attribute coordinates of /g/z"));
    EXPECT_TRUE(tells(skipped, "in group /g: corner, x_bounds"));
    EXPECT_TRUE(tells(skipped, "attribute actual_range of /g/x, which describes other points"));
    EXPECT_EQ(skipped.size(), 6u) << ::testing::PrintToString(skipped);
  }
}

TEST_F(Carry, variables_without_dimensions_are_matched_by_their_length) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "z", {6, 6, 4}, {}, index_of);
    write_dataset(file, "height", {4}, {}, index_of);
    write_dataset(file, "which", {6}, {}, index_of);
    write_dataset(file, "other", {3}, {}, index_of);
    set_text(dataset, "coordinates", "height which other");
  });
  const auto skipped = write(spec("z", {same(6), make_sampling(Extent::same, 6, 1, 0, 3),
                                        make_sampling(Extent::same, 4, 1, 0, 2)}));
  const std::string out = *scratch / "out.h5";
  EXPECT_EQ(values_of(out, "height"), (std::vector<double>{0, 2}));
  EXPECT_EQ(values_of(out, "other"), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(tells(skipped, "variable /which, which may describe several axes"), all.rank() == 0);
}

TEST_F(Carry, dimension_scales_at_the_points_of_the_output) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "z", {6, 8}, {}, index_of);
    add_scale(file, dataset, 0, "lat", {1, 2, 4, 8, 16, 32});
    add_scale(file, dataset, 1, "lon", {0, .5, 1, 1.5, 2, 2.5, 3, 3.5});
    H5DSset_label(dataset, 1, "east");
  });
  write(spec("z",
             {make_sampling(Extent::valid, 6, 3, 1, 2), make_sampling(Extent::same, 8, 1, 0, 3)}));
  Opened out(*scratch / "out.h5", "z");
  EXPECT_EQ(scale_values(out, 0), (std::vector<double>{2, 8}));
  EXPECT_EQ(scale_values(out, 1), (std::vector<double>{0, 1.5, 3}));
  const Handle lat(H5Dopen2(out.file, "lat", H5P_DEFAULT), H5Dclose);
  EXPECT_GT(H5DSis_scale(lat), 0);
  EXPECT_EQ(storage::attribute_text(lat, "units"), "degrees_north");
  EXPECT_EQ(storage::attribute_text(lat, "NAME"), "lat");
  EXPECT_FALSE(out.has(lat, "actual_range"));
  char label[16]{};
  H5DSget_label(out.path.dataset, 1, label, sizeof label);
  EXPECT_STREQ(label, "east");
  all.barrier();
  // beyond the edges evenly spaced coordinates are continued; others are left out
  write(spec("z",
             {make_sampling(Extent::full, 6, 3, 1, 1), make_sampling(Extent::full, 8, 3, 1, 1)}));
  out = Opened(*scratch / "out.h5", "z");
  EXPECT_EQ(scale_values(out, 0), std::vector<double>(8, 0)) << "a dimension, no coordinates";
  EXPECT_EQ(scale_values(out, 1), (std::vector<double>{-.5, 0, .5, 1, 1.5, 2, 2.5, 3, 3.5, 4}));
  EXPECT_LE(H5Lexists(out.file, "lat", H5P_DEFAULT), 0);
}

TEST_F(Carry, dimensions_without_a_variable_may_be_unlimited) {
  constexpr const char* title = "This is a netCDF dimension but not a netCDF variable.";
  on_first([&] {  // netCDF leaves the extent of an unlimited dimension at 0
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "z", {6, 4}, {}, index_of);
    const hsize_t none = 0, most = H5S_UNLIMITED, chunk = 1024;
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(creation, 1, &chunk);
    const Handle space(H5Screate_simple(1, &none, &most), H5Sclose);
    const Handle time(
        H5Dcreate2(file, "t", H5T_IEEE_F32BE, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
    H5DSset_scale(time, (title + std::string("         0")).c_str());
    H5DSattach_scale(dataset, time, 0);
    add_scale(file, dataset, 1, "x", {1, 2, 3, 5});
  });
  const auto skipped = write(spec("z", {make_sampling(Extent::same, 6, 1, 0, 2), same(4)}));
  EXPECT_TRUE(skipped.empty()) << ::testing::PrintToString(skipped);
  const auto title_of = [](const Opened& out, const char* name) {
    const Handle scale(H5Dopen2(out.file, name, H5P_DEFAULT), H5Dclose);
    return storage::attribute_text(scale, "NAME");
  };
  const Opened out(*scratch / "out.h5", "z");
  EXPECT_EQ(title_of(out, "t"), title + std::string("         3"));
  EXPECT_EQ(scale_values(out, 1), (std::vector<double>{1, 2, 3, 5}));
  all.barrier();
  // an axis whose scale cannot be continued has no coordinates, but is still a dimension
  write(spec("z", {same(6), make_sampling(Extent::full, 4, 3, 1, 1)}));
  EXPECT_EQ(title_of(Opened(*scratch / "out.h5", "z"), "axis_1"),
            title + std::string("         6"));
}

TEST_F(Carry, a_dimension_scale_of_two_axes) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "z", {6, 6}, {}, index_of);
    add_scale(file, dataset, 0, "x", {1, 2, 3, 4, 5, 6});
    H5DSattach_scale(dataset, Handle(H5Dopen2(file, "x", H5P_DEFAULT), H5Dclose), 1);
  });
  write(spec("z", {same(6), same(6)}));
  Opened out(*scratch / "out.h5", "z");
  EXPECT_EQ(scale_values(out, 0), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(scale_values(out, 1), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_LE(H5Lexists(out.file, "x_1", H5P_DEFAULT), 0);  // both axes share one scale
  all.barrier();
  write(spec("z", {same(6), make_sampling(Extent::same, 6, 1, 0, 2)}));
  out = Opened(*scratch / "out.h5", "z");
  EXPECT_EQ(scale_values(out, 0), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(scale_values(out, 1), (std::vector<double>{1, 3, 5}));
  EXPECT_GT(H5Lexists(out.file, "x_1", H5P_DEFAULT), 0);
}

TEST_F(Carry, what_cannot_be_read_is_left_out_and_told) {
  on_first([&] {
    {
      const Handle file = create_file(*scratch / "in.h5");
      const Handle dataset = write_dataset(file, "z", {600}, {}, index_of);
      set_text(dataset, "units", "K");
      const Handle scale = write_dataset(
          file, "x", {600}, {.file_type = H5T_NATIVE_DOUBLE, .chunk = {600}, .gzip = 6}, index_of);
      H5DSset_scale(scale, "x");
      H5DSattach_scale(dataset, scale, 0);
    }
    std::string bytes = bytes_of(*scratch / "in.h5");
    const std::size_t at = bytes.find("\x78\x9c");  // the only compressed chunk
    ASSERT_NE(at, std::string::npos);
    for (std::size_t i = at + 2; i < at + 40; ++i) bytes[i] = char(~bytes[i]);
    write_bytes(*scratch / "in.h5", bytes);
  });
  OutputSpec s = spec("z", {same(600)});
  const Box mine = all.rank() == 0 ? make_box(s.form.shape()) : Box{};
  const OwnedBox<float> owned(s.form, mine, index_of);
  OutputFile output(all, s);
  output.write<float>(mine, owned.view);
  const std::vector<std::string> skipped = output.commit().skipped;
  if (all.rank() == 0) {
    EXPECT_EQ(skipped, std::vector<std::string>{"dimension scale /x"});
  }
  const Opened out(*scratch / "out.h5", "z");
  EXPECT_EQ(storage::attribute_text(out.path.dataset, "units"), "K");
  EXPECT_LE(H5Lexists(out.file, "x", H5P_DEFAULT), 0);
  EXPECT_TRUE(scale_values(out, 0).empty());
}

TEST_F(Carry, an_output_named_like_a_scale_wins) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "z", {6}, {}, index_of);
    add_scale(file, dataset, 0, "lat", {1, 2, 3, 4, 5, 6});
  });
  OutputSpec s = spec("z", {same(6)});
  s.dataset = "lat";
  write(s);
  EXPECT_EQ(values_of(s.file, "lat"), (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST_F(Carry, the_bytes_do_not_depend_on_when_they_were_written) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset = write_dataset(file, "g/z", {6, 8}, {}, index_of);
    add_scale(file, dataset, 0, "lat", {1, 2, 4, 8, 16, 32});
    set_text(dataset, "units", "K");
  });
  const OutputSpec s = spec("g/z", {same(6), same(8)});
  write(s);
  const std::string first = bytes_of(s.file);
  all.barrier();
  ::usleep(1'100'000);  // the resolution of file times is a second
  write(s);
  EXPECT_TRUE(bytes_of(s.file) == first);
}

TEST_F(Carry, python_sees_an_ordinary_file) {
  on_first([&] {
    const Handle file = create_file(*scratch / "in.h5");
    const Handle dataset =
        write_dataset(file, "g/z", {6, 8}, {.file_type = H5T_STD_I16LE}, index_of);
    set_text(dataset, "units", "K");
    add_scale(file, dataset, 0, "lat", {1, 2, 3, 4, 5, 6});
    add_scale(file, dataset, 1, "lon", {0, 1, 2, 3, 4, 5, 6, 7});
  });
  OutputSpec s = spec("g/z", {same(6), make_sampling(Extent::same, 8, 1, 0, 2)});
  s.missing_value = std::nan("");
  write(s);
  int status = 0;
  if (all.rank() == 0) {
    const int ended = std::system(("/usr/bin/python3 " H5PY_VIEW " " + s.file).c_str());
    status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 1;
  }
  status = static_cast<int>(all.maximum(Index{status}));
  if (status == 77 || status == 127) GTEST_SKIP() << "SKIPPED: /usr/bin/python3 has no h5py";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace stencil
