#include "kernels/bind/channel_transforms.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/bind/bind_bank.hpp"
#include "kernels/bind/kernel_name.hpp"
#include "kernels/channels/channel_stencil.hpp"
#include "kernels/cpu/scratch.hpp"

namespace stencil {
namespace {

/// Number of points of a part of the outputs, unless a single block or tile has more. The results
/// of one input channel are then still in a cache when they are added to those of the others.
constexpr Index points_of_part = Index{1} << 20;

/// Returns the numbers of dense outputs along y and x that one transform computes.
std::array<Index, 2> units_of(const MethodChoice& choice) {
  if (!choice.tiles.empty()) return {choice.tiles.y.outputs(), choice.tiles.x.outputs()};
  const bool along_x = choice.mask.taps.height == 1;
  return {along_x ? 1 : choice.blocks.pair(), along_x ? choice.blocks.pair() : 1};
}

/// Returns the largest multiple of `unit` that is at most `most`; at least `unit`.
Index whole_units(Index most, Index unit) {
  return std::max(most / unit, Index{1}) * unit;
}

/// Returns the numbers of images, rows and columns of the parts in which a view of outputs is
/// computed. The last parts of an axis may be smaller.
///
/// @param channels  output channels of an image
Point length_of_parts(const MethodChoice& choice, Index channels, const Point& outputs) {
  const auto [unit_y, unit_x] = units_of(choice);
  const Index most = std::max<Index>(points_of_part / channels, 1);
  const Index images = outputs[batch_axis] / channels, rows = outputs[y_axis],
              columns = outputs[x_axis];
  if (std::min(unit_y, rows) * columns > most)
    return {1, std::min(unit_y, rows), std::min(whole_units(most / unit_y, unit_x), columns)};
  if (rows * columns > most)
    return {1, std::min(whole_units(most / columns, unit_y), rows), columns};
  return {std::min(most / (rows * columns), images), rows, columns};
}

/// Adds one view to another of the same extent. Every NaN of the result is the same quiet NaN.
template <class T>
void add(FieldView<const T> more, FieldView<T> sum) {
  constexpr Index piece = 1 << 13;
  const Index rows = sum.extent[batch_axis] * sum.extent[y_axis], width = sum.extent[x_axis];
#pragma omp parallel for collapse(2) schedule(static)
  for (Index row = 0; row < rows; ++row)
    for (Index first = 0; first < width; first += piece) {
      const Index b = row / sum.extent[y_axis], y = row % sum.extent[y_axis];
      const T* const from = &more.at(b, y, 0);
      T* const to = &sum.at(b, y, 0);
      for (Index x = first; x < std::min(width, first + piece); ++x) {
        const T value = to[x] + from[x];
        to[x] = value == value ? value : std::numeric_limits<T>::quiet_NaN();
      }
    }
}

/// Returns one channel of a view of whole images.
template <class T>
FieldView<T> channel_of(FieldView<T> view, Index channels, Index channel) {
  return {view.data + channel * view.batch_pitch,
          {view.extent[batch_axis] / channels, view.extent[y_axis], view.extent[x_axis]},
          view.batch_pitch * channels,
          view.row_pitch};
}

template <class T>
class ChannelTransforms : public BoundStencil<T> {
 public:
  ChannelTransforms(Executor& executor, const ChannelMask& mask, const MethodChoice& choice,
                    std::array<Index, 2> stride)
      : in_(mask.in), out_(mask.out), choice_(choice), stride_(stride) {
    const bool shares = shares_transforms({choice}, false);
    for (Index c = 0; c < in_; ++c) {
      std::vector<Stencil<T>> filters;
      for (Index o = 0; o < out_; ++o)
        filters.push_back(make_stencil<T>(plane_of(mask, o, c), Method::fft, stride, {},
                                          choice.blocks, choice.tiles,
                                          shares && o > 0 ? FftTables::spectrum : FftTables::made));
      if (c == 0) name_ = channel_transform_name(kernel_name(filters.front()), mask);
      banks_.push_back(bind_bank<T>(executor, std::move(filters)));
    }
  }

  std::string name() const override { return name_; }

  void run(FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor& anchor) const override {
    images_in(in_, out_, source.extent, target.extent);
    if (points(target.extent) == 0) return;
    const Point images{target.extent[batch_axis] / out_, target.extent[y_axis],
                       target.extent[x_axis]};
    const Point length = in_ > 1 ? length_of_parts(choice_, out_, target.extent) : images;
    const cpu::Scratch<T> scratch(1, in_ > 1 ? out_ * points(length) : 0);
    for (Index b = 0; b < images[batch_axis]; b += length[batch_axis])
      for (Index y = 0; y < images[y_axis]; y += length[y_axis])
        for (Index x = 0; x < images[x_axis]; x += length[x_axis]) {
          Box part;
          part.set(batch_axis, {b, std::min(b + length[batch_axis], images[batch_axis])});
          part.set(y_axis, {y, std::min(y + length[y_axis], images[y_axis])});
          part.set(x_axis, {x, std::min(x + length[x_axis], images[x_axis])});
          sum(part, source, target, lane, anchor, scratch.of_thread(0));
        }
  }

