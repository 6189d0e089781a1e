// Real files of instruments and models are read and written again.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "framework/grid/decomposition.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/probe.hpp"
#include "io/read/input_dataset.hpp"
#include "io/read/missing_points.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/output_spec.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

class RealData : public ::testing::Test {
 protected:
  Communicator all{MPI_COMM_WORLD};
  std::unique_ptr<Scratch> scratch = shared_scratch(all);
  void SetUp() override {
    if (!std::filesystem::is_directory(folder()))
      GTEST_SKIP() << "SKIPPED: the real data are not at " << folder()
                   << "; set STENCIL_DATA to their folder";
  }
  void TearDown() override { all.barrier(); }
  /// Returns the folder of public files, as in tests/scipy/real_data.py.
  static std::string folder() {
    const char* const named = std::getenv("STENCIL_DATA");
    return named != nullptr ? named : DATA_BESIDE;
  }
  static DatasetFacts facts_of(const std::string& file, const std::string& dataset) {
    return probe_dataset(folder() + "/" + file, dataset);
  }
  /// Reads all points as double; `missing` is set to the number of missing values.
  static std::vector<double> all_of(const DatasetFacts& facts, Index* missing = nullptr) {
    const NormalForm form(facts.dims, {});
    std::vector<double> values(static_cast<std::size_t>(points(form.shape())));
    const Index found = InputDataset(facts).read(
        form, make_box(form.shape()), view_of(values.data(), form.shape()),
        MissingPoints{.values = facts.missing_values, .replacement = std::nan("")});
    if (missing) *missing = found;
    return values;
  }
};

TEST_F(RealData, gravitational_wave_strain) {
  const DatasetFacts facts = facts_of("ligo_H1_GW150914_4kHz_32s.hdf5", "/strain/Strain");
  EXPECT_EQ(facts.dims, std::vector<Index>{131072});
  EXPECT_EQ(facts.type, ElementType::float64);
  EXPECT_EQ(facts.filters, "fletcher32+gzip");
  EXPECT_EQ(facts.chunk, std::vector<Index>{2048});
  EXPECT_EQ(facts.sampling_rate, std::vector<double>{4096});
  double largest = 0;
  for (const double value : all_of(facts)) largest = std::max(largest, std::abs(value));
  EXPECT_GT(largest, 1e-20);
  EXPECT_LT(largest, 1e-17);
}

TEST_F(RealData, acoustic_sensing_with_brackets_in_its_path) {
  const DatasetFacts facts = facts_of("das_prodml20_int16.h5", "/Acquisition/Raw[0]/RawData");
  EXPECT_EQ(facts.dims, (std::vector<Index>{2500, 512}));
  EXPECT_EQ(facts.type, ElementType::int16);
  EXPECT_EQ(facts.sampling_rate, (std::vector<double>{200, 0}));
  const DatasetFacts other = facts_of("das_optodas_f32.hdf5", "data");
  EXPECT_EQ(other.layout, "contiguous");
  EXPECT_GT(other.data_offset, 0);
  EXPECT_GT(other.sampling_rate[0], 1);
  EXPECT_EQ(other.sampling_source[0], "dataset /header/dt");
}

TEST_F(RealData, missing_points_of_both_kinds) {
  Index missing = 0;
  const DatasetFacts sst = facts_of("sst_global_f32_nan.nc", "z");
  EXPECT_EQ(sst.filters, "shuffle+gzip");
  all_of(sst, &missing);
  EXPECT_NEAR(double(missing) / (1080.0 * 2160.0), 0.396, 0.0005);
  const DatasetFacts bed = facts_of("bedmap_elevation_int16.nc", "z");
  EXPECT_EQ(bed.missing_values, std::vector<ElementValue>{-32768});
  double low = 0, high = 0;
  for (const double value : all_of(bed, &missing)) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  EXPECT_NEAR(double(missing) / (1333.0 * 1333.0), 0.214, 0.0005);
  EXPECT_EQ(low, -6887);  // as in the file's attribute actual_range
  EXPECT_EQ(high, 4364);
}

TEST_F(RealData, a_stack_of_grids_with_its_coordinates) {
  const DatasetFacts facts = facts_of("airtemp_A1B_3d_f32.nc", "air_temperature");
  EXPECT_EQ(facts.dims, (std::vector<Index>{240, 37, 49}));
  EXPECT_EQ(facts.chunk, (std::vector<Index>{1, 37, 49}));
  for (const double value : all_of(facts)) {
    ASSERT_GT(value, 150);
    ASSERT_LT(value, 350);
  }
}

/// Copies each file's dataset with every third point of its last axis, and with all metadata.
TEST_F(RealData, is_written_again) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"ligo_H1_GW150914_4kHz_32s.hdf5", "/strain/Strain"},
      {"das_prodml20_int16.h5", "/Acquisition/Raw[0]/RawData"},
      {"das_optodas_f32.hdf5", "/data"},
      {"sst_global_f32_nan.nc", "/z"},
      {"bedmap_elevation_int16.nc", "/z"},
      {"airtemp_A1B_3d_f32.nc", "/air_temperature"}};
  for (const auto& [file, dataset] : files) {
    SCOPED_TRACE(file);
    OutputSpec spec;
    spec.input = facts_of(file, dataset);
    const std::vector<double> values = all_of(spec.input);
    std::vector<Index> dims = spec.input.dims;
    for (const Index n : dims) spec.sampling.push_back(make_sampling(Extent::same, n, 1, 0, 1));
    const Index columns = dims.back();
    spec.sampling.back() = make_sampling(Extent::same, columns, 1, 0, 3);
    dims.back() = spec.sampling.back().count;
    spec.file = *scratch / file;
    spec.dataset = dataset;
    spec.form = NormalForm(dims, {static_cast<int>(dims.size()) - 1});
    spec.type = ElementType::float64;
    spec.missing_value = std::nan("");
    const auto value = [&](Index i) {
      return values[std::size_t(i / dims.back() * columns + i % dims.back() * 3)];
    };
    const int cut = dims.size() == 1 ? x_axis : y_axis;
    Point grid{1, 1, 1};
    grid[std::size_t(cut)] = all.size();
    const Box mine = Decomposition(spec.form.shape(), grid).owned(all.rank());
    const OwnedBox<double> owned(spec.form, mine, value);
    OutputFile output(all, spec);
    output.write<double>(mine, owned.view);
    output.commit();
    const std::vector<double> written = values_of(spec.file, dataset);
    Index wrong = 0;
    for (std::size_t i = 0; i < written.size(); ++i) {
      const double wanted = value(Index(i));
      wrong += std::isnan(wanted) ? !std::isnan(written[i]) : written[i] != wanted;
    }
    EXPECT_EQ(wrong, 0);
    const DatasetFacts facts = probe_dataset(spec.file, dataset);
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      EXPECT_NEAR(facts.sampling_rate[axis],
                  spec.input.sampling_rate[axis] / double(spec.sampling[axis].stride),
                  1e-9 * spec.input.sampling_rate[axis])
          << axis;
    all.barrier();
  }
}

}  // namespace
}  // namespace stencil
