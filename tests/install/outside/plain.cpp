// An outsider's program that knows nothing of MPI: an array filtered in the memory that it has.
// outside.py expects the lines of the example in docs/library.md.
#include <algorithm>
#include <cstdio>
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

int main() {
  // example
  const Index height = 480, width = 640;
  std::vector<float> image(height * width), sums(image.size());
  for (Index k = 0; k < height * width; ++k) image[k] = float(k * 7919 % 255);

  const Stage box{.mask = make_mask_2d({3, 3, std::vector<double>(9, 1)})};
  apply({box}, ArrayView(image.data(), {height, width}), ArrayView(sums.data(), {height, width}));

  // every second column, backwards, in strides of bytes; four threads
  const Index bytes = sizeof(float);
  std::vector<float> half(height * width / 2);
  const ArrayView<const float> columns(&image[width - 1], {height, width / 2},
                                       {width * bytes, -2 * bytes});
  apply({box}, columns, ArrayView(half.data(), {height, width / 2}), {.threads = 4});
  // end
  std::vector<float> second(half.size());
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width / 2; ++x)
      second[y * width / 2 + x] = image[y * width + width - 1 - 2 * x];
  Index wrong = 0;
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x)
      wrong += sums[y * width + x] != smoothed(image, height, width, y, x);
    for (Index x = 0; x < width / 2; ++x)
      wrong += half[y * width / 2 + x] != smoothed(second, height, width / 2, y, x);
  }
  std::printf("%lld points are wrong\n", static_cast<long long>(wrong));
  return wrong == 0 ? 0 : 1;
}
