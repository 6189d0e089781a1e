#include "drivers/job/transfer/input_scale.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stencil {
namespace {

// number of points of a run: contiguous points of which only the largest is considered
constexpr Index run_points = 64;
// number of points that are compared to each other, about the size of a transform
constexpr Index group_points = 4096;

/// Returns the largest magnitude among `count` numbers, ignoring NaN and infinities.
template <class T>
T largest_of(const T* points, Index count) {
  T largest = 0;
  for (Index i = 0; i < count; ++i) {
    const T size = std::abs(points[i]);
    largest = size > largest && size <= std::numeric_limits<T>::max() ? size : largest;
  }
  return largest;
}

/// Returns the largest number of a group of points, with its sign, if at least a tenth of the other
/// points are so small that a transform of the group rounds them away. Otherwise returns 0.
/// @param mixed  number of channels that are mixed; a row of an image has as many lines
/// @param rows   rows of all images
template <class T>
double spoiler_of(const FieldView<const T>& points, Index mixed, const Interval& rows,
                  const Interval& columns) {
  std::array<T, group_points> sizes;  // magnitudes of runs, without zeros
  std::size_t count = 0;
  const T* place = nullptr;  // first point of the run with the largest magnitude
  T largest = 0;
  Index of_largest = 0;
  for (Index n = rows.first * mixed; n < rows.last * mixed; ++n) {
    const Index row = n / mixed, image = row / points.extent[1];
    const T* const line = &points.at(image * mixed + n % mixed, row % points.extent[1], 0);
    for (Index x = columns.first; x < columns.last; x += run_points) {
      const Index length = std::min(run_points, columns.last - x);
      const T size = largest_of(line + x, length);
      if (size == 0) continue;
      sizes[count++] = size;
      if (size <= largest) continue;
      largest = size;
      place = line + x;
      of_largest = length;
    }
  }
  const T noise = 4 * std::numeric_limits<T>::epsilon() * largest;
  const auto lost = std::count_if(sizes.begin(), sizes.begin() + static_cast<Index>(count),
                                  [&](T size) { return size < noise; });
  if (lost == 0 || lost * 10 < static_cast<Index>(count)) return 0;
  return double{*std::find_if(place, place + of_largest,
                              [&](T value) { return std::abs(value) == largest; })};
}

/// Returns whether a number is often used for missing points: a default of netCDF, of a model or of
/// an archive.
bool is_known_fill(double value) {
  constexpr double known[] = {9.969209968386869e36,
                              9.96921e36,
                              1e20,
                              1e30,
                              1e31,
                              1e34,
                              1e35,
                              1e36,
                              1e37,
                              1e38,
                              999,
                              9999,
                              99999,
                              999999,
                              32767,
                              32768,
                              2147483647,
                              2147483648.0,
                              9223372036854775808.0};
  const double size = std::abs(value);
  return size >= double{std::numeric_limits<float>::max()} ||
         std::any_of(std::begin(known), std::end(known), [&](double fill) {
           return size == fill || size == double{static_cast<float>(fill)};
         });
}

/// Formats a number with the digits of the compute type, so that users can copy it to
/// missing.value.
std::string digits_of(double value, Precision precision) {
  return precision == Precision::float32 ? fmt::format("{}", static_cast<float>(value))
                                         : fmt::format("{}", value);
}

}  // namespace

bool uses_transforms(const Plan& plan) {
  const auto is_fft = [](const MethodChoice& choice) { return choice.method == Method::fft; };
  return std::any_of(plan.chain.stages.begin(), plan.chain.stages.end(), [&](const auto& stage) {
    return is_fft(stage.choice) || std::any_of(stage.bank.begin(), stage.bank.end(), is_fft);
  });
}

Index mixed_channels(const Plan& plan) {
  for (const BoundStage& stage : plan.chain.stages)
    if (stage.channels && stage.choice.method == Method::fft) return stage.channels->in;
  return 1;
}

template <class T>
void InputScale::add(FieldView<const T> points) {
  const Index mixed = points.extent[0] % mixed_ == 0 ? mixed_ : 1;
  const Index rows = points.extent[0] / mixed * points.extent[1], width = points.extent[2];
  if (rows * width == 0) return;
  const Index length = std::min(width, group_points),
              rows_each = std::max<Index>(1, group_points / (length * mixed));
  const Index across = (width - 1) / length + 1, groups = (rows - 1) / rows_each + 1;
#pragma omp parallel
  {
    double largest = 0;
#pragma omp for schedule(static)
    for (Index i = 0; i < groups * across; ++i) {
      const Index row = i / across * rows_each, x = i % across * length;
      const double found = spoiler_of(points, mixed, {row, std::min(rows, row + rows_each)},
                                      {x, std::min(width, x + length)});
      if (std::abs(found) > std::abs(largest)) largest = found;
    }
    const std::lock_guard lock(mutex_);
    if (std::abs(largest) > std::abs(largest_)) largest_ = largest;
  }
}

std::string InputScale::note(const Communicator& communicator, const Plan& plan) const {
  const double high = communicator.maximum(std::max(largest_, 0.0)),
               low = communicator.maximum(std::max(-largest_, 0.0));
  if (plan.resumed() || (high == 0 && low == 0)) return "";
  const double largest = high >= low ? high : -low;
  const std::string number = digits_of(largest, plan.chain.precision);
  const std::string missing = fmt::format("missing.value = {}", number);
  const bool may_be_missing = !plan.input.is_complex();  // of complex numbers, only NaN is missing
  return fmt::format(
      "the input contains {}, and other points near it are so small that transforms (fft) round "
      "them "
      "away: results near it are noise, also beyond the reach of the mask: {}",
      number,
      !may_be_missing ? "write method = direct"
      : is_known_fill(largest)
          ? fmt::format("write {} if it represents missing points, else method = direct", missing)
          : fmt::format("write method = direct, or {} if it represents missing points", missing));
}

template void InputScale::add(FieldView<const float>);
template void InputScale::add(FieldView<const double>);

}  // namespace stencil
