// A user's program: the examples of docs/library.md for arrays over ranks, each compared with
// apply(). outside.py compares the lines between the marks with that page.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stencil/stencil.hpp>

using namespace stencil;

static_assert(STENCIL_VERSION_MAJOR * 10000 + STENCIL_VERSION_MINOR * 100 + STENCIL_VERSION_PATCH >=
              100);

namespace {

constexpr Index height = 48, width = 64;

std::vector<float> image_of(Index points) {
  std::vector<float> image(points);
  for (Index k = 0; k < points; ++k) image[k] = float(k * 7919 % 255);
  return image;
}

/// Number of points on rank 0 that differ from the result of apply().
template <class T>
Index differences(const Stage& stage, const std::vector<T>& input, const AxisList& shape,
                  const std::vector<T>& found) {
  if (found.empty()) return 0;  // only rank 0 has the points
  std::vector<T> expected(found.size());
  apply({stage}, ArrayView<const T>(input.data(), shape),
        ArrayView<T>(expected.data(), output_shape({stage}, shape)));
  Index wrong = 0;
  for (std::size_t k = 0; k < found.size(); ++k) wrong += found[k] != expected[k];
  return wrong;
}

/// Number of reductions on rank 0 that differ from plain loops by more than rounding errors.
Index differences(const std::vector<double>& all, double mass, double length, double least,
                  double most) {
  if (all.empty()) return 0;  // only rank 0 has the points
  double sum = 0, squares = 0;
  for (const double value : all) {
    sum += value;
    squares += value * value;
  }
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return !(std::abs(mass - sum) <= 1e-10 * std::abs(sum)) +
         !(std::abs(length * length - squares) <= 1e-10 * squares) + (least != *low) +
         (most != *high);
}

Index filter(const std::vector<float>& image) {
  // example
  // starts MPI, and chooses the threads or the GPU of this rank
  Session session({.on_failure = OnFailure::ends_job});
  const Stage smooth{.mask = Mask::gaussian({.sigma = 2})};
  Pipeline<float> pipeline(session, {smooth},
                           {1, height, width});  // kernels and halos, planned once
  Field<float> field = pipeline.make_input();    // a field for the points of this rank
  session.fill(field, [&](Index b, Index y, Index x) { return image[y * width + x]; });
  const std::vector<float> all = session.gather(pipeline.run(std::move(field)), {1, height, width});
  // end
  return differences(smooth, image, {height, width}, all);
}

Index mix_channels(const std::vector<float>& image) {
  Session session({.backend = Backend::cpu, .on_failure = OnFailure::ends_job});
  const std::vector<double> taps{1, 2, 3, 4, 5, 6};
  // example
  const Stage mix{.channels = make_channel_mask({2, 3, 1, 1}, taps)};
  // end
  const Point shape{6, height, width};
  Pipeline<float> pipeline(session, {mix}, shape);
  Field<float> field = pipeline.make_input();
  session.fill(field,
               [&](Index b, Index y, Index x) { return image[(b * height + y) * width + x]; });
  const std::vector<float> all = session.gather(pipeline.run(std::move(field)), {4, height, width});
  return differences(mix, image, {6, height, width}, all);
}

Index step_by_step(const std::vector<float>& image) {
  Session session({.backend = Backend::cpu, .on_failure = OnFailure::ends_job});
  const std::vector<double> start(image.begin(), image.begin() + height * width);
  const Stage heat{.mask = Mask::grid({{0, .2, 0}, {.2, .2, .2}, {0, .2, 0}}), .steps = 100};
  Pipeline<double> pipeline(session, {heat}, {1, height, width});
  Field<double> field = pipeline.make_input();
  session.fill(field, [&](Index, Index y, Index x) { return start[y * width + x]; });
  // example
  State<double> state = pipeline.start(std::move(field));
  pipeline.advance(state, 37);   // state.field holds the points after 37 steps
  pipeline.advance(state, 100);  // the same bits as 100 steps without a stop
  // end
  // example
  const double mass = session.sum(state.field), length = session.norm(state.field);
  const double least = session.min(state.field), most = session.max(state.field);
  // end
  const std::vector<double> all = session.gather(state.field, {1, height, width});
  return differences(heat, start, {height, width}, all) +
         differences(all, mass, length, least, most);
}

}  // namespace

int main() {
  Session all;  // MPI is finalized at the end of the first session
  const std::vector<float> image = image_of(6 * height * width);
  Index wrong = filter({image.begin(), image.begin() + height * width});
  wrong += mix_channels(image) + step_by_step(image);
  wrong = all.communicator().sum(wrong);
  if (all.rank() == 0) std::printf("%lld points are wrong\n", static_cast<long long>(wrong));
  return wrong == 0 ? 0 : 1;
}
