#include "drivers/job/job_inputs.hpp"

#include <cmath>

#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

TEST(JobInputs, TravelWithAnyBytesAndDamageIsFound) {
  JobInputs inputs;
  inputs.words.line = read_command_line({"3:\"a.ini", "--input.axis=-1", "--input.file=\xc3\xbc ;",
                                         "--report=r.json", "--progress=none"});
  inputs.words.text = test::rich + "; 7:\n";
  inputs.stretches.resize(2);
  inputs.stretches[1].file = "m\xff";
  inputs.stretches[1].dims = {3, 4};
  inputs.masks["q:/z.h5:/s"] = {{1, 3}, {1, NAN, -INFINITY}};
  inputs.masks["m.h5:/psf"] = {{2}, {0.1, 1e300}};
  inputs.contents = {0, 0xffff'ffff'ffff'ffff};
  const std::string bytes = serialize(inputs);
  const JobInputs copy = job_inputs_from(bytes);
  EXPECT_EQ(copy.words.line.file, inputs.words.line.file);
  EXPECT_EQ(copy.words.text, inputs.words.text);
  EXPECT_EQ(copy.config.input.axis, -1);
  EXPECT_EQ(copy.config.input.file, "\xc3\xbc ;");
  EXPECT_EQ(copy.config.report, "r.json");
  EXPECT_EQ(copy.config.progress, ProgressStyle::none);
  EXPECT_FALSE(copy.config.check);
  EXPECT_EQ(copy.config.canonical, parse_config(inputs.words).canonical);
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
  inputs.words.line.check = true;
  EXPECT_TRUE(job_inputs_from(serialize(inputs)).config.check);
  EXPECT_ANY_THROW(job_inputs_from(bytes.substr(0, bytes.size() - 1)));
  EXPECT_ANY_THROW(job_inputs_from(""));
}

}  // namespace
}  // namespace stencil
