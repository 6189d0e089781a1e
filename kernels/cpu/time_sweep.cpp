// Size and layout of the memory of the levels of a TimeSweep.
#include "kernels/cpu/time_sweep.hpp"

#include <algorithm>

#include "kernels/cpu/row_ring.hpp"

namespace stencil::cpu {
namespace {

template <class T>
constexpr Index line = 64 / Index(sizeof(T));

Index round_up(Index value, Index multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

template <class T>
Index TimeSweep<T>::group() const {
  if (shares_rows()) return 8;
  return three_by_three ? 4 : std::min<Index>(most_rows, stencil.height);
}

template <class T>
bool TimeSweep<T>::shares_rows() const {
  // if the centre is elsewhere, mirrored rows might be read after they have been overwritten
  return three_by_three && edges.axis[0].low == 1 && edges.axis[0].high == 1;
}

template <class T>
Index TimeSweep<T>::rows() const {
  if (shares_rows()) return 2 * (stencil.height - 1);
  const Index rows = group() + stencil.height - 1;
  return three_by_three ? rows : round_up(rows, group());
}

template <class T>
Index TimeSweep<T>::keepers() const {
  // with a mask of one row, rows of a level are not needed after the next level has read them
  return std::min<Index>(stencil.height == 1 ? 2 : steps, steps);
}

template <class T>
Index TimeSweep<T>::lead() const {
  // a narrow piece at the edge of the world also stores the points that are mirrored at the edge
  const StepAxis& x = edges.axis[1];
  return round_up(is_separable() ? x.low : (steps + 1) * x.low + x.high + 1, line<T>);
}

template <class T>
Index TimeSweep<T>::widest(Index width) const {
  const StepAxis& x = edges.axis[1];
  return lead() + width + (steps + 1) * (x.low + x.high) + std::max(x.low, x.high) + 1;
}

template <class T>
Index TimeSweep<T>::constant_size(Index width) const {
  return round_up(widest(width), line<T>);
}

template <class T>
Index TimeSweep<T>::memory(Index width) const {
  const Index columns = widest(width);
  const Index passing = shares_rows() ? 2 * (group() - (stencil.height - 1)) : 0;
  return constant_size(width) + RowRing<T>::size(group() + passing + keepers() * rows(), columns);
}

template <class T>
std::vector<T*> TimeSweep<T>::rows_of(Index level, Index pitch, T* memory) const {
  std::vector<T*> list;
  if (!shares_rows()) {
    T* const own = memory + level % keepers() * rows() * pitch;
    for (Index k = 0; k < rows(); ++k) list.push_back(own + k * pitch);
    return list;
  }
  const Index kept = stencil.height - 1, passing = group() - kept;
  T* const shared = memory + level % 2 * passing * pitch;
  T* const own = memory + (2 * passing + level % keepers() * rows()) * pitch;
  for (Index n = 0; n < 2; ++n) {
    for (Index k = 0; k < passing; ++k) list.push_back(shared + k * pitch);
    for (Index k = 0; k < kept; ++k) list.push_back(own + (n * kept + k) * pitch);
  }
  return list;
}

template struct TimeSweep<float>;
template struct TimeSweep<double>;

}  // namespace stencil::cpu