 private:
  /// Computes a part of the outputs: images, rows and columns of all channels.
  void sum(Box part, FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor& anchor, T* scratch) const {
    const Anchor own = anchor_of(part, anchor, target.extent);
    Box inputs = part;
    for (const int axis : {y_axis, x_axis})
      inputs.set(axis, inputs_of(axis, {part.first[axis], part.last[axis]}, anchor, target.extent));
    inputs.set(batch_axis, {in_ * part.first[0], in_ * part.last[0]});
    part.set(batch_axis, {out_ * part.first[0], out_ * part.last[0]});
    source = source.window(inputs);
    target = target.window(part);
    banks_.front()->run(channel_of(source, in_, 0), target, lane, own);
    for (Index c = 1; c < in_; ++c) {
      const Point& extent = target.extent;
      const FieldView<T> more{scratch, extent, extent[y_axis] * extent[x_axis], extent[x_axis]};
      banks_[static_cast<std::size_t>(c)]->run(channel_of(source, in_, c), more, lane, own);
      add<T>(more, target);
    }
  }

  bool is_transformed(int axis) const {
    const bool along_x = choice_.mask.taps.height == 1;
    return !choice_.tiles.empty() || axis == (along_x ? x_axis : y_axis);
  }

  /// Returns the first output of the view and the number of outputs of the whole axis.
  std::array<Index, 2> place_of(int axis, const Anchor& anchor, const Point& outputs) const {
    const bool by_rows = !choice_.tiles.empty() && axis == y_axis;
    const Index first = by_rows ? anchor.first_row : anchor.first_output;
    const Index all = by_rows ? anchor.rows : anchor.axis_outputs;
    return {first, all > 0 ? all : first + outputs[axis]};
  }

  /// Returns the inputs of some outputs, both by index in the views.
  Interval inputs_of(int axis, const Interval& outputs, const Anchor& anchor,
                     const Point& extent) const {
    const Index stride = stride_[axis == x_axis ? 1 : 0];
    if (!is_transformed(axis)) return {outputs.first * stride, (outputs.last - 1) * stride + 1};
    const auto place = place_of(axis, anchor, extent);
    const Index first = place[0], all = place[1];
    const auto reads = [&](const Interval& some) {
      const FftTiles& tiles = choice_.tiles;
      return tiles.empty() ? choice_.blocks.reads(some, stride, all)
                           : (axis == x_axis ? tiles.x : tiles.y).reads(some, stride, all);
    };
    const Interval part = reads({first + outputs.first, first + outputs.last});
    const Index begin = reads({first, first + extent[axis]}).first;
    return {part.first - begin, part.last - begin};
  }

  Anchor anchor_of(const Box& part, const Anchor& anchor, const Point& extent) const {
    Anchor own = anchor;
    const int main = is_transformed(x_axis) ? x_axis : y_axis;
    const auto along = place_of(main, anchor, extent);
    own.first_output = along[0] + part.first[main];
    own.axis_outputs = along[1];
    if (!choice_.tiles.empty()) {
      const auto rows = place_of(y_axis, anchor, extent);
      own.first_row = rows[0] + part.first[y_axis];
      own.rows = rows[1];
    }
    return own;
  }

  Index in_, out_;
  MethodChoice choice_;
  std::array<Index, 2> stride_;
  std::string name_;
  std::vector<std::unique_ptr<BoundStencil<T>>> banks_;  ///< one for each input channel
};

}  // namespace

std::string channel_transform_name(const std::string& of_plane, const ChannelMask& mask) {
  return fmt::format("{}, {} -> {} channels", of_plane, mask.in, mask.out);
}

Index channel_transform_scratch(const ChannelMask& mask, const MethodChoice& choice,
                                Index outputs) {
  if (mask.in == 1) return 0;
  const auto [rows, columns] = units_of(choice);
  const Index unit = checked_multiply(mask.out, checked_multiply(rows, columns));
  return std::min(outputs, std::max(points_of_part, unit));
}

template <class T>
std::unique_ptr<BoundStencil<T>> bind_channel_transforms(Executor& executor,
                                                         const ChannelMask& mask,
                                                         const MethodChoice& choice,
                                                         std::array<Index, 2> stride) {
  return std::make_unique<ChannelTransforms<T>>(executor, mask, choice, stride);
}

template std::unique_ptr<BoundStencil<float>> bind_channel_transforms(Executor&, const ChannelMask&,
                                                                      const MethodChoice&,
                                                                      std::array<Index, 2>);
template std::unique_ptr<BoundStencil<double>> bind_channel_transforms(Executor&,
                                                                       const ChannelMask&,
                                                                       const MethodChoice&,
                                                                       std::array<Index, 2>);

}  // namespace stencil
