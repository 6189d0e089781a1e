#include "kernels/cpu/fft_volume_walk.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "kernels/cpu/fft_tile_view.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/volume_cut.hpp"
#include "kernels/cpu/volume_sums.hpp"

namespace stencil::cpu {
namespace {

/// Number of planes of inputs that are kept at once: those that most_tile_sums adjacent planes of
/// outputs read.
Index ring_slots(Index depth, Index stride) {
  return depth + (most_tile_sums - 1) * stride;
}

/// Memory of one thread.
template <class T>
struct VolumeRooms {
  T *memory, *room, *ring;
  T* sums[most_tile_sums];
  unsigned char* reached;  ///< `[slots, cells]`: the cells that NaN and Inf of a plane reach
  unsigned char* is_bad;   ///< `[slots]`: 1 if a plane has NaN or Inf, else 0
  int* counts;
};

template <class T>
class FftVolumeWalk {
 public:
  FftVolumeWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                FieldView<T> target, const Anchor& anchor)
      : stencil_(stencil),
        plan_(*stencil.fft_tiles),
        kernels_(kernels),
        source_(source),
        target_(target),
        view_(plan_.tiles, source, target, stencil.stride, anchor),
        reach_(plan_.tiles),
        slots_(ring_slots(stencil.depth, stencil.plane_stride)),
        points_(2 * plan_.rows() * plan_.tiles.x.points),
        tables_{plan_.rows(),
                plan_.tiles.x.points,
                plan_.row_radices.data(),
                plan_.column_radices.data(),
                plan_.row_twiddles.data(),
                plan_.column_twiddles.data(),
                plan_.weights.data(),
                plan_.spectrum.data()} {}

