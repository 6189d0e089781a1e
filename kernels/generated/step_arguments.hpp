#pragma once

namespace stencil::generated {

/// Arguments of one launch of step_walk.cu, without the taps. Distances are in elements.
template <class T>
struct StepArguments {
  const T* source;  ///< the input point at the position of the first output
  T* target;        ///< the first output
  long source_batch, source_row, target_batch, target_row;
  int rows, columns;  ///< outputs of each batch; columns are a multiple of 16 bytes
  int part;           ///< number of rows of outputs of a block
};

/// BoundaryRule for device code.
enum class TileRule { reflect, mirror, nearest, wrap, constant };

/// An area of outputs that is cut into tiles. Indices are those of the block.
struct TileArea {
  long first[2], last[2];  ///< first and last index along y and x
  int side[2];             ///< numbers of rows and columns of a tile
  long across, tiles;      ///< number of tiles side by side, and of all tiles
};

/// Arguments of one launch of step_tiles.cu, without the taps.
template <class T>
struct TileArguments {
  static constexpr int most_areas = 4;
  const T* source;  ///< first point of the block, with ghost points around the block
  T* target;
  long source_batch, source_row, target_batch, target_row;
  int depth;                           ///< number of steps
  long world_first[2], world_last[2];  ///< all points of the world along y and x
  TileRule rule[2];
  T value;  ///< value beyond an edge of the world, for the rule `constant`
  TileArea areas[most_areas];
  long tiles;  ///< number of tiles of all areas in one batch
};

}  // namespace stencil::generated
