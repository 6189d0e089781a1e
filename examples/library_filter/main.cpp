// library_filter: applies a chain of two stencils to an array in memory, on any number of ranks.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <stencil/stencil.hpp>
#include <string>
#include <vector>

using namespace stencil;

constexpr Index height = 360, width = 480;

/// Rings of growing frequency with noise, in row-major order: an example of data in the caller's
/// memory.
std::vector<float> noisy_rings() {
  std::vector<float> image(height * width);
  std::minstd_rand random(7);
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      const double radius = std::hypot(double(y - height / 2), double(x - width / 2));
      const double noise = double(random()) / double(std::minstd_rand::max()) - 0.5;
      image[y * width + x] = static_cast<float>(std::sin(radius * radius / 700) + 1.5 * noise);
    }
  return image;
}

void write(const std::string& path, const std::vector<float>& values) {
  const auto* bytes = reinterpret_cast<const char*>(values.data());
  const auto size = static_cast<std::streamsize>(values.size() * sizeof values[0]);
  if (!std::ofstream(path, std::ios::binary).write(bytes, size).flush())
    throw StorageError("cannot write " + path);
}

int main() {
  // Starts MPI, and uses the node's GPU or this rank's share of the cores. Errors end the whole
  // job.
  Session session({.on_failure = OnFailure::ends_job});
  const std::vector<float> image = noisy_rings();

  // a Gaussian of sigma 2.5, then the slope along x, with the taps and boundaries of SciPy
  const Boundary mirrored = BoundaryRule::mirror;
  const Stage smooth{
      .name = "smooth", .mask = Mask::gaussian({.sigma = 2.5}), .boundary = mirrored};
  const Stage slope{.name = "slope", .mask = Mask::line({-0.5, 0, 0.5}), .boundary = mirrored};
  const Point shape{1, height, width};
  Pipeline<float> pipeline(session, {smooth, slope}, shape);

  // Each rank fills the points that it owns, and gets its part of the result.
  Field<float> input = pipeline.make_input();
  session.fill(input, [&](Index, Index y, Index x) { return image[y * width + x]; });
  const Field<float> result = pipeline.run(std::move(input));

  const std::vector<float> slopes = session.gather(result, shape);
  if (session.rank() == 0) {
    write("image.f32", image);
    write("slopes.f32", slopes);
    std::printf("%d ranks, %s: image.f32 and slopes.f32, %d x %d float32\n", session.size(),
                session.executor().name().c_str(), int(height), int(width));
  }
}
