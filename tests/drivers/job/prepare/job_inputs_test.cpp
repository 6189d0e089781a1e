#include "drivers/job/prepare/job_inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stencil {
namespace {

TEST(JobInputs, FactsTravelWithAnyBytesAndDamageIsFound) {
  JobInputs inputs;
  inputs.stretches.resize(2);
  inputs.stretches[1].file = "m\xff";
  inputs.stretches[1].dims = {3, 4};
  inputs.masks["q:/z.h5:/s"] = {{1, 3}, {1, NAN, -INFINITY}};
  inputs.masks["m.h5:/psf"] = {{2}, {0.1, 1e300}};
  inputs.contents = {0, 0xffff'ffff'ffff'ffff};
  const std::string bytes = serialize(inputs);
  JobInputs copy;
  copy.config.report = "r.json";
  copy.stretches.resize(5);  // the stretches and this mask are left from an earlier run
  copy.masks["old.h5:/m"] = {{1}, {1}};
  take_facts(bytes, copy);
  EXPECT_EQ(copy.config.report, "r.json") << "the configuration stays";
  ASSERT_EQ(copy.stretches.size(), 2u);
  EXPECT_EQ(copy.stretches[1].file, inputs.stretches[1].file);
  EXPECT_EQ(copy.stretches[1].dims, inputs.stretches[1].dims);
  EXPECT_EQ(copy.contents, inputs.contents);
  ASSERT_EQ(copy.masks.size(), 2u);
  const SmallArray& odd = copy.masks.at("q:/z.h5:/s");
  EXPECT_EQ(odd.dims, (std::vector<Index>{1, 3}));
  ASSERT_EQ(odd.values.size(), 3u);
  EXPECT_TRUE(std::isnan(odd.values[1]));
  EXPECT_EQ(odd.values[2], -INFINITY);
  EXPECT_EQ(copy.masks.at("m.h5:/psf").values, (std::vector<double>{0.1, 1e300}));
  EXPECT_ANY_THROW(take_facts(bytes.substr(0, bytes.size() - 1), copy));
  EXPECT_ANY_THROW(take_facts("", copy));
}

}  // namespace
}  // namespace stencil
