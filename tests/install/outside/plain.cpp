// A user's program without MPI: it filters an array in memory. outside.py compares the lines
// between the marks with docs/library.md.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stencil/apply.hpp>

#ifdef MPI_VERSION
#error "stencil/apply.hpp reaches mpi.h"
#endif

using namespace stencil;

namespace {

/// The sum of the 3 x 3 points around a point, with rows and columns reflected at the edges.
float smoothed(const std::vector<float>& image, Index height, Index width, Index y, Index x) {
  const auto inside = [](Index i, Index n) { return i < 0 ? -1 - i : i < n ? i : 2 * n - 1 - i; };
  float sum = 0;
  for (Index j = -1; j <= 1; ++j)
    for (Index i = -1; i <= 1; ++i)
      sum += image[inside(y + j, height) * width + inside(x + i, width)];
  return sum;
}

}  // namespace

/// Makes masks of every kind. Returns the number of wrong masks: smoothing masks must sum to 1.
Index wrong_masks() {
  const std::vector<double> taps27(27, 1.0 / 27);
  // example
  const Mask line = Mask::line({0.25, 0.5, 0.25}, y_axis);           // batch_axis, y_axis or x_axis
  const Mask grid = Mask::grid({{0, 1, 0}, {1, -4, 1}, {0, 1, 0}});  // rows
  const Mask same = Mask::grid({0, 1, 0, 1, -4, 1, 0, 1, 0}, 3, 3);  // row-major, 3 rows, 3 columns
  const Mask outer = Mask::outer({1, 2, 1}, {-1, 0, 1});             // a column times a row
  const Mask cube = Mask::volume({.height = 3, .width = 3, .values = taps27, .depth = 3});
  const Mask early = Mask::line({1, 1}, x_axis, -1);  // origin -1: the centre is the first tap

  const Mask blur = Mask::gaussian({.sigma = 2});                        // along y and x
  const Mask wide = Mask::gaussian({.sigma = {1, 3}, .order = {0, 1}});  // {y, x}
  const Mask trace = Mask::gaussian({.sigma = 2, .axis = x_axis});       // along x only
  const Mask mean = Mask::box({.size = 5});
  const Mask pascal = Mask::binomial({.size = 5});
  const Mask disk = Mask::disk({.radius = 7.5});
  const Mask ring = Mask::annulus({.radius = 9, .inner = 7.5});
  const Mask blobs = Mask::log({.sigma = 3});
  const Mask spots = Mask::dog({.sigma = 1, .ratio = 1.6});
  const Mask curvature = Mask::laplace();
  const Mask edges = Mask::sobel(y_axis);        // the derivative is along y; prewitt is the same
  const Mask slopes = Mask::sobel(y_axis, 0.5);  // a derivative with points 0.5 apart
  const Mask slow = Mask::lowpass({.taps = 101, .cutoff = 40, .sampling_rate = 1000});
  const Mask fast = Mask::highpass({.taps = 101, .cutoff = 40, .sampling_rate = 1000});
  const Mask band = Mask::bandpass({.taps = 401, .cutoff = {35, 350}, .sampling_rate = 4096});
  const Mask rest = Mask::bandstop({.taps = 401, .cutoff = {49, 51}, .sampling_rate = 1000});
  const Mask found = Mask::matched({.pattern = {1, 2, -3, 1}});
  const Mask slope = Mask::savgol({.size = 11, .polyorder = 3, .deriv = 1, .delta = 0.5});
  // end
  Index wrong = same.taps.values != grid.taps.values || outer.factors->column.size() != 3 ||
                early.centre[1] != 0 || line.axis != y_axis;
  for (const Mask* mask : {&cube, &blur, &trace, &mean, &pascal, &disk, &ring, &slow, &fast}) {
    const std::vector<double>& taps = mask->taps.values;
    const double sum = std::accumulate(taps.begin(), taps.end(), 0.0);
    wrong += !(std::abs(sum - (mask == &fast ? 0 : 1)) < 0.01);
  }
  for (const Mask* mask :
       {&wide, &blobs, &spots, &curvature, &edges, &slopes, &band, &rest, &found, &slope})
    wrong += mask->taps.values.empty();
  return wrong;
}

int main() {
  // example
  const Index height = 480, width = 640;
  std::vector<float> image(height * width), sums(image.size());
  for (Index k = 0; k < height * width; ++k) image[k] = float(k * 7919 % 255);

  const Stage box{.mask = Mask::grid({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}})};
  apply({box}, ArrayView(image.data(), {height, width}), ArrayView(sums.data(), {height, width}));

  // Filters every second column, from right to left, with four threads. Strides are in bytes.
  const Index bytes = sizeof(float);
  std::vector<float> half(height * width / 2);
  const ArrayView<const float> columns(&image[width - 1], {height, width / 2},
                                       {width * bytes, -2 * bytes});
  apply({box}, columns, ArrayView(half.data(), {height, width / 2}), {.threads = 4});
  // end
  const std::vector<float> before = sums;
  // example
  const Filter smooth({{.mask = Mask::gaussian({.sigma = 2})}}, {height, width}, Element::float32);
  smooth(ArrayView(image.data(), {height, width}), ArrayView(sums.data(), {height, width}));
  // end
  std::vector<float> smoothed_by_apply(sums.size());
  apply({{.mask = Mask::gaussian({.sigma = 2})}}, ArrayView(image.data(), {height, width}),
        ArrayView(smoothed_by_apply.data(), {height, width}));
  const bool is_same = sums == smoothed_by_apply;
  sums = before;
  std::vector<float> second(half.size());
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width / 2; ++x)
      second[y * width / 2 + x] = image[y * width + width - 1 - 2 * x];
  Index wrong = wrong_masks() + !is_same;
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x)
      wrong += sums[y * width + x] != smoothed(image, height, width, y, x);
    for (Index x = 0; x < width / 2; ++x)
      wrong += half[y * width / 2 + x] != smoothed(second, height, width / 2, y, x);
  }
  std::printf("%lld points and masks are wrong\n", static_cast<long long>(wrong));
  return wrong == 0 ? 0 : 1;
}
