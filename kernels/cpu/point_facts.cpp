#include "kernels/cpu/point_facts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stencil {
namespace {

constexpr Index lanes = 16;  // independent maxima, for vectorization
// points of a row that are read at once, so that they are in the cache for the second pass
constexpr Index most_at_once = 4096;

template <class T>
bool is_finite(T value) {
  return std::abs(value) <= std::numeric_limits<T>::max();
}

template <class T>
T difference(T now, T before) {
  if (is_finite(now) && is_finite(before)) return std::abs(now - before);
  const bool is_same = now == before || (now != now && before != before);
  return is_same ? T{0} : std::numeric_limits<T>::infinity();
}

/// Smallest point, largest point and largest change in each lane, for points that are all finite.
template <class T>
struct Extremes {
  T least[lanes], greatest[lanes], change[lanes];
};

template <class T>
void widen(T value, T& least, T& greatest) {
  least = value < least ? value : least;
  greatest = value > greatest ? value : greatest;
}

/// @param before  may be null
/// @returns false if a point is not finite; the extremes are then undefined
template <class T>
bool take_finite(const T* now, const T* before, Index n, Extremes<T>& of) {
  constexpr T most = std::numeric_limits<T>::max();
  std::fill_n(of.least, lanes, std::numeric_limits<T>::infinity());
  std::fill_n(of.greatest, lanes, -std::numeric_limits<T>::infinity());
  std::fill_n(of.change, lanes, T{0});
  int wrong[lanes] = {};
  Index i = 0;
  for (; i + lanes <= n; i += lanes)
    for (Index k = 0; k < lanes; ++k) {
      widen(now[i + k], of.least[k], of.greatest[k]);
      wrong[k] |= !(std::abs(now[i + k]) <= most);
    }
  for (; i < n; ++i) {
    widen(now[i], of.least[0], of.greatest[0]);
    wrong[0] |= !is_finite(now[i]);
  }
  for (i = 0; before != nullptr && i + lanes <= n; i += lanes)
    for (Index k = 0; k < lanes; ++k) {
      const T change = std::abs(now[i + k] - before[i + k]);
      of.change[k] = change > of.change[k] ? change : of.change[k];
      wrong[k] |= !(change <= most);
    }
  for (; before != nullptr && i < n; ++i) {
    const T change = std::abs(now[i] - before[i]);
    of.change[0] = change > of.change[0] ? change : of.change[0];
    wrong[0] |= !is_finite(change);
  }
  return std::none_of(wrong, wrong + lanes, [](int each) { return each != 0; });
}

template <class T>
PointFacts facts_of_row(const T* now, const T* before, Index n) {
  PointFacts facts;
  Extremes<T> of;
  if (take_finite(now, before, n, of)) {
    for (Index k = 0; k < lanes; ++k) {
      facts.least = std::min(facts.least, double(of.least[k]));
      facts.greatest = std::max(facts.greatest, double(of.greatest[k]));
      facts.change = std::max(facts.change, double(of.change[k]));
    }
    return facts;
  }
  for (Index i = 0; i < n; ++i) {
    if (is_finite(now[i])) {
      facts.least = std::min(facts.least, double(now[i]));
      facts.greatest = std::max(facts.greatest, double(now[i]));
    } else {
      ++(now[i] != now[i] ? facts.nans : facts.infinities);
    }
    if (before != nullptr)
      facts.change = std::max(facts.change, double(difference(now[i], before[i])));
  }
  return facts;
}

/// Returns the sum of the results of `of(now, before, count)` for pieces of rows.
template <class Sum, class T, class Of>
Sum sum_over_rows(FieldView<const T> now, FieldView<const T> before, const Of& of) {
  Sum sum;
  if (points(now.extent) == 0) return sum;
  const Index pieces = (now.extent[2] - 1) / most_at_once + 1, rows = now.extent[1];
  const Index all = now.extent[0] * rows * pieces;
#pragma omp parallel
  {
    Sum own;
#pragma omp for schedule(static) nowait
    for (Index at = 0; at < all; ++at) {
      const Index b = at / (rows * pieces), y = at / pieces % rows, x = at % pieces * most_at_once;
      const T* const was = before.data == nullptr ? nullptr : &before.at(b, y, x);
      own += of(&now.at(b, y, x), was, std::min(most_at_once, now.extent[2] - x));
    }
#pragma omp critical
    sum += own;
  }
  return sum;
}

}  // namespace

PointFacts& PointFacts::operator+=(const PointFacts& other) {
  nans += other.nans;
  infinities += other.infinities;
  least = std::min(least, other.least);
  greatest = std::max(greatest, other.greatest);
  change = std::max(change, other.change);
  return *this;
}

SquareSum& SquareSum::operator+=(const SquareSum& other) {
  for (std::size_t i = 0; i < limbs.size(); ++i) limbs[i] += other.limbs[i];
  return *this;
}

double SquareSum::value() const {
  return std::ldexp(double(limbs[0]), -60) + std::ldexp(double(limbs[1]), -40) +
         std::ldexp(double(limbs[2]), -20);
}

template <class T>
PointFacts facts_of(FieldView<const T> points, FieldView<const T> before) {
  return sum_over_rows<PointFacts>(points, before, facts_of_row<T>);
}

template <class T>
SquareSum squares_of_change(FieldView<const T> points, FieldView<const T> before, double scale) {
  return sum_over_rows<SquareSum>(points, before, [&](const T* now, const T* was, Index n) {
    constexpr std::uint64_t twenty_bits = (1U << 20) - 1;
    SquareSum sum;
    for (Index i = 0; i < n; ++i) {
      const double share = double(difference(now[i], was[i])) / scale;
      const auto units = static_cast<std::uint64_t>(share * share * 0x1p60);
      sum.limbs[0] += static_cast<Index>(units & twenty_bits);
      sum.limbs[1] += static_cast<Index>(units >> 20 & twenty_bits);
      sum.limbs[2] += static_cast<Index>(units >> 40);
    }
    return sum;
  });
}

template PointFacts facts_of(FieldView<const float>, FieldView<const float>);
template PointFacts facts_of(FieldView<const double>, FieldView<const double>);
template SquareSum squares_of_change(FieldView<const float>, FieldView<const float>, double);
template SquareSum squares_of_change(FieldView<const double>, FieldView<const double>, double);

}  // namespace stencil
