// Compiles the kernel templates of kernels/cuda/production at run time for some masks, without a
// GPU. `STENCIL_GENERATED_MASKS` is the number of masks for each template (default: 1).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <string>

#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/source_text.hpp"

namespace stencil::generated {
namespace {

struct KernelTemplate {
  const char* file;
  std::function<std::string()> draw;  ///< returns the kernel's name with template arguments
};

TEST(ProductionSource, CompilesForMasksOfManySides) {
  if (Nvrtc::find() == nullptr) GTEST_SKIP() << "libnvrtc cannot be loaded here";
  const char* const wanted = std::getenv("STENCIL_GENERATED_MASKS");
  const int masks = wanted == nullptr ? 1 : std::atoi(wanted);
  std::mt19937 random(23);
  const auto pick = [&](int low, int high) {
    return low + int(random() % unsigned(high - low + 1));
  };
  const auto type = [&] { return random() % 2 == 0 ? "float" : "double"; };
  const auto flag = [&] { return random() % 2 == 0; };
  const auto side = [&](int most) { return pick(2, most); };
  const std::vector<KernelTemplate> templates{
      {"tile_line.cu", [&] { return fmt::format("tile_line<{}, {}>", type(), pick(1, 52)); }},
      {"line.cu", [&] { return fmt::format("line<{}, 0, 0, {}>", type(), flag()); }},
      {"line.cu", [&] { return fmt::format("line<{}, {}, 1, false>", type(), pick(34, 97)); }},
      {"tile_dense.cu",
       [&] {
         return fmt::format("tile_dense<{}, {}, {}, 2, {}, {}, {}>", type(), side(8), side(8),
                            flag(), flag(), flag() ? "32, 8, 2" : "64, 16, 4");
       }},
      {"volume.cu",
       [&] {
         return fmt::format("volume<{}, {}, {}, {}, {}>", type(), side(7), pick(1, 7), pick(1, 7),
                            pick(0, 1));
       }},
      {"volume.cu",
       [&] {
         return fmt::format("volume<{}, 5, 5, 5, {}, {}ull, {}ull>", type(), pick(0, 1), random(),
                            random());
       }},
      {"volume_separable.cu",
       [&] {
         return fmt::format("volume_separable<{}, {}, {}, {}, {}, {}>", type(), pick(1, 3),
                            side(22), side(33), side(33), pick(0, 1));
       }},
      {"tile_column.cu", [&] { return fmt::format("tile_column<{}, {}>", type(), flag()); }},
      {"strip_column.cu", [] { return std::string("strip_column"); }},
      {"strip_dense.cu",
       [&] {
         return fmt::format("strip_dense<{}, {}, {}, {}>", type(), side(11), side(11), pick(0, 1));
       }},
      {"tile_wide.cu", [&] { return fmt::format("tile_wide<{}, {}, false>", type(), side(33)); }},
      {"tile_wide.cu", [&] { return fmt::format("tile_wide<{}, 0, true>", type()); }},
      {"tensor_dense.cu", [&] { return fmt::format("tensor_dense<{}>", pick(0, 9)); }},
      {"tensor_axis.cu", [&] { return fmt::format("tensor_axis<{}>", flag()); }},
      {"tensor_separable.cu", [] { return std::string("tensor_separable"); }},
      {"tile_valid.cu",
       [&] {
         return fmt::format("tile_valid<{}, stencil::cuda::{}Tile, {}>", type(),
                            flag() ? "Long" : "Wide", flag());
       }},
      {"tile_valid.cu", [&] { return fmt::format("tile_column_valid<{}, {}>", type(), flag()); }},
      {"tile_separable.cu",
       [&] {
         return fmt::format("tile_separable<{}, {}, {}, {}>", type(), side(19), side(19),
                            flag() ? "24, 32, 192, 4" : "48, 64, 192, 8");
       }},
      {"strip_separable.cu",
       [&] {
         return fmt::format("strip_separable<float, {}, {}, {}, {}, {}>", side(65), side(65),
                            pick(0, 3), pick(1, 3), flag());
       }},
      {"strip_separable.cu",
       [&] {
         return fmt::format("strip_separable<double, {}, 0, 0, {}, {}>", side(33), pick(1, 3),
                            flag());
       }},
      {"tile_separable_any.cu",
       [&] {
         return fmt::format("tile_separable_any<{}, {}, {}, 0, 0, 0, false>", type(),
                            flag() ? 4 : 8, flag());
       }},
      {"tile_separable_any.cu",
       [&] {
         return fmt::format("tile_separable_any<{}, {}, false, {}, {}, {}, {}>", type(),
                            flag() ? 4 : 8, side(33), side(33), pick(0, 3), flag());
       }},
      {"strided_line.cu", [&] { return fmt::format("strided_line<{}, {}>", type(), pick(2, 5)); }},
      {"strided_column.cu",
       [&] {
         const int ages = pick(1, 24);
         return fmt::format("strided_column<{}, {}, {}, 1>", type(), ages, ages - pick(0, 1));
       }},
      {"strided_dense.cu",
       [&] {
         return fmt::format("strided_dense<{}, {}, {}, {}, false>", type(), pick(1, 4), side(9),
                            side(9));
       }},
      {"strided_dense.cu",
       [&] { return fmt::format("strided_dense<{}, {}, 0, 0, {}>", type(), pick(1, 4), flag()); }},
      {"strided_any.cu", [&] { return fmt::format("strided_any<{}, 2, {}>", type(), flag()); }},
      {"strided_separable.cu",
       [&] {
         return fmt::format("strided_separable<{}, {}, {}, {}, {}, false>", type(), pick(1, 4),
                            pick(1, 4), side(33), side(17));
       }},
      {"strided_separable.cu",
       [&] {
         return fmt::format("strided_separable<{}, {}, 0, 0, 0, {}>", type(), pick(1, 4), flag());
       }},
  };
  for (const SourceText& text : included_text) {
    const std::string_view name = text.name;
    if (name.ends_with(".cu") && name.starts_with("kernels/cuda/production/") &&
        !name.ends_with("/generic.cu") && !name.ends_with("/volume_any.cu") &&
        !name.ends_with("/tile_place.cu")) {
      EXPECT_TRUE(std::any_of(templates.begin(), templates.end(), [&](const auto& one) {
        return name.ends_with("/" + std::string(one.file));
      })) << name;
    }
  }
  std::set<std::string> seen;
  for (const KernelTemplate& one : templates) {
    for (int k = 0; k < masks; ++k) {
      const std::string kernel = one.draw();
      // on a machine with a GPU, NVRTC writes no log if it compiles the same kernel again
      if (!seen.insert(kernel).second) continue;
      // tensor cores are used from compute capability 9.0 on
      const bool old = k % 2 == 1 && !std::string_view(one.file).starts_with("tensor_");
      const char* const architecture = old ? "sm_80" : "sm_90";
      SCOPED_TRACE(kernel + " for " + architecture);
      const Compilation made =
          Nvrtc::find()->compile(fmt::format("#include \"kernels/cuda/production/{}\"\n", one.file),
                                 "stencil::cuda::" + kernel, architecture);
      ASSERT_FALSE(made.code.empty()) << made.log;
      EXPECT_FALSE(made.symbol.empty());
      const Resources used = resources_of(made.log);
      EXPECT_GT(used.registers, 16);
      EXPECT_LE(used.spilled, 512) << made.log;
    }
  }
}

}  // namespace
}  // namespace stencil::generated
