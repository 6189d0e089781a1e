#include "io/hdf5/complex_type.hpp"

#include <gtest/gtest.h>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/native_type.hpp"

namespace stencil {
namespace {

using storage::complex_output_type;
using storage::complex_type_of;
using storage::Handle;

Handle pair_of(const char* first, hid_t first_type, const char* second, hid_t second_type,
               std::size_t first_offset = 0, std::size_t second_offset = 0, std::size_t bytes = 0) {
  const std::size_t size = H5Tget_size(first_type);
  if (second_offset == 0 && first_offset == 0) second_offset = size;
  Handle type(H5Tcreate(H5T_COMPOUND, bytes > 0 ? bytes : size + H5Tget_size(second_type)),
              H5Tclose);
  H5Tinsert(type, first, first_offset, first_type);
  H5Tinsert(type, second, second_offset, second_type);
  return type;
}

TEST(ComplexType, IsAPairOfTheSameFloatingPointType) {
  const auto found = complex_type_of(pair_of("r", H5T_IEEE_F32LE, "i", H5T_IEEE_F32LE));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->part, ElementType::float32);
  EXPECT_EQ(found->real + found->imaginary, "ri");
  EXPECT_TRUE(found->is_dense);
  const auto big = complex_type_of(pair_of("re", H5T_IEEE_F64BE, "im", H5T_IEEE_F64BE));
  ASSERT_TRUE(big);
  EXPECT_EQ(big->part, ElementType::float64);
  EXPECT_GT(H5Tequal(big->stored_part, H5T_IEEE_F64BE), 0);
  EXPECT_FALSE(complex_type_of(pair_of("r", H5T_IEEE_F32LE, "i", H5T_IEEE_F64LE)));
  EXPECT_FALSE(complex_type_of(pair_of("r", H5T_IEEE_F32LE, "i", H5T_IEEE_F32BE)));
  EXPECT_FALSE(complex_type_of(pair_of("r", H5T_STD_I32LE, "i", H5T_STD_I32LE)));
  EXPECT_FALSE(complex_type_of(H5T_IEEE_F32LE));
  Handle three(H5Tcreate(H5T_COMPOUND, 12), H5Tclose);
  for (const auto& [name, at] : {std::pair("r", 0), {"i", 4}, {"w", 8}})
    H5Tinsert(three, name, static_cast<std::size_t>(at), H5T_IEEE_F32LE);
  EXPECT_FALSE(complex_type_of(three));
}

TEST(ComplexType, NamesAndPlacesTellThePartsApart) {
  const auto turned = complex_type_of(pair_of("Imag", H5T_IEEE_F32LE, "Real", H5T_IEEE_F32LE));
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->real, "Real");
  EXPECT_EQ(turned->imaginary, "Imag");
  EXPECT_FALSE(turned->is_dense);
  const auto apart = complex_type_of(pair_of("r", H5T_IEEE_F32LE, "i", H5T_IEEE_F32LE, 4, 12, 16));
  ASSERT_TRUE(apart);
  EXPECT_FALSE(apart->is_dense);
  const auto others = complex_type_of(pair_of("x", H5T_IEEE_F32LE, "y", H5T_IEEE_F32LE));
  ASSERT_TRUE(others);
  EXPECT_EQ(others->real + others->imaginary, "xy");
}

TEST(ComplexType, OnlyUsualNamesTurnTheOrder) {
  EXPECT_EQ(complex_type_of(pair_of("Imag", H5T_IEEE_F32LE, "REAL", H5T_IEEE_F32LE))->real, "REAL");
  EXPECT_EQ(complex_type_of(pair_of("intensity", H5T_IEEE_F32LE, "range", H5T_IEEE_F32LE))->real,
            "intensity");
  EXPECT_TRUE(storage::are_names_of_parts("r", "i"));
  EXPECT_FALSE(storage::are_names_of_parts("x", "weight"));
}

TEST(ComplexType, MemoryHoldsBothPartsOrOne) {
  const auto type = complex_type_of(pair_of("i", H5T_IEEE_F64BE, "r", H5T_IEEE_F64BE));
  ASSERT_TRUE(type);
  const Handle both = memory_type(*type, -1), imaginary = memory_type(*type, 1);
  EXPECT_EQ(H5Tget_size(both), 16u);
  EXPECT_EQ(H5Tget_member_offset(both, static_cast<unsigned>(H5Tget_member_index(both, "r"))), 0u);
  EXPECT_EQ(H5Tget_size(imaginary), 8u);
  EXPECT_EQ(H5Tget_nmembers(imaginary), 1);
  EXPECT_GE(H5Tget_member_index(imaginary, "i"), 0);
}

TEST(ComplexType, OutputsAreOneThatIsRead) {
  for (const ElementType part : {ElementType::float32, ElementType::float64}) {
    const auto type = complex_type_of(complex_output_type(part));
    ASSERT_TRUE(type);
    EXPECT_EQ(type->part, part);
    EXPECT_TRUE(type->is_dense);
    EXPECT_EQ(type->real + type->imaginary, "ri");
  }
}

TEST(ComplexFacts, HaveAnAxisOfParts) {
  DatasetFacts facts;
  facts.dims = {4, 6};
  facts.chunk = {2, 3};
  EXPECT_EQ(with_parts(facts).dims, facts.dims);
  facts.part_names = {"r", "i"};
  facts.mappings.push_back({0, {0, 0}, {4, 6}, {1, 0}, {4, 6}});
  facts.source_datasets = {facts};
  const DatasetFacts numbers = with_parts(facts_from(serialize(facts)));
  EXPECT_EQ(numbers.dims, (std::vector<Index>{4, 6, 2}));
  EXPECT_EQ(numbers.chunk, (std::vector<Index>{2, 3, 2}));
  EXPECT_EQ(numbers.mappings[0].source_start, (std::vector<Index>{1, 0, 0}));
  EXPECT_EQ(numbers.mappings[0].count, (std::vector<Index>{4, 6, 2}));
  EXPECT_EQ(numbers.source_datasets[0].dims, (std::vector<Index>{4, 6, 2}));
  EXPECT_EQ(facts.point_bytes(), 8);
  EXPECT_EQ(type_name(facts), "complex64");
}

}  // namespace
}  // namespace stencil
