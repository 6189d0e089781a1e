#include "io/hdf5/packed_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/hdf5/attributes.hpp"
#include "tests/io/scratch.hpp"

namespace stencil::storage {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>(i);
}

TEST(PackedNumbers, are_what_the_attributes_say) {
  const Scratch scratch;
  const Handle file = create_file(scratch / "a.h5");
  const Handle data = write_dataset(file, "d", {3}, {.file_type = H5T_STD_I16LE}, number);
  EXPECT_FALSE(packed_numbers_of(data).is_packed || packed_numbers_of(data).has_other_sign);
  set_number(data, "scale_factor", 0.25);
  EXPECT_EQ(packed_numbers_of(data).scale_factor, 0.25);
  EXPECT_EQ(packed_numbers_of(data).add_offset, 0);
  write_attribute(data, "add_offset", std::string("-40.5"));  // some writers store text
  EXPECT_EQ(packed_numbers_of(data).add_offset, -40.5);
  EXPECT_TRUE(packed_numbers_of(data).is_packed && packed_numbers_of(data).is_sound());
  write_attribute(data, "scale_factor", std::string("half"));
  EXPECT_FALSE(packed_numbers_of(data).is_sound());
  write_attribute(data, "scale_factor", 0.0);
  EXPECT_FALSE(packed_numbers_of(data).is_sound());
}

TEST(PackedNumbers, have_another_sign_where_unsigned_says_so) {
  const Scratch scratch;
  const Handle file = create_file(scratch / "a.h5");
  const auto has_other_sign = [&](const std::string& name, hid_t type, const std::string& word) {
    const Handle data = write_dataset(file, name, {3}, {.file_type = type}, number);
    write_attribute(data, "_Unsigned", word);
    return packed_numbers_of(data).has_other_sign;
  };
  EXPECT_TRUE(has_other_sign("a", H5T_STD_I16BE, "true"));
  EXPECT_TRUE(has_other_sign("b", H5T_STD_I8LE, "TRUE"));
  EXPECT_TRUE(has_other_sign("c", H5T_STD_U8LE, "False"));
  EXPECT_FALSE(has_other_sign("d", H5T_STD_U8LE, "true"));
  EXPECT_FALSE(has_other_sign("e", H5T_STD_I32LE, "false"));
  EXPECT_FALSE(has_other_sign("f", H5T_STD_I32LE, "yes"));
  EXPECT_FALSE(has_other_sign("g", H5T_IEEE_F32LE, "true"));
}

TEST(PackedNumbers, unpack_to_values) {
  const Scratch scratch;
  const Handle file = create_file(scratch / "a.h5");
  const Handle shorts = create_dataset(file, "s", {3}, {.file_type = H5T_STD_I16LE});
  std::vector<double> numbers{-1, 0, 32767};
  unpack(shorts, {.is_packed = true, .scale_factor = 0.5, .add_offset = 3, .has_other_sign = true},
         numbers);
  EXPECT_EQ(numbers, (std::vector<double>{65535 * 0.5 + 3, 3, 32767 * 0.5 + 3}));
  const Handle bytes = create_dataset(file, "b", {3}, {.file_type = H5T_STD_U8LE});
  numbers = {255, 128, 127};
  unpack(bytes, {.has_other_sign = true}, numbers);
  EXPECT_EQ(numbers, (std::vector<double>{-1, -128, 127}));
}

TEST(PackedNumbers, values_of_attributes_change_their_sign_with_the_numbers) {
  const auto in = [](const ElementValue& value) {
    return number_in(value, ElementType::int16, ElementType::uint16);
  };
  EXPECT_EQ(in(-1), ElementValue(65535));
  EXPECT_EQ(in(65535), ElementValue(65535)) << "written in the unsigned type";
  EXPECT_EQ(in(7), ElementValue(7));
  EXPECT_EQ(in(1e9), ElementValue(1e9)) << "which no number of either type is";
  EXPECT_EQ(number_in(255, ElementType::uint8, ElementType::int8), ElementValue(-1));
  EXPECT_EQ(number_in(255, ElementType::uint8, ElementType::uint8), ElementValue(255));
}

}  // namespace
}  // namespace stencil::storage
