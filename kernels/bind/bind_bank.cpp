#include "kernels/bind/bind_bank.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/bind/bind_stencil.hpp"
#include "kernels/bind/kernel_name.hpp"
#include "kernels/cpu/fft_bank_walk.hpp"
#include "kernels/cpu/vector_extension.hpp"

namespace stencil {
namespace {

/// Returns the view of the outputs of one filter, from the view of the outputs of all filters.
template <class T>
FieldView<T> of_filter(FieldView<T> target, Index filter, Index filters) {
  return {target.data + filter * target.batch_pitch,
          {target.extent[batch_axis] / filters, target.extent[y_axis], target.extent[x_axis]},
          target.batch_pitch * filters,
          target.row_pitch};
}

/// Computes one filter after the other, each as if it were bound separately.
template <class T>
class FilterByFilter : public BoundStencil<T> {
 public:
  FilterByFilter(Executor& executor, const std::vector<Stencil<T>>& filters)
      : height_(filters.front().height),
        width_(filters.front().width),
        stride_(filters.front().stride) {
    for (const Stencil<T>& filter : filters) {
      if (filter.fft) blocks_ = filter.fft->blocks;
      if (filter.fft_tiles) tiles_ = filter.fft_tiles->tiles;
      reads_whole_.push_back(filter.fft || filter.fft_tiles);
      kernels_.push_back(bind_stencil<T>(executor, filter));
    }
  }

  std::string name() const override {
    return fmt::format("{}, {} filters", kernels_.front()->name(), kernels_.size());
  }
  void run(FieldView<const T> source, FieldView<T> target, Lane lane,
           const Anchor& anchor) const override {
    const auto filters = std::ssize(kernels_);
    for (Index k = 0; k < filters; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const FieldView<T> own = of_filter(target, k, filters);
      kernels_[at]->run(reads_whole_[at] ? source : under_mask(source, own.extent, anchor), own,
                        lane, anchor);
    }
  }

 private:
  /// Returns the part of `source` that a directly summed filter reads. The source may be larger
  /// than this part, because filters with Method::fft need the inputs of whole blocks or tiles.
  FieldView<const T> under_mask(FieldView<const T> source, const Point& outputs,
                                const Anchor& anchor) const {
    const auto part = [](const auto& cut, Index first, Index count, Index all, Index stride,
                         Index taps) {
      const Interval wanted{first, first + count};
      const Index before = cut.reads(wanted, stride, all > 0 ? all : wanted.last).first;
      const Index begin = first * stride - before;
      return Interval{begin, begin + (count - 1) * stride + taps};
    };
    Box box = make_box(source.extent);
    if (!tiles_.empty()) {
      box.set(y_axis,
              part(tiles_.y, anchor.first_row, outputs[y_axis], anchor.rows, stride_[0], height_));
      box.set(x_axis, part(tiles_.x, anchor.first_output, outputs[x_axis], anchor.axis_outputs,
                           stride_[1], width_));
    } else if (blocks_.points > 0) {
      const bool along_x = height_ == 1;
      const int axis = along_x ? x_axis : y_axis;
      box.set(axis, part(blocks_, anchor.first_output, outputs[axis], anchor.axis_outputs,
                         stride_[along_x ? 1 : 0], height_ * width_));
    }
    return source.window(box);
  }

  Index height_, width_;
  std::array<Index, 2> stride_;
  FftBlocks blocks_{};  ///< blocks of the filters with Method::fft
  FftTiles tiles_{};    ///< tiles of the filters with Method::fft
  std::vector<bool> reads_whole_;
  std::vector<std::unique_ptr<BoundStencil<T>>> kernels_;
};

/// Computes all filters with one transform of the inputs.
template <class T>
class CpuFftBank : public BoundStencil<T> {
 public:
  explicit CpuFftBank(std::vector<Stencil<T>> filters) : filters_(std::move(filters)) {}

  std::string name() const override {
    return fmt::format("{}, {} filters", kernel_name(filters_.front()), filters_.size());
  }
  void run(FieldView<const T> source, FieldView<T> target, Lane,
           const Anchor& anchor) const override {
    if (points(target.extent) == 0) return;
    cpu::walk_fft_bank(filters_, cpu::row_kernels<T>(cpu::vector_extension()), source, target,
                       anchor);
  }

 private:
  std::vector<Stencil<T>> filters_;
};

}  // namespace

bool shares_transforms(const std::vector<MethodChoice>& bank, bool renormalizes) {
  const auto by_lines = [](const MethodChoice& choice) {
    return choice.method == Method::fft && choice.mask.taps.height == 1;
  };
  return !bank.empty() && !renormalizes && std::all_of(bank.begin(), bank.end(), by_lines);
}

template <class T>
std::unique_ptr<BoundStencil<T>> bind_bank(Executor& executor, std::vector<Stencil<T>> filters) {
  const auto by_lines = [](const Stencil<T>& filter) {
    return filter.fft.has_value() && filter.height == 1 && !filter.min_valid;
  };
  if (executor.is_host() && std::all_of(filters.begin(), filters.end(), by_lines))
    return std::make_unique<CpuFftBank<T>>(std::move(filters));
  return std::make_unique<FilterByFilter<T>>(executor, filters);
}

template std::unique_ptr<BoundStencil<float>> bind_bank(Executor&, std::vector<Stencil<float>>);
template std::unique_ptr<BoundStencil<double>> bind_bank(Executor&, std::vector<Stencil<double>>);

}  // namespace stencil
