// A user's program: applies two stages to an array of the program and compares the outputs with
// sums computed by plain loops. Prints a checksum of the output's bits, which is the same for every
// number of ranks.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stencil/stencil.hpp>

using namespace stencil;

namespace {

constexpr Index height = 37, width = 53;
const std::vector<double> window{0.05, 0.1, 0.07, 0.1, 0.36, 0.1, 0.07, 0.1, 0.05};
const Mask line = Mask::gaussian({.sigma = 0.7, .order = 1, .truncate = 3, .axis = x_axis});

double input(Index y, Index x) {
  return std::sin(0.1 * double(y * width + x));
}

Index reflect(Index i, Index n) {
  return i < 0 ? -1 - i : i < n ? i : 2 * n - 1 - i;
}

double smoothed(Index y, Index x) {
  double sum = 0;
  for (Index j = 0; j < 3; ++j)
    for (Index k = 0; k < 3; ++k)
      sum += window[j * 3 + k] * input(reflect(y + j - 1, height), reflect(x + k - 1, width));
  return sum;
}

double expected(Index y, Index x) {
  double sum = 0;
  const Index taps = line.taps.width;
  for (Index k = 0; k < taps; ++k)
    sum += line.taps.at(0, k) * smoothed(y, (x + k - taps / 2 + width) % width);
  return sum;
}

}  // namespace

int main() {
  SessionOptions options;
  options.backend = Backend::cpu;
  options.on_failure = OnFailure::ends_job;
  Session session(options);

  Stage smooth, slope;
  smooth.mask = Mask::grid(window, 3, 3);
  slope.mask = line;
  slope.boundary.rule[x_axis] = BoundaryRule::wrap;
  Pipeline<double> pipeline(session, {smooth, slope}, {1, height, width});

  Field<double> points = pipeline.make_input();
  const Box in = points.subdomain().owned;
  for (Index y = in.first[1]; y < in.last[1]; ++y)
    for (Index x = in.first[2]; x < in.last[2]; ++x)
      points.owned().at(0, y - in.first[1], x - in.first[2]) = input(y, x);
  points = pipeline.run(std::move(points));

  Index wrong = 0, bits = 0;
  const Box out = points.subdomain().owned;
  for (Index y = out.first[1]; y < out.last[1]; ++y)
    for (Index x = out.first[2]; x < out.last[2]; ++x) {
      const double value = points.owned().at(0, y - out.first[1], x - out.first[2]);
      wrong += !(std::abs(value - expected(y, x)) < 1e-14);
      const auto all = std::bit_cast<std::uint64_t>(value);
      bits += Index((all ^ all >> 32) & 0xffffffff) * (y * width + x + 1);
    }
  wrong = session.communicator().sum(wrong);
  bits = session.communicator().sum(bits);
  const Index count = session.communicator().sum(stencil::points(out.extent()));
  if (session.rank() == 0)
    std::printf("%lld of %lld points are wrong, bits %lld\n", (long long)wrong, (long long)count,
                (long long)bits);
  return wrong == 0 && count == height * width ? 0 : 1;
}
