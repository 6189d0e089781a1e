// library_heat: time steps in a loop of the program, which inspects the field every 100 steps.
#include <cstdio>
#include <fstream>
#include <stencil/stencil.hpp>
#include <string>
#include <vector>

using namespace stencil;

/// One step of du/dt = k (d2u/dx2 + d2u/dy2), explicit Euler with k dt / h^2 = 0.2.
Stage heat_step() {
  constexpr double k = 0.2;
  return {.name = "heat",
          .mask = Mask::grid({{0, k, 0}, {k, 1 - 4 * k, k}, {0, k, 0}}),
          .boundary = BoundaryRule::constant,  // the rim is held at 0
          .steps = 1000};
}

/// A hot bar and a hotter disk on a cold plate.
double start_at(Index y, Index x) {
  const bool in_bar = y >= 40 && y < 60 && x >= 30 && x < 230;
  const bool in_disk = (y - 160) * (y - 160) + (x - 130) * (x - 130) < 35 * 35;
  return in_disk ? 300 : in_bar ? 200 : 0;
}

void write(const std::string& path, const std::vector<double>& values) {
  const auto* bytes = reinterpret_cast<const char*>(values.data());
  const auto size = static_cast<std::streamsize>(values.size() * sizeof values[0]);
  if (!std::ofstream(path, std::ios::binary).write(bytes, size).flush())
    throw StorageError("cannot write " + path);
}

int main() {
  Session session({.on_failure = OnFailure::ends_job});
  const Point shape{1, 256, 256};
  Pipeline<double> pipeline(session, {heat_step()}, shape);
  Field<double> plate = pipeline.make_input();
  session.fill(plate, [](Index, Index y, Index x) { return start_at(y, x); });

  // Several steps are computed in one sweep between two stops of the loop, with one exchange of
  // halos for all of them. Wherever the loop stops, the results have the same bits as 1000 steps
  // without a stop.
  State<double> state = pipeline.start(std::move(plate));
  while (true) {
    // both are the same on any number of ranks, to the last bit
    const double hottest = session.max(state.field), heat = session.sum(state.field);
    const std::vector<double> all = session.gather(state.field, shape);
    if (session.rank() == 0) {
      std::printf("step %4d: hottest %7.3f, heat %.17g\n", int(state.steps_done), hottest, heat);
      write("heat_" + std::to_string(state.steps_done) + ".f64", all);
    }
    if (state.steps_done == pipeline.steps()) break;
    pipeline.advance(state, state.steps_done + 100);
  }
}
