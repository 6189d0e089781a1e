// The table of costs by which `method = auto` chooses on GPUs, and the counts of work for it. No
// GPU is needed.
#include "kernels/method/gpu_costs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/method/method.hpp"

namespace stencil {
namespace {

constexpr double eps32 = 0x1p-23, eps64 = 0x1p-52;

/// Taps without symmetry; a star has taps only along its two axes.
Mask full_mask(Index height, Index width, bool is_star = false) {
  std::vector<double> taps(static_cast<std::size_t>(height * width));
  for (Index k = 0; k < height * width; ++k) {
    const bool zero = is_star && k / width != height / 2 && k % width != width / 2;
    taps[k] = zero ? 0 : std::sin(1 + 1.7 * double(k * k + 1));
  }
  if (height == 1 || width == 1) return Mask::line(taps, width == 1 ? y_axis : x_axis);
  return Mask::grid(taps, height, width);
}

Mask outer_mask(Index height, Index width) {
  std::vector<double> column(height), row(width);
  for (Index k = 0; k < height; ++k) column[k] = 1.5 + std::sin(double(k * k));
  for (Index k = 0; k < width; ++k) row[k] = 1.5 + std::sin(1 + double(k * k));
  return Mask::outer(column, row);
}

MethodSite gpu_site(const Mask& mask, Index rows, Index columns, Index element = 4) {
  const bool along_y = mask.taps.width == 1 && mask.taps.height > 1;
  MethodSite site{.axis_outputs = along_y ? rows : columns,
                  .lines = along_y ? columns : rows,
                  .backend = Backend::cuda};
  site.world = {{rows, columns}, 1, element};
  return site;
}

double epsilon_of(const MethodSite& site) {
  return site.world.element == 8 ? eps64 : eps32;
}

MethodChoice chosen(const Mask& mask, const MethodSite& site) {
  return choose_method(mask, MethodRequest::automatic, epsilon_of(site), site);
}

TEST(GpuCosts, CountsWhatMovesAndWhatIsMultiplied) {
  const Mask dense = full_mask(3, 5);
  const WayWork work = work_by_taps(dense, 0, gpu_site(dense, 100, 640));
  EXPECT_EQ(work.way, Way::gpu_dense);
  EXPECT_EQ(work.outputs, 64000);
  EXPECT_EQ(work.amounts[1], 102 * 644 + 64000);
  EXPECT_EQ(work.amounts[2], 64000 * 15);
  EXPECT_EQ(work.amounts[3], 0);
  // 961 taps of 4 bytes do not fit into the arguments of one launch
  const Mask large = full_mask(31, 31);
  const WayWork bands = work_by_taps(large, 0, gpu_site(large, 100, 640));
  EXPECT_EQ(bands.way, Way::gpu_dense_large);
  EXPECT_EQ(bands.amounts[0], 2);
  EXPECT_EQ(bands.amounts[3], 64000 * (961 - 40));
  EXPECT_EQ(work_by_taps(large, 0, gpu_site(large, 100, 640, 8)).amounts[10], 64000 * 31 * 40);
}

TEST(GpuCosts, KnowsKernelsThatAreGeneratedForTheMask) {
  const Mask star = full_mask(13, 13, true), tall = full_mask(101, 101, true);
  const WayWork few = work_by_taps(star, 0, gpu_site(star, 1000, 1000));
  EXPECT_EQ(few.way, Way::gpu_sparse);
  EXPECT_EQ(few.amounts[2], 25e6);
  // the unfinished sums of 101 rows do not fit into registers, but 201 taps are few enough for a
  // list
  MethodSite site = gpu_site(tall, 1000, 1000);
  EXPECT_EQ(work_by_taps(tall, 0, site).way, Way::gpu_listed);
  site.stride = {2, 3};
  EXPECT_EQ(work_by_taps(tall, 0, site).way, Way::gpu_listed);
  // kernels that are generated for a mask need one launch, no matter how many zeros the mask has
  const Mask wide = full_mask(29, 32, true);
  const WayWork whole = work_by_taps(wide, 0, gpu_site(wide, 1000, 1000, 8));
  EXPECT_EQ(whole.way, Way::gpu_sparse);
  EXPECT_EQ(whole.amounts[0], 1);
  EXPECT_EQ(whole.amounts[5], 0);
  Mask disk = full_mask(21, 21);
  for (Index k = 0; k < 441; ++k)
    if (std::hypot(k / 21 - 10, k % 21 - 10) > 10.5) disk.taps.values[std::size_t(k)] = 0;
  EXPECT_EQ(work_by_taps(disk, 0, gpu_site(disk, 1000, 1000)).way, Way::gpu_sparse);
  EXPECT_EQ(work_by_taps(disk, 0, gpu_site(disk, 1000, 1000, 8)).way, Way::gpu_sparse_large);
  Mask half = full_mask(101, 101);  // its 5100 taps that are not 0 are too many for a list
  for (std::size_t k = 0; k < half.taps.values.size(); k += 2) half.taps.values[k] = 0;
  EXPECT_EQ(work_by_taps(half, 0, gpu_site(half, 1000, 1000)).way, Way::gpu_sparse_large);
  EXPECT_EQ(work_by_taps(half, 0, site).way, Way::gpu_dense_strided);
}

TEST(GpuCosts, SmallMasksTakeSeveralStepsInASweep) {
  const Mask mask = full_mask(3, 3), larger = full_mask(9, 9), outer = outer_mask(3, 3);
  MethodSite site = gpu_site(mask, 1000, 1000);
  site.steps = 80;
  EXPECT_EQ(work_by_taps(mask, 0, site).way, Way::gpu_steps);
  EXPECT_LE(work_by_taps(mask, 0, site).amounts[0], 10) << "eight steps each or more";
  const Mask star = full_mask(5, 5, true);
  EXPECT_EQ(work_by_taps(star, 0, site).way, Way::gpu_steps);
  EXPECT_EQ(work_by_taps(outer, 1, site).way, Way::gpu_steps_separable);
  EXPECT_EQ(work_by_taps(larger, 0, site).way, Way::gpu_dense);
  EXPECT_EQ(work_by_taps(larger, 0, site).amounts[0], 80);
}

TEST(GpuCosts, TransformsThatFitIntoSharedMemoryAreAnotherWay) {
  const Mask line = full_mask(1, 129);
  const MethodSite site = gpu_site(line, 1, 1 << 24);
  const WayWork small = work_by_blocks({2048, 129}, line, site);
  EXPECT_EQ(small.way, Way::gpu_fft_line);
  EXPECT_EQ(small.amounts[7], 1);
  EXPECT_EQ(small.amounts[8], 2048);
  const WayWork large = work_by_blocks({1 << 17, 129}, line, site);
  EXPECT_EQ(large.way, Way::gpu_fft_line_in_memory);
  EXPECT_EQ(large.amounts[5], large.amounts[2]);
  const MethodSite grid = gpu_site(full_mask(15, 15), 4000, 4000);
  const FftTiles on_chip{{128, 15}, {128, 15, fft_tile_unit}},
      in_memory{{512, 15}, {512, 15, fft_tile_unit}};
  EXPECT_EQ(work_by_tiles(on_chip, grid).way, Way::gpu_fft_tiles);
  EXPECT_EQ(work_by_tiles(in_memory, grid).way, Way::gpu_fft_tiles_in_memory);
}

/// The sizes of blocks and tiles are the same on CPUs and GPUs, so that the bits are the same.
TEST(GpuCosts, TransformsAreCutAsOnCpus) {
  for (const Index element : {4, 8})
    for (const Index side : {5, 31, 101}) {
      const Mask square = full_mask(side, side), line = full_mask(1, 4 * side);
      for (const Mask& mask : {square, line}) {
        const MethodSite gpu = gpu_site(mask, 3000, 5000, element);
        MethodSite cpu = gpu;
        cpu.backend = Backend::cpu;
        const MethodChoice a = choose_method(mask, MethodRequest::fft, eps64, gpu),
                           b = choose_method(mask, MethodRequest::fft, eps64, cpu);
        EXPECT_EQ(a.blocks.points, b.blocks.points);
        EXPECT_EQ(a.tiles.y.points, b.tiles.y.points);
        EXPECT_EQ(a.tiles.x.points, b.tiles.x.points);
        EXPECT_EQ(a.tiles.x.lead, b.tiles.x.lead);
      }
    }
}

TEST(GpuCosts, MoreTapsOrStepsOrPointsNeverTakeLess) {
  const auto total = [](const WayWork& work, Index element) {
    return work.outputs * cost_in_taps(work, element);
  };
  for (const Index element : {4, 8}) {
    double before = 0;
    for (Index points = 1000; points <= 16000; points *= 2) {
      const Mask mask = full_mask(7, 7);
      const double now =
          total(work_by_taps(mask, 0, gpu_site(mask, points, points, element)), element);
      EXPECT_GT(now, before) << points;
      before = now;
    }
    before = 0;
    for (Index steps = 1; steps < 300; steps *= 3) {
      const Mask mask = full_mask(7, 7);
      MethodSite site = gpu_site(mask, 2000, 2000, element);
      site.steps = steps;
      const double now = total(work_by_taps(mask, 0, site), element);
      EXPECT_GT(now, before) << steps;
      before = now;
    }
    for (const Index first : {11, 3}) {  // first columns of two problems with the same way
      before = 0;
      for (Index side = first; side <= (first == 3 ? 9 : 127); side += 2) {
        const Mask mask = full_mask(side, side);
        const double now =
            total(work_by_taps(mask, 0, gpu_site(mask, 4000, 4000, element)), element);
        EXPECT_GE(now, before) << side;
        before = now;
      }
    }
  }
}

/// `auto` avoids transforms where the transfer takes longer: see gpu_transfer_seconds().
TEST(GpuCosts, TransformsAreNotMadeWhereMovingThePointsTakesLonger) {
  const Mask mask = full_mask(31, 31);
  MethodSite once = gpu_site(mask, 16384, 16384), often = once;
  often.steps = 100;
  EXPECT_EQ(chosen(mask, once).method, Method::direct);
  EXPECT_NE(chosen(mask, once).reason.find("between host and GPU"), std::string::npos)
      << chosen(mask, once).reason;
  EXPECT_EQ(chosen(mask, often).method, Method::fft);
  EXPECT_EQ(chosen(full_mask(127, 127), once).method, Method::fft);
}

/// Measured on an H200: 52.7 ms for direct sums, 2.6 ms for transforms, and 29 ms for the transfer.
TEST(GpuCosts, TransformsAlongLongStridedColumnsNeedOnlyTakeLessTimeThanTheTransfer) {
  const Mask mask = full_mask(3257, 1);
  MethodSite site = gpu_site(mask, 12521, 11659);
  site.stride = {2, 1};
  EXPECT_EQ(chosen(mask, site).method, Method::fft) << chosen(mask, site).reason;
}

/// Loading a kernel takes longer than the sums, but this is not a reason to choose transforms,
/// whose results differ in the last bits.
TEST(GpuCosts, FewOutputsAreSummedDirectly) {
  for (const Index element : {4, 8}) {
    const Mask dense = full_mask(5, 7);
    EXPECT_EQ(chosen(dense, gpu_site(dense, 70, 90, element)).method, Method::direct);
    Mask cross = Mask::grid({0, 1, 0, 2, 3.5, 1, 0, 1, 0}, 3, 3);
    cross.multiply_zeros = false;
    MethodSite site = gpu_site(cross, 6, 64, element);
    site.world.batch = 50;
    EXPECT_EQ(chosen(cross, site).method, Method::direct);
  }
}

TEST(GpuCosts, TheChoiceIsTheGpusOwn) {
  const Mask mask = full_mask(9, 9);
  MethodSite site = gpu_site(mask, 16384, 16384);
  site.steps = 10;
  EXPECT_EQ(chosen(mask, site).method, Method::direct);
  site.backend = Backend::cpu;
  EXPECT_EQ(chosen(mask, site).method, Method::fft);
}

/// A realistic combination of a mask and an array.
struct Problem {
  Mask mask;
  MethodSite site;
};

Problem random_problem(std::mt19937& random) {
  const auto log_uniform = [&](double least, double most) {
    std::uniform_real_distribution<double> draw(std::log(least), std::log(most));
    return Index(std::lround(std::exp(draw(random))));
  };
  const Index kind = random() % 5, element = random() % 2 ? 4 : 8;
  const Index height = kind == 0 ? 1 : log_uniform(3, 60),
              width = log_uniform(3, kind == 0 ? 4097 : 60);
  const Mask mask = kind == 1   ? outer_mask(height, width)
                    : kind == 2 ? full_mask(height, 1)
                                : full_mask(height, width, kind == 3);
  Problem problem{mask, gpu_site(mask, log_uniform(200, 16384), log_uniform(200, 16384), element)};
  problem.site.world.batch = random() % 4 ? 1 : log_uniform(2, 40);
  problem.site.lines *= problem.site.world.batch;
  if (random() % 5 == 0 && kind != 2) problem.site.stride = {1, log_uniform(2, 10)};
  if (random() % 5 == 0 && problem.site.stride[1] == 1) problem.site.steps = log_uniform(2, 200);
  problem.site.renormalizes = random() % 10 == 0;
  return problem;
}

TEST(GpuCosts, TenThousandChoicesAreMadeWithoutAGpu) {
  std::mt19937 random(3);
  std::array<int, 3> methods{};
  for (int n = 0; n < 10'000; ++n) {
    const auto [mask, site] = random_problem(random);
    const MethodChoice choice = chosen(mask, site);
    ++methods[int(choice.method)];
    EXPECT_GE(choice.work.way, first_gpu_way);
    EXPECT_FALSE(site.renormalizes && choice.method == Method::fft) << choice.reason;
    const double cost = cost_in_taps(choice.work, site.world.element);
    EXPECT_TRUE(std::isfinite(cost) && cost > 0) << choice.reason;
    // no other way is much faster, except transforms whose time is less than that of the transfer
    const double least = gpu_transfer_in_taps(mask.taps, site);
    WayWork sums = choice.work;  // without the time of loading a kernel
    sums.amounts[8] = sums.amounts[9] = 0;
    const bool is_waited_for =
        sums.outputs * cost_in_taps(sums, site.world.element) > 1e10 && cost > 1.11 * least;
    for (const MethodCost& other : choice.costs) {
      const bool is_fft = other.method == "fft";
      if (is_fft && !is_waited_for) continue;
      EXPECT_LE(cost, 1.11 * (is_fft ? std::max(least, other.taps) : other.taps))
          << choice.reason << ", " << other.method;
    }
  }
  for (const int count : methods) EXPECT_GT(count, 100);
}

}  // namespace
}  // namespace stencil
