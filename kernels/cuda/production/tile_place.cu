#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/cuda/production/tile.cuh"

namespace stencil::cuda {

template <class T>
TilePlace place_tiles(const Sweep<T>& sweep, int lead) {
  const auto bytes = [](long elements) { return std::uintptr_t(elements) * sizeof(T); };
  const auto address = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const std::uintptr_t targets = (sweep.rows > 1 ? bytes(sweep.target_row) : 0) |
                                 (sweep.batches > 1 ? bytes(sweep.target_batch) : 0);
  TilePlace place;
  place.aligned_target = targets % 16 == 0;
  if (place.aligned_target)
    place.shift = int(address(sweep.target) % (targets % 64 == 0 ? 64 : 16) / sizeof(T));
  // the row's pitch counts in any case: a copy's last 16 bytes may reach beyond the last input
  const std::uintptr_t sources = (address(sweep.source) - bytes(place.shift + lead)) |
                                 bytes(sweep.source_row) |
                                 (sweep.batches > 1 ? bytes(sweep.source_batch) : 0);
  place.bulk = sources % 16 == 0;
  return place;
}

template <class T>
int lead_of_tiles(const Sweep<T>& sweep, int unit) {
  const long first = long(reinterpret_cast<std::uintptr_t>(sweep.source) / sizeof(T)) -
                     place_tiles(sweep, 0).shift;
  return int(first % unit);
}

template <class T>
bool has_bulk_tiles(const Sweep<T>& sweep) {
  return place_tiles(sweep, tile_lead<T>(sweep.width)).bulk;
}

template bool has_bulk_tiles(const Sweep<float>&);
template bool has_bulk_tiles(const Sweep<double>&);
template TilePlace place_tiles(const Sweep<float>&, int);
template TilePlace place_tiles(const Sweep<double>&, int);
template int lead_of_tiles(const Sweep<float>&, int);
template int lead_of_tiles(const Sweep<double>&, int);

}  // namespace stencil::cuda
