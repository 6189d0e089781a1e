#pragma once

#include <functional>
#include <memory>

#include "framework/device/field_view.hpp"
#include "framework/grid/box.hpp"
#include "framework/grid/normal_form.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/probe.hpp"
#include "io/read/input_dataset.hpp"
#include "tests/io/scratch.hpp"

namespace stencil::testing {

/// Creates one scratch folder for all ranks; rank 0 owns the folder. Collective.
inline std::unique_ptr<Scratch> shared_scratch(const Communicator& all) {
  std::unique_ptr<Scratch> own;
  std::string folder;
  if (all.rank() == 0) {
    own = std::make_unique<Scratch>();
    folder = own->folder();
  }
  all.broadcast(folder, 0);
  return own ? std::move(own) : std::make_unique<Scratch>(folder);
}

/// The points that a rank writes: values of a function of the global row-major index.
template <class T>
struct OwnedBox {
  Box box;
  std::vector<T> memory;
  FieldView<const T> view;

  OwnedBox(const NormalForm& form, const Box& owned, const std::function<double(Index)>& value)
      : box(owned) {
    const Point extent = owned.extent(), shape = form.shape();
    // gaps between rows and between grids
    const Index row = extent[2] + 4, batch = row * (extent[1] + 1);
    memory.assign(static_cast<std::size_t>(batch * extent[0] + 1), T(-12345));
    const FieldView<T> target{memory.data(), extent, batch, row};
    for (Index b = 0; b < extent[0]; ++b)
      for (Index y = 0; y < extent[1]; ++y)
        for (Index x = 0; x < extent[2]; ++x)
          target.at(b, y, x) = static_cast<T>(
              value(((owned.first[0] + b) * shape[1] + owned.first[1] + y) * shape[2] +
                    owned.first[2] + x));
    view = target;
  }
};

/// Returns all points of a dataset in row-major order.
inline std::vector<double> values_of(const std::string& file, const std::string& dataset) {
  const DatasetFacts facts = probe_dataset(file, dataset);
  const NormalForm form(facts.dims, {});
  std::vector<double> values(static_cast<std::size_t>(points(form.shape())));
  InputDataset(facts).read(form, make_box(form.shape()), view_of(values.data(), form.shape()),
                           std::nullopt);
  return values;
}

}  // namespace stencil::testing
