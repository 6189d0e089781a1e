#include "io/hdf5/element_type.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(ElementType, NamesAndSizesAreThoseOfNumpy) {
  const std::pair<const char*, std::size_t> known[]{
      {"int8", 1},  {"uint8", 1},  {"int16", 2},   {"uint16", 2},   {"int32", 4},   {"uint32", 4},
      {"int64", 8}, {"uint64", 8}, {"float16", 2}, {"bfloat16", 2}, {"float32", 4}, {"float64", 8}};
  int number = 0;
  for (const auto& [name, size] : known) {
    const auto type = static_cast<ElementType>(number++);
    EXPECT_EQ(to_string(type), name);
    EXPECT_EQ(size_of(type), size) << name;
    EXPECT_EQ(is_floating(type), std::string(name).find("float") != std::string::npos) << name;
  }
  EXPECT_EQ(number - 1, static_cast<int>(ElementType::float64)) << "these are all";
}

}  // namespace
}  // namespace stencil
