#pragma once

namespace stencil::generated {

/// The arguments of one launch of step_walk.cu except the taps. Distances are in elements.
template <class T>
struct StepArguments {
  const T* source;  ///< the point of the first output
  T* target;        ///< the first output
  long source_batch, source_row, target_batch, target_row;
  int rows, columns;  ///< of outputs, of each batch; columns are a multiple of 16 bytes
  int part;           ///< rows of outputs of a block
};

/// BoundaryRule for device code.
enum class TileRule { reflect, mirror, nearest, wrap, constant };

/// An area of outputs, cut into tiles; points are counted as the block's are.
struct TileArea {
  long first[2], last[2];  ///< along y and x
  int side[2];             ///< of a tile
  long across, tiles;      ///< tiles side by side; all
};

/// The arguments of one launch of step_tiles.cu except the taps.
template <class T>
struct TileArguments {
  static constexpr int most_areas = 4;
  const T* source;  ///< the block's first point; ghosts lie around it
  T* target;
  long source_batch, source_row, target_batch, target_row;
  int depth;                           ///< steps
  long world_first[2], world_last[2];  ///< all points of the world along y and x
  TileRule rule[2];
  T value;  ///< beyond an edge of the world, where a rule is `constant`
  TileArea areas[most_areas];
  long tiles;  ///< of all areas, of one batch
};

}  // namespace stencil::generated
