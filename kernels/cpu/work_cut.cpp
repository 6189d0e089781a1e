#include "kernels/cpu/work_cut.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>

namespace stencil::cpu {
namespace {

constexpr Index cache_bytes = 384 << 10;  // server processors have 1 MiB and more
constexpr Index narrowest_panel = 512;
constexpr Index widest_panel = 32768;
constexpr Index pieces_per_thread = 4;
constexpr Index panel_step = 64;  // points; a multiple of the points of a vector

Index divide_up(Index a, Index b) {
  return (a + b - 1) / b;
}

}  // namespace

WorkCut::WorkCut(const Point& extent, Index panel, Index overlap, int threads) : extent_(extent) {
  const Index wanted = threads > 1 ? pieces_per_thread * threads : 1;
  const Index thinnest = std::max<Index>(4, 4 * overlap);
  const Index most_strips = std::max<Index>(1, extent[1] / thinnest);
  // If there are few rows, as in a single long signal, the panels are so narrow that every thread
  // has work.
  const Index needed_panels = divide_up(wanted, extent[0] * most_strips);
  panel = std::min(panel, std::max(narrowest_panel, divide_up(extent[2], needed_panels)));
  panel_ = divide_up(divide_up(extent[2], divide_up(extent[2], panel)), panel_step) * panel_step;
  panel_ = std::min(panel_, extent[2]);
  panels_ = divide_up(extent[2], panel_);

  const Index others = extent[0] * panels_;
  strips_ = std::clamp<Index>(divide_up(wanted, others), 1, most_strips);
  // Two strips compute some intermediate rows twice, which is better than leaving threads idle.
  if (others * strips_ < threads) strips_ = std::min(extent[1], divide_up(threads, others));
  strip_ = divide_up(extent[1], strips_);
  if (strip_ > 4) strip_ = divide_up(strip_, 4) * 4;
  strips_ = divide_up(extent[1], strip_);
}

Box WorkCut::piece(Index n) const {
  const Index panel = n % panels_, strip = n / panels_ % strips_, b = n / panels_ / strips_;
  Box box;
  box.set(batch_axis, {b, b + 1});
  box.set(y_axis, {strip * strip_, std::min(extent_[1], (strip + 1) * strip_)});
  box.set(x_axis, {panel * panel_, std::min(extent_[2], (panel + 1) * panel_)});
  return box;
}

Index cached_panel(Index rows, Index element_size) {
  const Index points = cache_bytes / (rows * element_size) / panel_step * panel_step;
  return std::clamp(points, narrowest_panel, widest_panel);
}

bool worth_streaming(double bytes) {
  static const long last_level = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  // The system often reports the cache of a whole socket, but this process can use only a part of
  // it. The outputs of a window of 16 MiB are soon read again, when they are written to a file.
  constexpr double share = 4 << 20, window = 16 << 20;
  const double told = last_level > 0 ? double(last_level) : double(32 << 20);
  return bytes > std::min(told / 2, std::max(window, share * omp_get_max_threads()));
}

int worthwhile_threads(double multiplications) {
  return multiplications < 1e5 ? 1 : omp_get_max_threads();
}

}  // namespace stencil::cpu
