#include "kernels/families/window.hpp"

#include <gtest/gtest.h>

#include <map>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

// scipy.signal.get_window(name, 6, fftbins=False) of SciPy 1.10.1, first half.
const std::map<std::string, std::vector<double>> scipy_windows{
    {"boxcar", {1, 1, 1}},
    {"hann", {0, 0.3454915028125263, 0.9045084971874737}},
    {"flattop", {-0.0004210510000000013, -0.06771425207621196, 0.606872152576212}},
    {"bartlett", {0, 0.4, 0.8}},
    {"cosine", {0.2588190451025208, 0.7071067811865476, 0.9659258262890684}},
    {"nuttall", {0.0003628000000000381, 0.11051525304987177, 0.7982580969501283}},
    {"blackmanharris", {6.0000000000001025e-05, 0.10301148934566376, 0.7938335106543364}},
    {"kaiser:5", {0.036710892271286676, 0.4149036392433668, 0.9138124838692001}},
    {"gaussian:1.5", {0.24935220877729625, 0.6065306597126334, 0.9459594689067654}}};

TEST(Window, EqualsScipy) {
  for (const auto& [name, half] : scipy_windows) {
    const std::vector<double> window = window_samples(name, 6);
    ASSERT_EQ(window.size(), 6u);
    for (int n = 0; n < 3; ++n) {
      EXPECT_NEAR(window[n], half[n], 1e-15) << name << " " << n;
      EXPECT_NEAR(window[5 - n], half[n], 1e-15) << name << " " << 5 - n;
    }
  }
}

TEST(Window, OnePointIsOne) {
  for (const char* name : {"boxcar", "hamming", "hann", "blackman", "bartlett", "cosine", "flattop",
                           "kaiser:14", "gaussian:2"}) {
    EXPECT_EQ(window_samples(name, 1), std::vector<double>{1}) << name;
  }
}

TEST(Window, RefusesUnknownNamesAndParameters) {
  for (const char* name : {"", "Hann", "hann:2", "kaiser", "kaiser:", "kaiser:x", "kaiser:1x",
                           "kaiser:-1", "kaiser:1e9", "gaussian", "gaussian:0", "gaussian:nan"}) {
    EXPECT_THROW(window_samples(name, 5), ShapeError) << name;
  }
}

}  // namespace
}  // namespace stencil
