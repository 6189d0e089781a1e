#include "drivers/config/known_elsewhere.hpp"

#include <gtest/gtest.h>

#include "drivers/config/mask_words.hpp"
#include "drivers/config/values.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

bool says(const std::string& name, const std::string& part) {
  return advice_for(name).find(part) != std::string::npos;
}

TEST(KnownElsewhere, FiltersThatNoMaskIsHaveAnAnswer) {
  for (const char* name : {"butter", "cheby1", "sosfiltfilt", "filtfilt", "lfilter"})
    EXPECT_TRUE(says(name, "recursive") && says(name, "mask = lowpass")) << name;
  for (const char* name :
       {"median", "medfilt", "tophat", "white_tophat", "opening", "closing", "erosion", "dilation",
        "maximum", "minimum", "percentile", "rank", "bilateral"})
    EXPECT_TRUE(says(name, "a stencil is a weighted sum") && says(name, "scipy.ndimage")) << name;
  EXPECT_TRUE(says("hilbert", "mask = file.h5:/dataset"));
  EXPECT_TRUE(says("detrend", "highpass"));
  EXPECT_TRUE(says("resample", "stride = n"));
}

TEST(KnownElsewhere, OtherNamesOfOurMasksLeadToThem) {
  EXPECT_TRUE(says("mean", "mask = box"));
  EXPECT_TRUE(says("savitzky_golay", "mask = savgol"));
  EXPECT_TRUE(says("uniform_filter1d", "mask = box"));
  EXPECT_EQ(advice_for("gaussian_filter"), "no such family: write mask = gaussian");
  EXPECT_EQ(advice_for("Gaussian"), "no such family: write mask = gaussian");
}

TEST(KnownElsewhere, EndingsCapitalsAndDashesDoNotMatter) {
  EXPECT_EQ(advice_for("Maximum_Filter1d"), advice_for("maximum"));
  EXPECT_EQ(advice_for("top-hat"), advice_for("top_hat"));
  EXPECT_EQ(advice_for("filter"), "");
}

TEST(KnownElsewhere, MasksOfOursAndUnknownNamesHaveNone) {
  for (const Family& family : all_families()) EXPECT_EQ(advice_for(family.name), "") << family.name;
  EXPECT_EQ(advice_for("cubic"), "");
  EXPECT_THROW(read_mask("butter"), BadValue);
}

}  // namespace
}  // namespace stencil