  void run() const {
    const Index tiles = view_.count(), planes = planes_of_piece(tiles);
    const Index pieces = tiles * ((target_.extent[batch_axis] + planes - 1) / planes);
    const int threads = int(std::min<Index>(omp_get_max_threads(), pieces));
    const Scratch<T> memory(threads, fft_volume_scratch(plan_.tiles, stencil_.plane_stride));
    const Scratch<unsigned char> flags(threads, slots_ * (reach_.cells() + 1));
    const Scratch<int> counts(threads, reach_.counts());
    std::vector<std::vector<Box>> direct(threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (Index n = 0; n < pieces; ++n) {
      const int thread = omp_get_thread_num();
      const Index first = n / tiles * planes;
      sum({first, std::min(first + planes, target_.extent[batch_axis])}, n % tiles,
          rooms_in(memory.of_thread(thread), flags.of_thread(thread), counts.of_thread(thread)),
          direct[thread]);
    }
    std::vector<Box> all;
    for (const auto& some : direct) all.insert(all.end(), some.begin(), some.end());
    sum_directly(all);
  }

 private:
  using Tile = typename FftTileView<T>::Tile;

  /// Number of planes of outputs of a tile that one thread computes one after the other. If two
  /// threads need the same plane of inputs, both of them transform it.
  Index planes_of_piece(Index tiles) const {
    constexpr Index pieces_per_thread = 8;
    const Index planes = target_.extent[batch_axis];
    const Index wanted = pieces_per_thread * omp_get_max_threads() / std::max<Index>(1, tiles) + 1;
    const Index least = std::max<Index>(2 * stencil_.depth / stencil_.plane_stride, most_tile_sums);
    const Index each = std::max(least, (planes + wanted - 1) / wanted);
    return (each + most_tile_sums - 1) / most_tile_sums * most_tile_sums;
  }

  VolumeRooms<T> rooms_in(T* memory, unsigned char* flags, int* counts) const {
    VolumeRooms<T> rooms;
    rooms.ring = memory;
    memory += fft_tile_ring(tables_.rows, tables_.columns, slots_);
    for (T*& sums : rooms.sums) {
      sums = memory;
      memory += points_;
    }
    rooms.memory = memory;
    rooms.room = memory + fft_tile_memory(tables_.rows, tables_.columns);
    rooms.reached = flags;
    rooms.is_bad = flags + slots_ * reach_.cells();
    rooms.counts = counts;
    return rooms;
  }

  /// Computes the outputs of tile `number` in some planes.
  /// @param direct  list to which the outputs that must be summed directly are appended
  void sum(const Interval& planes, Index number, const VolumeRooms<T>& rooms,
           std::vector<Box>& direct) const {
    Tile tile = view_.tile(number);
    const Index stride = stencil_.plane_stride;
    Index next = planes.first * stride;  // first plane of inputs that is not in the ring
    for (Index b = planes.first; b < planes.last; b += most_tile_sums) {
      const int count = int(std::min<Index>(most_tile_sums, planes.last - b));
      const Index end = (b + count - 1) * stride + stencil_.depth;
      for (next = std::max(next, b * stride); next < end; ++next) {
        tile.b = next;
        take_plane(tile, next % slots_, rooms);
      }
      kernels_.sum_tiles(
          tables_,
          {{rooms.ring, slots_}, b * stride % slots_, stencil_.depth, stride, count, rooms.sums});
      for (int r = 0; r < count; ++r) {
        tile.b = b + r;
        give_plane(tile, rooms.sums[r], rooms, direct);
      }
    }
  }

  /// Transforms the inputs of the tile in one plane, with NaN and Inf replaced by 0, and stores the
  /// result in a slot.
  void take_plane(const Tile& tile, Index slot, const VolumeRooms<T>& rooms) const {
    FftTile<T> work = view_.in_room(rooms.room);
    const T* from = view_.input(tile);
    bool is_finite = true;
    for (Index row = 0; row < tile.y.inputs && is_finite; ++row)
      is_finite = kernels_.all_finite(from + row * source_.row_pitch, tile.x.inputs);
    rooms.is_bad[slot] = is_finite ? 0 : 1;
    if (is_finite && view_.reads_all(tile)) {
      work.lead = plan_.tiles.x.lead;
      work.source = from;
      work.source_pitch = source_.row_pitch;
    } else {
      view_.copy_inputs(tile, rooms.room);
    }
    if (!is_finite)
      reach_.clean(rooms.room + plan_.tiles.x.lead, view_.pitch(), rooms.counts,
                   rooms.reached + slot * reach_.cells());
    kernels_.transform_tile(tables_, work, rooms.memory, {rooms.ring, slots_}, slot);
  }

  /// Transforms a sum back to the tile's outputs in one plane.
  void give_plane(const Tile& tile, T* sum, const VolumeRooms<T>& rooms,
                  std::vector<Box>& direct) const {
    FftTile<T> work = view_.in_room(rooms.room);
    const bool straight = view_.wants_all(tile);
    if (straight) {
      work.target = view_.output(tile);
      work.target_pitch = target_.row_pitch;
    }
    const bool overflows = kernels_.invert_tile(tables_, work, sum, rooms.memory);
    if (!straight) view_.take(tile, rooms.room);
    std::vector<unsigned char> reached(reach_.cells(), overflows ? 1 : 0);
    bool any = overflows;
    const Index first = tile.b * stencil_.plane_stride;
    for (Index plane = first; plane < first + stencil_.depth; ++plane) {
      const Index slot = plane % slots_;
      if (rooms.is_bad[slot] == 0) continue;
      any = true;
      const unsigned char* const of_plane = rooms.reached + slot * reach_.cells();
      for (Index cell = 0; cell < reach_.cells(); ++cell) reached[cell] |= of_plane[cell];
    }
    if (any) view_.add_pieces(tile, reach_, reached.data(), direct);
  }

  void sum_directly(const std::vector<Box>& pieces) const {
    const int threads = int(std::min<std::size_t>(omp_get_max_threads(), pieces.size()));
    if (threads == 0) return;
    const VolumeShape shape(stencil_);
    const auto sums = make_volume_sums(stencil_, kernels_, target_.extent);
    const Scratch<T> memory(threads, sums->elements());
    const Scratch<const T*> rows(threads, sums->pointers());
    const FieldView<const T> source = view_.under_outputs();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (const Box& piece : pieces) {
      const int thread = omp_get_thread_num();
      sums->sum(source.window(shape.inputs_of(piece)), target_.window(piece), false,
                memory.of_thread(thread), rows.of_thread(thread));
    }
  }

  const Stencil<T>& stencil_;
  const FftTilePlan<T>& plan_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  FftTileView<T> view_;
  FftTileReach reach_;
  Index slots_, points_;
  FftTileTables<T> tables_;
};

}  // namespace

Index fft_volume_scratch(const FftTiles& tiles, Index plane_stride) {
  const Index rows = tiles.y.points / 2, columns = tiles.x.points;
  const Index kept = fft_tile_ring(rows, columns, ring_slots(tiles.depth, plane_stride));
  const Index sums = checked_multiply(most_tile_sums, 2 * rows * columns);
  const Index room = checked_multiply(tiles.y.points, room_pitch(tiles));
  // the copy of a tile begins after the memory of a transform, which may end within a line
  constexpr Index line = 64;
  return checked_add(checked_add(kept, sums),
                     checked_add(checked_add(fft_tile_memory(rows, columns), room), line));
}

template <class T>
void walk_fft_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                     FieldView<const T> source, FieldView<T> target, const Anchor& anchor) {
  FftVolumeWalk<T>(stencil, kernels, source, target, anchor).run();
}

template void walk_fft_volume(const Stencil<float>&, const RowKernels<float>&,
                              FieldView<const float>, FieldView<float>, const Anchor&);
template void walk_fft_volume(const Stencil<double>&, const RowKernels<double>&,
                              FieldView<const double>, FieldView<double>, const Anchor&);

}  // namespace stencil::cpu
