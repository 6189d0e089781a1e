// The stencils that each strategy refuses, and the number of loads that each strategy counts. No
// GPU is needed.

#include <gtest/gtest.h>

#include "examples/strategies/geometry.hpp"
#include "examples/strategies/parts.hpp"
#include "examples/strategies/refusals.hpp"
#include "examples/strategies/strategy_name.hpp"
#include "framework/grid/error.hpp"

namespace stencil::cuda::ladder {
namespace {

constexpr std::size_t shared_of_hopper = 232'448;

template <class T>
Stencil<T> direct(Index height, Index width, std::array<Index, 2> stride = {1, 1}) {
  const Mask mask = Mask::grid(std::vector<double>(std::size_t(height * width), 1), height, width);
  return make_stencil<T>(mask, Method::direct, stride, {});
}

/// The message of the WordsError with which a strategy refuses a stencil; empty if the strategy
/// accepts the stencil.
template <class T>
std::string answer(Strategy strategy, const Stencil<T>& stencil) {
  try {
    refuse_unless_on_rung(strategy, stencil, shared_of_hopper);
    return "";
  } catch (const WordsError& error) {
    return error.what();
  }
}

TEST(LadderParts, MoreBlocksThanAGridHasGoInSeveralLaunches) {
  const TileGeometry g = tile_geometry(Strategy::tiled_input, 1, line_input_tile);
  ASSERT_EQ(g.tile_x, 1);
  // all distances differ, so that exchanged distances are detected
  KernelArguments<float> arguments;
  arguments.stride_y = 3, arguments.stride_x = 2;
  arguments.source_row = 1'000'003, arguments.target_row = 700'001;
  arguments.source_batch = 5'000'000'011, arguments.target_batch = 3'000'000'019;
  arguments.outputs_batch = 65'536;
  arguments.outputs_y = 65'540;
  arguments.outputs_x = (Index{1} << 32) + 5;
  arguments.inputs_y = arguments.outputs_y * arguments.stride_y;
  arguments.inputs_x = arguments.outputs_x * arguments.stride_x + line_input_tile - 1;
  struct Span {
    Index first, count;
  };
  const Index most = 0x7fffffff;
  const std::vector<Span> batches{{0, 65'535}, {65'535, 1}}, rows{{0, 65'535}, {65'535, 5}},
      columns{{0, most}, {most, most}, {2 * most, 7}};
  std::vector<KernelArguments<float>> parts;
  for_each_part(arguments, g, [&](const KernelArguments<float>& part) { parts.push_back(part); });
  ASSERT_EQ(parts.size(), batches.size() * rows.size() * columns.size());
  auto part = parts.begin();
  for (const Span& b : batches) {
    for (const Span& y : rows) {
      for (const Span& x : columns) {
        EXPECT_EQ(part->target - arguments.target,
                  b.first * arguments.target_batch + y.first * arguments.target_row + x.first);
        EXPECT_EQ(
            part->source - arguments.source,
            b.first * arguments.source_batch + 3 * y.first * arguments.source_row + 2 * x.first);
        EXPECT_EQ(part->outputs_batch, b.count);
        EXPECT_EQ(part->outputs_y, y.count);
        EXPECT_EQ(part->outputs_x, x.count);
        EXPECT_EQ(part->inputs_y, arguments.inputs_y - 3 * y.first);
        EXPECT_EQ(part->inputs_x, arguments.inputs_x - 2 * x.first);
        ++part;
      }
    }
  }
}

TEST(LadderRefusals, SeparableAndRenormalizing) {
  const Mask mask = Mask::outer({1, 2, 3}, {4, 5, 6});
  const auto separable = make_stencil<float>(mask, Method::separable, {1, 1}, {});
  const auto renormalizing = make_stencil<float>(mask, Method::direct, {1, 1}, 0.5);
  for (const Strategy strategy : strategies) {
    const std::string start = "strategy " + to_string(strategy);
    EXPECT_EQ(answer(strategy, separable),
              start + " computes direct sums: make the stencil with Method::direct");
    EXPECT_EQ(answer(strategy, renormalizing),
              start +
                  " cannot leave out missing points (min_valid): make the stencil "
                  "without min_valid");
  }
}

TEST(LadderRefusals, StrideInTiles) {
  const auto stencil = direct<double>(1, 5, {1, 3});
  for (const Strategy strategy : {Strategy::global, Strategy::constant})
    EXPECT_EQ(answer(strategy, stencil), "");
  for (const Strategy strategy : {Strategy::tiled_halo, Strategy::tiled_two_step,
                                  Strategy::tiled_input, Strategy::tiled_cached})
    EXPECT_EQ(answer(strategy, stencil),
              "strategy " + to_string(strategy) + " has no stride = 1 3: use global or constant");
}

TEST(LadderRefusals, TwoStepIsForLines) {
  EXPECT_EQ(answer(Strategy::tiled_two_step, direct<float>(1, 9)), "");
  for (const auto& [h, w] : {std::pair<Index, Index>{9, 1}, {3, 3}})
    EXPECT_NE(answer(Strategy::tiled_two_step, direct<float>(h, w)).find("1D masks along x"),
              std::string::npos);
}

TEST(LadderRefusals, MasksBeyondConstantMemory) {
  EXPECT_EQ(answer(Strategy::constant, direct<float>(1, 8000)), "");
  EXPECT_EQ(answer(Strategy::constant, direct<double>(1, 4000)), "");
  EXPECT_EQ(answer(Strategy::constant, direct<double>(1, 4001)),
            "strategy constant has room for 4000 taps in constant memory and the mask has "
            "1x4001: use global");
  for (const Strategy strategy : strategies)
    EXPECT_EQ(answer(strategy, direct<float>(90, 90)) == "", strategy == Strategy::global);
}

TEST(LadderRefusals, MasksBeyondTheInputTile) {
  EXPECT_EQ(answer(Strategy::tiled_input, direct<float>(1, 512)), "");
  EXPECT_EQ(answer(Strategy::tiled_input, direct<float>(32, 32)), "");
  EXPECT_EQ(answer(Strategy::tiled_input, direct<float>(33, 2)),
            "strategy tiled_input needs a mask within its input tile of 32x32 and the mask has "
            "33x2: use tiled_halo");
  EXPECT_NE(answer(Strategy::tiled_input, direct<float>(1, 513)), "");
}

TEST(LadderRefusals, TilesBeyondSharedMemory) {
  // the tile has 8 + 1809 - 1 rows of 32 floats, which are 232,448 bytes: the most that a block can
  // have
  EXPECT_EQ(answer(Strategy::tiled_halo, direct<float>(1809, 1)), "");
  EXPECT_EQ(answer(Strategy::tiled_halo, direct<float>(1810, 1)),
            "strategy tiled_halo needs 232576 bytes of shared memory a block for a mask of "
            "1810x1 and this GPU has 232448: use tiled_cached");
  EXPECT_EQ(answer(Strategy::tiled_cached, direct<float>(1810, 1)), "");
}

/// Counts the work in plain loops over every block, thread and tap, in the same order as the
/// kernels.
SweepWork count_one_by_one(Strategy strategy, Index height, Index width, const Point& outputs) {
  const TileGeometry g = tile_geometry(strategy, height, width);
  const Index inputs_y = outputs[1] + height - 1, inputs_x = outputs[2] + width - 1;
  const bool core_only = strategy == Strategy::tiled_cached;
  const Index above = core_only ? height / 2 : 0, left = core_only ? width / 2 : 0;
  SweepWork work;
  for (Index b = 0; b < outputs[0]; ++b)
    for (Index by = 0; by < outputs[1]; by += g.tile_y)
      for (Index bx = 0; bx < outputs[2]; bx += g.tile_x) {
        const Index low_y = by + above, low_x = bx + left;
        for (Index y = low_y; y < low_y + g.shared_y; ++y)
          for (Index x = low_x; x < low_x + g.shared_x; ++x)
            work.loads += y < inputs_y && x < inputs_x;
        for (Index y = by; y < std::min(by + g.tile_y, outputs[1]); ++y)
          for (Index x = bx; x < std::min(bx + g.tile_x, outputs[2]); ++x)
            for (Index j = 0; j < height; ++j)
              for (Index i = 0; i < width; ++i) {
                work.multiply_adds += 1;
                const bool inside = low_y <= y + j && y + j < low_y + g.shared_y &&
                                    low_x <= x + i && x + i < low_x + g.shared_x;
                work.loads += !inside;
              }
      }
  return work;
}

TEST(LadderGeometry, CountsEveryLoad) {
  for (const Strategy strategy : strategies)
    for (const auto& [h, w] : {std::pair<Index, Index>{1, 1},
                               {1, 5},
                               {1, 64},
                               {1, 400},
                               {3, 3},
                               {4, 2},
                               {9, 9},
                               {31, 1},
                               {20, 23}})
      for (const Point outputs : {Point{1, 1, 1}, {2, 17, 33}, {1, 45, 1000}}) {
        if (strategy == Strategy::tiled_two_step && h > 1) continue;
        const SweepWork counted = count_work(strategy, h, w, outputs);
        const SweepWork walked = count_one_by_one(strategy, h, w, outputs);
        const std::string words = to_string(strategy) + " " + std::to_string(h) + "x" +
                                  std::to_string(w) + " " + stencil::to_string(outputs);
        EXPECT_EQ(counted.multiply_adds, walked.multiply_adds) << words;
        EXPECT_EQ(counted.loads, walked.loads) << words;
      }
}

TEST(LadderGeometry, ReuseFollowsTheFormulaFarFromTheEnds) {
  EXPECT_DOUBLE_EQ(reuse_by_formula(Strategy::tiled_halo, 5, 5), 8 * 5 / 12.0 * 32 * 5 / 36);
  EXPECT_DOUBLE_EQ(reuse_by_formula(Strategy::tiled_two_step, 1, 5), 256 * 5 / 260.0);
  EXPECT_DOUBLE_EQ(reuse_by_formula(Strategy::tiled_input, 5, 5), 28 * 28 * 25 / 1024.0);
  EXPECT_DOUBLE_EQ(reuse_by_formula(Strategy::constant, 5, 5), 1);
  for (const Strategy strategy : {Strategy::tiled_halo, Strategy::tiled_input})
    for (const Index m : {3, 9}) {
      const TileGeometry g = tile_geometry(strategy, m, m);
      EXPECT_DOUBLE_EQ(count_work(strategy, m, m, {1, 10 * g.tile_y, 7 * g.tile_x}).reuse(),
                       reuse_by_formula(strategy, m, m));
    }
}

}  // namespace
}  // namespace stencil::cuda::ladder
