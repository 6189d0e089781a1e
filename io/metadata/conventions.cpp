#include "io/metadata/conventions.hpp"

#include "io/metadata/fibre_conventions.hpp"
#include "io/metadata/grid_conventions.hpp"
#include "io/metadata/signal_conventions.hpp"

namespace stencil::storage {

const std::vector<Convention>& conventions() {
  static const std::vector<Convention> all = [] {
    std::vector<Convention> rows;
    for (const auto* some : {&fibre_conventions(), &signal_conventions(), &grid_conventions()})
      rows.insert(rows.end(), some->begin(), some->end());
    return rows;
  }();
  return all;
}

}  // namespace stencil::storage
