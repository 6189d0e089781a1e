// A user's program: every rank writes its part of a stack of grids to an HDF5 file and reads it.
#include <cstdio>
#include <stencil/io.hpp>
#include <stencil/stencil.hpp>

using namespace stencil;

namespace {

float value(const Point& p) {
  return float(p[0] * 10000 + p[1] * 100 + p[2]);
}

template <class F>
void for_each(const Box& box, const F& call) {
  for (Index b = box.first[0]; b < box.last[0]; ++b)
    for (Index y = box.first[1]; y < box.last[1]; ++y)
      for (Index x = box.first[2]; x < box.last[2]; ++x)
        call(Point{b, y, x}, Point{b - box.first[0], y - box.first[1], x - box.first[2]});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  SessionOptions options;
  options.backend = Backend::cpu;
  options.on_failure = OnFailure::ends_job;
  Session session(options);

  const NormalForm form({4, 7, 9}, {1, 2});
  const Decomposition blocks(form.shape(), {1, session.size(), 1});
  Field<float> field = session.make_field<float>(blocks, {});
  const Box mine = field.subdomain().owned;
  const FieldView<float> owned = field.owned();
  for_each(mine,
           [&](const Point& world, const Point& p) { owned.at(p[0], p[1], p[2]) = value(world); });

  const std::string file = argv[1];
  // example
  OutputSpec spec;
  spec.file = file;
  spec.dataset = "/grids";
  spec.form = form;        // the shape of the dataset, and the axes that are y and x
  spec.chunk = {1, 4, 9};  // without it, the points are contiguous in the file
  spec.gzip_level = 4;
  OutputFile output(session.communicator(), spec);
  output.write<float>(field.subdomain().owned, field.owned());  // each rank writes its own points
  // reads the points back from the disk, compares them, and gives the file its name
  output.commit();
  // end
  for_each(mine, [&](const Point&, const Point& p) { owned.at(p[0], p[1], p[2]) = -1; });

  Index wrong = 0;
  // example
  std::string found;  // properties of the dataset: rank 0 reads them and broadcasts them
  session.communicator().agree([&] {
    if (session.rank() == 0) found = serialize(probe_dataset(file, "/grids"));
  });
  session.communicator().broadcast(found, 0);
  const InputDataset input(facts_from(found));
  input.read<float>(form, field.subdomain().owned, field.owned(), {});
  // end
  for_each(mine, [&](const Point& world, const Point& p) {
    wrong += owned.at(p[0], p[1], p[2]) != value(world);
  });
  wrong = session.communicator().sum(wrong);
  if (session.rank() == 0) std::printf("%lld points are wrong\n", (long long)wrong);
  return wrong == 0 ? 0 : 1;
}
