#include <cstdint>

#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile.cuh"

namespace stencil::cuda {

template <class T>
TilePlace place_tiles(const KernelArguments<T>& arguments, int lead) {
  const auto bytes = [](long elements) { return std::uintptr_t(elements) * sizeof(T); };
  const auto address = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const std::uintptr_t targets = (arguments.rows > 1 ? bytes(arguments.target_row) : 0) |
                                 (arguments.batches > 1 ? bytes(arguments.target_batch) : 0);
  TilePlace place;
  place.aligned_target = targets % 16 == 0;
  if (place.aligned_target)
    place.shift = int(address(arguments.target) % (targets % 64 == 0 ? 64 : 16) / sizeof(T));
  // the pitch of rows matters even for one row: the last 16 bytes of a copy may extend beyond the
  // last input
  const std::uintptr_t sources = (address(arguments.source) - bytes(place.shift + lead)) |
                                 bytes(arguments.source_row) |
                                 (arguments.batches > 1 ? bytes(arguments.source_batch) : 0);
  place.bulk = sources % 16 == 0;
  return place;
}

template <class T>
int lead_of_tiles(const KernelArguments<T>& arguments, int unit) {
  const long first = long(reinterpret_cast<std::uintptr_t>(arguments.source) / sizeof(T)) -
                     place_tiles(arguments, 0).shift;
  return int(first % unit);
}

template <class T>
bool has_bulk_tiles(const KernelArguments<T>& arguments) {
  return place_tiles(arguments, tile_lead<T>(arguments.width)).bulk;
}

template bool has_bulk_tiles(const KernelArguments<float>&);
template bool has_bulk_tiles(const KernelArguments<double>&);
template TilePlace place_tiles(const KernelArguments<float>&, int);
template TilePlace place_tiles(const KernelArguments<double>&, int);
template int lead_of_tiles(const KernelArguments<float>&, int);
template int lead_of_tiles(const KernelArguments<double>&, int);

}  // namespace stencil::cuda
