// library_heat: time steps in a loop of the program, which inspects the field every 100 steps and
// writes it to an HDF5 file.
#include <cstdio>
#include <stencil/io.hpp>
#include <stencil/stencil.hpp>
#include <string>
#include <vector>

using namespace stencil;

/// One step of du/dt = k (d2u/dx2 + d2u/dy2), explicit Euler with k dt / h^2 = 0.2.
Stage heat_step() {
  constexpr double k = 0.2;
  return {.name = "heat",
          .mask = Mask::grid({{0, k, 0}, {k, 1 - 4 * k, k}, {0, k, 0}}),
          .boundary = BoundaryRule::constant,  // the edge is held at 0
          .steps = 1000};
}

/// A hot bar and a hotter disk on a cold plate.
double start_at(Index y, Index x) {
  const bool in_bar = y >= 40 && y < 60 && x >= 30 && x < 230;
  const bool in_disk = (y - 160) * (y - 160) + (x - 130) * (x - 130) < 35 * 35;
  return in_disk ? 300 : in_bar ? 200 : 0;
}

/// Writes a field to the dataset /temperature of a new file; each rank writes its own points. All
/// ranks must call this function. An existing file is replaced.
void write(const Session& session, const Field<double>& field, const Point& shape,
           const std::string& file) {
  // Copies the points to host memory, because the field may be in the memory of a GPU.
  const FieldView<const double> owned = field.owned();
  const auto [batches, rows, columns] = owned.extent;
  std::vector<double> points(std::size_t(batches * rows * columns));
  const FieldView<double> copy{points.data(), owned.extent, rows * columns, columns};
  session.executor().download(rectangle_of(owned), rectangle_of(copy), sizeof(double));

  OutputSpec spec;
  spec.file = file;
  spec.dataset = "/temperature";
  spec.form = NormalForm({shape[1], shape[2]}, {0, 1});
  spec.type = ElementType::float64;
  spec.overwrite = true;
  OutputFile output(session.communicator(), spec);
  output.write<double>(field.subdomain().owned, copy);
  output.commit();
}

int main() {
  Session session({.on_failure = OnFailure::ends_job});
  const Point shape{1, 256, 256};
  Pipeline<double> pipeline(session, {heat_step()}, shape);
  Field<double> plate = pipeline.make_input();
  session.fill(plate, [](Index, Index y, Index x) { return start_at(y, x); });

  // Between two calls of advance(), several steps are computed in one sweep, with one exchange of
  // halos for all of them. The results have the same bits as those of 1000 uninterrupted steps.
  State<double> state = pipeline.start(std::move(plate));
  while (true) {
    // Both values have the same bits for any number of ranks.
    const double hottest = session.max(state.field), heat = session.sum(state.field);
    if (session.rank() == 0)
      std::printf("step %4d: hottest %7.3f, heat %.17g\n", int(state.steps_done), hottest, heat);
    write(session, state.field, shape, "heat_" + std::to_string(state.steps_done) + ".h5");
    if (state.steps_done == pipeline.steps()) break;
    pipeline.advance(state, state.steps_done + 100);
  }
}
