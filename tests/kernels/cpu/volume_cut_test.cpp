#include "kernels/cpu/volume_cut.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

using cpu::VolumeCut;
using cpu::VolumeShape;

VolumeShape shape_of(const Point& taps, const Point& stride, Index terms = 0) {
  Stencil<float> stencil;
  if (terms > 0) stencil.method = Method::separable;
  stencil.terms = terms;
  stencil.depth = taps[0];
  stencil.height = taps[1];
  stencil.width = taps[2];
  stencil.plane_stride = stride[0];
  stencil.stride = {stride[1], stride[2]};
  return VolumeShape(stencil);
}

TEST(VolumeCut, BoxesHoldEveryOutputOnce) {
  for (const Point& taps : {Point{2, 1, 1}, {3, 3, 3}, {33, 33, 33}, {2, 400, 90}})
    for (const Point& stride : {Point{1, 1, 1}, {3, 2, 5}})
      for (const Point& extent : {Point{1, 1, 1}, {1, 9, 5000}, {40, 30, 3}, {6, 130, 1100}})
        for (const int threads : {1, 2, 7}) {
          const VolumeCut cut(shape_of(taps, stride, threads % 2), extent, 4, threads, 8);
          std::vector<int> times(std::size_t(points(extent)));
          for (Index n = 0; n < cut.count(); ++n) {
            const Box box = cut.piece(n);
            ASSERT_FALSE(box.empty());
            ASSERT_TRUE(make_box(extent).contains(box)) << to_string(box);
            for (int axis = 0; axis < axes; ++axis)
              ASSERT_LE(box.extent()[axis], cut.largest()[axis]);
            ASSERT_LE(box.extent()[0], 8);
            for (Index b = box.first[0]; b < box.last[0]; ++b)
              for (Index y = box.first[1]; y < box.last[1]; ++y)
                for (Index x = box.first[2]; x < box.last[2]; ++x)
                  ++times[std::size_t((b * extent[1] + y) * extent[2] + x)];
          }
          for (const int count : times) ASSERT_EQ(count, 1) << to_string(extent);
        }
}

TEST(VolumeCut, InputsOfABoxFitIntoTheCache) {
  for (const Point& taps : {Point{3, 3, 3}, {5, 5, 5}, {9, 9, 9}}) {
    const VolumeShape mask = shape_of(taps, {1, 1, 1});
    const Point box = VolumeCut(mask, {512, 512, 512}, 4, 2, 512).largest();
    EXPECT_LE(4 * points(mask.inputs({1, box[1], box[2]})), 400 << 10) << to_string(box);
    EXPECT_GE(box[y_axis], taps[y_axis]) << "most inputs are read by one box";
  }
}

TEST(VolumeCut, BoxesOfPassesAreTallerThanTheMask) {
  for (const Index terms : {1, 3})
    EXPECT_GE(VolumeCut(shape_of({33, 33, 33}, {1, 1, 1}, terms), {512, 512, 512}, 8, 2, 512)
                  .largest()[y_axis],
              66);
  EXPECT_EQ(shape_of({3, 5, 7}, {1, 1, 1}, 2).adds(), 30);
  EXPECT_EQ(shape_of({3, 5, 7}, {1, 1, 1}).adds(), 105);
}

TEST(VolumeCut, EveryThreadHasWork) {
  const Box inputs = shape_of({3, 5, 7}, {2, 1, 4}).inputs_of({{1, 2, 3}, {3, 3, 5}});
  EXPECT_EQ(inputs.first, (Point{2, 2, 12}));
  EXPECT_EQ(inputs.last, (Point{7, 7, 23}));
  EXPECT_GE(VolumeCut(shape_of({3, 3, 3}, {1, 1, 1}), {64, 20, 300}, 4, 4, 64).count(), 16);
  EXPECT_EQ(shape_of({3, 5, 7}, {2, 1, 4}).inputs({4, 10, 3}), (Point{9, 14, 15}));
}

}  // namespace
}  // namespace stencil
