// library_gray_scott: two coupled nonlinear fields. The library divides the grid among the ranks
// and exchanges ghost points; the program computes the update (update.hpp).
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "update.hpp"

using namespace stencil;

/// Returns whether a point is in one of the squares in which the reaction starts.
bool is_seed(Index y, Index x) {
  return (y % 96 > 40 && y % 96 < 56) && (x % 128 > 50 && x % 128 < 70) && (y / 96 + x / 128) % 2;
}

void write(const std::string& path, const std::vector<double>& values) {
  const auto* bytes = reinterpret_cast<const char*>(values.data());
  const auto size = static_cast<std::streamsize>(values.size() * sizeof values[0]);
  if (!std::ofstream(path, std::ios::binary).write(bytes, size).flush())
    throw StorageError("cannot write " + path);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 6000;
  Session session({.on_failure = OnFailure::ends_job});
  const Point shape{1, 192, 256};
  const Halo halo{{0, 1, 1}, {0, 1, 1}};  // one ghost point on each side along y and x
  const Decomposition blocks = choose_decomposition(shape, halo, session.size());
  auto exchange = session.make_exchange<double>(blocks, halo, BoundaryRule::wrap);
  const auto make_field = [&] { return session.make_field<double>(blocks, halo); };
  Field<double> u = make_field(), v = make_field(), next_u = make_field(), next_v = make_field();
  session.fill(u, [](Index, Index y, Index x) { return is_seed(y, x) ? 0.5 : 1.0; });
  session.fill(v, [](Index, Index y, Index x) { return is_seed(y, x) ? 0.25 : 0.0; });

  Update* update = update_on_host;
#ifdef WITH_CUDA
  if (session.backend() == Backend::cuda) update = update_on_gpu;
#endif
  for (int step = 0; step < steps; ++step) {
    exchange.exchange(u);
    exchange.exchange(v);
    update(session.executor(), u, v, next_u, next_v);
    std::swap(u, next_u);
    std::swap(v, next_v);
    session.executor().limit_queue_depth();
  }
  const std::vector<double> all = session.gather(v, shape);
  if (session.rank() == 0) {
    write("v.f64", all);
    std::printf("%d steps on %d ranks, %s: v.f64, 192 x 256 float64\n", steps, session.size(),
                session.executor().name().c_str());
  }
}
