#include "io/hdf5/native_type.hpp"

#include <gtest/gtest.h>

#include "framework/grid/shape.hpp"

namespace stencil {
namespace {

using storage::element_type_of;
using storage::first_memory_type;
using storage::Handle;
using storage::is_standard_float;
using storage::native_type;
using storage::number_type;

/// Returns a type of integers of `bits` bits in `bytes` bytes.
Handle integer(hid_t like, std::size_t bits, std::size_t bytes) {
  Handle type(H5Tcopy(like), H5Tclose);
  H5Tset_precision(type, bits);
  H5Tset_size(type, bytes);
  return type;
}

/// Returns a floating-point type of 16 bits.
Handle half(std::size_t exponent_bits, std::size_t fraction_bits, std::size_t bias) {
  Handle type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  H5Tset_fields(type, 15, fraction_bits, exponent_bits, 0, fraction_bits);
  H5Tset_size(type, 2);
  H5Tset_ebias(type, bias);
  return type;
}

TEST(NativeType, EveryElementTypeIsItsOwn) {
  for (int number = 0; number <= static_cast<int>(ElementType::float64); ++number) {
    const auto type = static_cast<ElementType>(number);
    EXPECT_EQ(element_type_of(native_type(type)), type) << to_string(type);
    EXPECT_EQ(H5Tget_size(native_type(type)), size_of(type)) << to_string(type);
  }
}

TEST(NativeType, OtherByteOrdersAndWidthsGetATypeThatHoldsThem) {
  EXPECT_EQ(element_type_of(H5T_STD_I16BE), ElementType::int16);
  EXPECT_EQ(element_type_of(H5T_STD_U64BE), ElementType::uint64);
  EXPECT_EQ(element_type_of(H5T_IEEE_F64BE), ElementType::float64);
  EXPECT_EQ(element_type_of(integer(H5T_STD_I16LE, 12, 2)), ElementType::int16);
  EXPECT_EQ(element_type_of(integer(H5T_STD_I32LE, 24, 3)), ElementType::int32);
  EXPECT_EQ(element_type_of(integer(H5T_STD_U64LE, 40, 5)), ElementType::uint64);
  EXPECT_EQ(element_type_of(H5T_C_S1), std::nullopt);
}

/// Returns an enumeration of two members.
Handle enumeration(hid_t base, const char* zero, const char* one, Index value_of_one = 1) {
  Handle type(H5Tenum_create(base), H5Tclose);
  for (const auto& [name, value] : {std::pair(zero, Index{0}), std::pair(one, value_of_one)}) {
    Index number = value;
    H5Tconvert(H5T_NATIVE_INT64, base, 1, &number, nullptr, H5P_DEFAULT);
    H5Tenum_insert(type, name, &number);
  }
  return type;
}

TEST(NativeType, BooleansAndBitFieldsAreTheIntegersOfTheirBytes) {
  EXPECT_EQ(element_type_of(enumeration(H5T_STD_I8LE, "FALSE", "TRUE")), ElementType::int8);
  EXPECT_EQ(element_type_of(enumeration(H5T_STD_U16BE, "False", "True")), ElementType::uint16);
  EXPECT_TRUE(H5Tequal(number_type(enumeration(H5T_STD_U16BE, "false", "true")), H5T_STD_U16BE));
  EXPECT_EQ(element_type_of(enumeration(H5T_STD_I8LE, "OFF", "ON")), std::nullopt);
  EXPECT_EQ(element_type_of(enumeration(H5T_STD_I8LE, "FALSE", "TRUE", 2)), std::nullopt);
  EXPECT_EQ(element_type_of(H5T_STD_B8LE), ElementType::uint8);
  EXPECT_TRUE(H5Tequal(number_type(H5T_STD_B32BE), H5T_STD_U32BE));
  EXPECT_EQ(element_type_of(integer(H5T_STD_B16LE, 12, 2)), std::nullopt);
  EXPECT_TRUE(H5Tequal(number_type(H5T_STD_I16BE), H5T_STD_I16BE));
}

TEST(NativeType, FloatsAreThoseOfProcessorsToTheLastBit) {
  EXPECT_TRUE(is_standard_float(half(5, 10, 15))) << "binary16";
  EXPECT_TRUE(is_standard_float(half(8, 7, 127))) << "bfloat16";
  EXPECT_EQ(element_type_of(half(5, 10, 15)), ElementType::float16);
  EXPECT_EQ(element_type_of(half(8, 7, 127)), ElementType::bfloat16);
  EXPECT_TRUE(H5Tequal(half(5, 10, 15), native_type(ElementType::float16)));
  EXPECT_TRUE(H5Tequal(half(8, 7, 127), native_type(ElementType::bfloat16)));
  EXPECT_FALSE(is_standard_float(half(5, 10, 16))) << "another bias";
  EXPECT_FALSE(is_standard_float(half(6, 9, 31)));
  EXPECT_EQ(element_type_of(half(6, 9, 31)), std::nullopt);
  EXPECT_FALSE(is_standard_float(H5T_STD_I16LE));
}

TEST(NativeType, NarrowIntegersKeepTheirByteOrderUntilTheyAreWidened) {
  const Handle narrow = integer(H5T_STD_I16BE, 12, 2);
  EXPECT_EQ(H5Tget_order(first_memory_type(narrow, ElementType::int16)), H5T_ORDER_BE);
  EXPECT_TRUE(H5Tequal(first_memory_type(H5T_STD_I16BE, ElementType::int16), H5T_NATIVE_INT16));
}

}  // namespace
}  // namespace stencil
