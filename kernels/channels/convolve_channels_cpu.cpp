#include "kernels/channels/convolve_channels_cpu.hpp"

#include <omp.h>

#include <algorithm>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil {
namespace {

/// Some output channels of one group that are computed at the same time. Their taps are
/// interleaved.
template <class T>
struct Bundle {
  Index first = 0;  ///< first output channel of the bundle
  int count = 0;
  std::vector<T> values;  ///< `[taps, count]`
};

template <class T>
std::vector<Bundle<T>> bundles_of(const ChannelStencil<T>& stencil) {
  const Index taps = stencil.taps_per_output(), most = cpu::most_channels;
  std::vector<Bundle<T>> bundles;
  for (Index group = 0; group < stencil.groups; ++group)
    for (Index o = 0; o < stencil.out_per_group(); o += most) {
      const Index count = std::min(most, stencil.out_per_group() - o);
      Bundle<T> bundle{group * stencil.out_per_group() + o, int(count), {}};
      for (Index tap = 0; tap < taps; ++tap)
        for (Index k = 0; k < count; ++k)
          bundle.values.push_back(stencil.taps[(bundle.first + k) * taps + tap]);
      bundles.push_back(std::move(bundle));
    }
  return bundles;
}

/// Each thread computes a piece of the outputs of one group of one image at a time. The input rows
/// under the mask stay in the cache until all output channels of the group have been computed.
template <class T>
class ChannelWalk {
 public:
  ChannelWalk(const ChannelStencil<T>& stencil, FieldView<const T> source, FieldView<T> target)
      : stencil_(stencil),
        kernels_(cpu::row_kernels<T>(cpu::vector_extension())),
        source_(source),
        target_(target),
        images_(images_in(stencil.channels(), stencil.out, source.extent, target.extent)),
        bundles_(bundles_of(stencil)),
        stream_(cpu::worth_streaming(double(points(target.extent)) * sizeof(T))),
        threads_(cpu::worthwhile_threads(double(points(target.extent)) *
                                         double(stencil.taps_per_output()))),
        cut_({images_ * stencil.groups, target.extent[1], target.extent[2]},
             cpu::cached_panel(stencil.in * stencil.height + stencil.out_per_group(), sizeof(T)), 0,
             threads_),
        phases_(stencil.stride[1] > 1 ? std::min(stencil.stride[1], stencil.width) : 0),
        phase_pitch_(cut_.panel() + (stencil.width - 1) / stencil.stride[1]),
        offsets_(make_offsets()) {}

  void run() const {
    const cpu::Scratch<T> sorted(threads_, stencil_.in * stencil_.height * phases_ * phase_pitch_);
    const cpu::Scratch<const T*> rows(threads_, stencil_.height + cpu::most_rows);
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index n = 0; n < cut_.count(); ++n) {
      const Box piece = cut_.piece(n);
      if (shares_rows()) {
        in_groups_of_rows(piece, rows.of_thread(omp_get_thread_num()));
      } else {
        in_bundles(piece, sorted.of_thread(omp_get_thread_num()));
      }
      if (stream_) kernels_.finish_streaming();
    }
  }

 private:
  /// Returns whether several output rows of one channel are computed at the same time. This is done
  /// for depthwise masks: two output channels of such a mask have no common inputs, but two
  /// adjacent output rows have common inputs.
  bool shares_rows() const {
    return stencil_.in == 1 && stencil_.out_per_group() == 1 && stencil_.height > 1 &&
           stencil_.stride == std::array<Index, 2>{1, 1};
  }

  /// @param b  image * groups + group
  const T* inputs_of(Index b, Index y, Index x) const {
    return &source_.at(b * stencil_.in, y * stencil_.stride[0], x * stencil_.stride[1]);
  }

