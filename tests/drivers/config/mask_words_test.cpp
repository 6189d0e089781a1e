// Reading the value of `mask`: taps and names of files.
#include "drivers/config/mask_words.hpp"

#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using Reals = std::vector<double>;

TEST(MaskWords, TapsAreReadRowAfterRow) {
  const MaskWords mask = read_mask("1 2 1; 0,-1 .5");
  EXPECT_EQ(mask.text, "1 2 1; 0 -1 0.5");
  EXPECT_EQ(mask.rank, 2);
  EXPECT_EQ(mask.height, 2);
  EXPECT_EQ(mask.width, 3);
  EXPECT_EQ(mask.values, (Reals{1, 2, 1, 0, -1, 0.5}));
  EXPECT_EQ(mask.family, nullptr);
  EXPECT_FALSE(mask.location);
}

TEST(MaskWords, ASemicolonAtTheEndMakesTwoAxes) {
  for (const std::string text : {"1 2 1;", "1 2 1 ; "}) {
    const MaskWords mask = read_mask(text);
    EXPECT_EQ(mask.rank, 2) << text;
    EXPECT_EQ(mask.height, 1) << text;
    EXPECT_EQ(mask.text, "1 2 1;") << "read again it must mean the same";
  }
  EXPECT_EQ(read_mask("1 2 1").rank, 1);
  EXPECT_THROW(read_mask(";"), BadValue);
  EXPECT_THROW(read_mask("1;;"), BadValue);
  EXPECT_THROW(read_mask(""), BadValue);
}

TEST(MaskWords, ABarDividesPlanes) {
  const MaskWords mask = read_mask("1 2; 3 4 | 5 6 ; 7 8;|9 10; 11 12 |");
  EXPECT_EQ(mask.rank, 3);
  EXPECT_EQ(mask.depth, 3);
  EXPECT_EQ(mask.height, 2);
  EXPECT_EQ(mask.width, 2);
  EXPECT_EQ(mask.values.size(), 12u);
  EXPECT_EQ(mask.text, "1 2; 3 4 | 5 6; 7 8 | 9 10; 11 12");
  EXPECT_EQ(read_mask(mask.text).text, mask.text);
  const MaskWords one = read_mask("1 2 |");
  EXPECT_EQ(one.rank, 3);
  EXPECT_EQ(one.depth, 1);
  EXPECT_EQ(one.text, "1 2 |");
  EXPECT_THROW(read_mask("1 2 | 3 4; 5 6"), BadValue);
  EXPECT_THROW(read_mask("1 2 | 3"), BadValue);
  EXPECT_THROW(read_mask("1 | | 2"), BadValue);
}

TEST(MaskWords, TheLastColonDividesFileAndDataset) {
  for (const auto& [text, file, dataset] :
       {std::array{"m.h5:/psf", "m.h5", "/psf"}, std::array{"q:/z.h5:/s", "q:/z.h5", "/s"},
        std::array{"a b/m.h5:/x/y", "a b/m.h5", "/x/y"}}) {
    const MaskLocation at = mask_location(text);
    EXPECT_EQ(at.file, file);
    EXPECT_EQ(at.dataset, dataset);
    EXPECT_EQ(read_mask(text).location.file, file);
    EXPECT_EQ(read_mask(text).text, text);
  }
  for (const std::string text : {"1 2 1", "gaussian", "m.h5", ":/psf"})
    EXPECT_FALSE(mask_location(text)) << text;
  EXPECT_THROW(read_mask(":/psf"), BadValue);
}

}  // namespace
}  // namespace stencil
