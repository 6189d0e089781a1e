#include "io/write/output/write_speed.hpp"

#include <gtest/gtest.h>

#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

TEST(WriteSpeed, is_measured_and_leaves_nothing) {
  const Scratch scratch;
  for (const Index bytes : {Index{1}, Index{40} << 20}) {
    const WriteSpeed speed = measure_writing(scratch / "out.h5", bytes, 0.05);
    EXPECT_GT(speed.write, 1e4);  // less than any disk
    EXPECT_GT(speed.read_back, 1e4);
    EXPECT_TRUE(scratch.names().empty());
  }
}

TEST(WriteSpeed, a_folder_that_is_not_there_is_an_error) {
  const Scratch scratch;
  const Thrown thrown = thrown_by([&] { measure_writing(scratch / "no/out.h5", 1, 0.05); });
  EXPECT_EQ(thrown.status, Status::storage);
}

}  // namespace
}  // namespace stencil
