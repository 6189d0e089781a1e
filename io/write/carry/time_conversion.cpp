#include "io/write/carry/time_conversion.hpp"

#include <string>
#include <type_traits>

#include "io/hdf5/attributes.hpp"

namespace stencil::storage {

std::optional<TimeConversion> time_conversion(hid_t from, hid_t to) {
  const std::string unit = attribute_text(from, "units"), own_unit = attribute_text(to, "units"),
                    calendar = attribute_text(from, "calendar"),
                    own_calendar = attribute_text(to, "calendar");
  if (unit == own_unit && calendar == own_calendar) return TimeConversion{};
  const auto clock = time_scale_of(unit, calendar), own = time_scale_of(own_unit, own_calendar);
  if (!clock || !own || clock->calendar != own->calendar ||
      clock->has_reference != own->has_reference)
    return std::nullopt;
  return TimeConversion{true, *clock, *own};
}

template <class T>
std::optional<T> converted(T number, const TimeConversion& by) {
  if (!by.is_needed) return number;
  const auto time = by.from.at(number);
  if (!time) return std::nullopt;
  if constexpr (std::is_integral_v<T>) {
    const Nanoseconds product = (*time - by.to.zero) * by.to.unit.denominator;
    if (product % by.to.unit.numerator != 0) return std::nullopt;
    return static_cast<T>(product / by.to.unit.numerator);
  } else {
    return by.to.value_of(*time);
  }
}

template std::optional<Index> converted(Index, const TimeConversion&);
template std::optional<double> converted(double, const TimeConversion&);

}  // namespace stencil::storage