  /// Returns, for every tap in order, the number of elements from the first input of an output to
  /// the input under this tap. The numbers are valid in the source, whose channels are a batch
  /// pitch apart, or in the rows that sort_columns writes.
  std::vector<Index> make_offsets() const {
    std::vector<Index> offsets;
    for (Index c = 0; c < stencil_.in; ++c)
      for (Index j = 0; j < stencil_.height; ++j)
        for (Index i = 0; i < stencil_.width; ++i)
          offsets.push_back(phases_ == 0
                                ? c * source_.batch_pitch + j * source_.row_pitch + i
                                : ((c * stencil_.height + j) * phases_ + i % stencil_.stride[1]) *
                                          phase_pitch_ +
                                      i / stencil_.stride[1]);
    return offsets;
  }

  /// With a stride n along x, a tap reads every n-th column. Sorts the columns by their remainder
  /// modulo n, so that all columns that one tap reads are adjacent in memory.
  void sort_columns(const T* from, Index n, T* to) const {
    const Index step = stencil_.stride[1];
    for (Index c = 0; c < stencil_.in; ++c)
      for (Index j = 0; j < stencil_.height; ++j)
        for (Index phase = 0; phase < phases_; ++phase, to += phase_pitch_) {
          const T* row = from + c * source_.batch_pitch + j * source_.row_pitch + phase;
          const Index count = n + (stencil_.width - 1 - phase) / step;
          for (Index x = 0; x < count; ++x) to[x] = row[x * step];
        }
  }

  void in_bundles(const Box& piece, T* sorted) const {
    const Index b = piece.first[0], image = b / stencil_.groups, group = b % stencil_.groups;
    const Index in_group = Index(bundles_.size()) / stencil_.groups;
    for (Index y = piece.first[1]; y < piece.last[1]; ++y) {
      const T* from = inputs_of(b, y, piece.first[2]);
      if (phases_ > 0) {
        sort_columns(from, piece.extent()[2], sorted);
        from = sorted;
      }
      for (Index k = group * in_group; k < (group + 1) * in_group; ++k) {
        const Bundle<T>& bundle = bundles_[k];
        T* to = &target_.at(image * stencil_.out + bundle.first, y, piece.first[2]);
        kernels_.sum_channels(offsets_.data(), bundle.values.data(), Index(offsets_.size()),
                              bundle.count, from, 1, to, target_.batch_pitch, piece.extent()[2]);
      }
    }
  }

  void in_groups_of_rows(const Box& piece, const T** rows) const {
    const Index b = piece.first[0];
    const T* taps = &stencil_.taps[b % stencil_.groups * stencil_.height * stencil_.width];
    for (Index y = piece.first[1]; y < piece.last[1];) {
      const Index group = std::min({Index(cpu::most_rows), stencil_.height, piece.last[1] - y});
      for (Index k = 0; k < group + stencil_.height - 1; ++k)
        rows[k] = inputs_of(b, y + k, piece.first[2]);
      kernels_.sum_rows({.rows = rows,
                         .count = group,
                         .taps = taps,
                         .depth = 1,
                         .height = stencil_.height,
                         .width = stencil_.width,
                         .skip_zeros = false,
                         .target = &target_.at(b, y, piece.first[2]),
                         .pitch = target_.row_pitch,
                         .n = piece.extent()[2],
                         .stream = stream_});
      y += group;
    }
  }

  const ChannelStencil<T>& stencil_;
  const cpu::RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  Index images_;
  std::vector<Bundle<T>> bundles_;
  bool stream_;
  int threads_;
  cpu::WorkCut cut_;
  /// Number of remainders of the columns modulo the stride, and number of elements from the columns
  /// of one remainder to the columns of the next one.
  Index phases_, phase_pitch_;
  std::vector<Index> offsets_;
};

}  // namespace

template <class T>
void convolve_channels_cpu(const ChannelStencil<T>& stencil, FieldView<const T> source,
                           FieldView<T> target) {
  if (points(target.extent) == 0) return;
  ChannelWalk<T>(stencil, source, target).run();
}

template void convolve_channels_cpu(const ChannelStencil<float>&, FieldView<const float>,
                                    FieldView<float>);
template void convolve_channels_cpu(const ChannelStencil<double>&, FieldView<const double>,
                                    FieldView<double>);

}  // namespace stencil
