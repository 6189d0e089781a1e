#include "io/read/times.hpp"

#include <fmt/core.h>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/metadata/date.hpp"
#include "io/metadata/file_conventions.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/metadata/written_date.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/dataset_text.hpp"
#include "io/read/sampling_rate.hpp"

namespace stencil::storage {
namespace {

/// Finds the times of one dataset.
class Search {
 public:
  Search(const DatasetPath& path, const DatasetFacts& facts)
      : path_(path), facts_(facts), file_(path, facts.dims) {}

  std::optional<TimeSpan> from_scales() const {
    for (std::size_t axis = 0; axis < facts_.dims.size(); ++axis)
      for (const Scale& scale : scales_of(path_.dataset, static_cast<int>(axis)))
        if (scale.dataset)
          if (const auto clock = scale_of(scale.dataset))
            if (auto span = of_all(scale.dataset, static_cast<int>(axis), *clock,
                                   "dimension scale " + scale.path))
              return span;
    return std::nullopt;
  }

  /// Uses the first field of the conventions that gives a time with a known reference date.
  std::optional<TimeSpan> from_rows() const {
    for (const Convention* row : file_.rows())
      for (const Field& field : row->fields) {
        std::optional<TimeSpan> span;
        if (field.meaning == Meaning::values && field.axis == "time")
          span = from_values(field);
        else if (field.meaning == Meaning::first)
          span = from_first(field);
        if (span) return span;
      }
    return std::nullopt;
  }

 private:
  /// Uses the values of a dataset. A dataset without a unit is used only if the convention has a
  /// reference date.
  std::optional<TimeSpan> from_values(const Field& field) const {
    const Handle times = file_.object_at(Place(field.where).path).object;
    if (!times || H5Iget_type(times) != H5I_DATASET) return std::nullopt;
    const bool has_units = !attribute_text(times, "units").empty();
    if (!has_units && field.unit.find(" since ") == field.unit.npos) return std::nullopt;
    const auto axis = axis_as_long_as(times, facts_.dims);
    const auto clock = time_scale_of(unit_in(times, field), attribute_text(times, "calendar"));
    if (!axis || !clock) return std::nullopt;
    return of_all(times, *axis, *clock, "dataset " + object_name(times));
  }

  std::optional<TimeSpan> from_first(const Field& field) const {
    const Place place(field.where);
    if (place.path.empty()) {
      if (auto span = of_attribute(field, path_.dataset, place.attribute, "")) return span;
      for (std::size_t depth = path_.groups.size(); depth-- > 0;)
        if (auto span = of_attribute(field, path_.groups[depth], place.attribute,
                                     " of " + object_name(path_.groups[depth])))
          return span;
      return std::nullopt;
    }
    const Handle object = file_.object_at(place.path).object;
    if (!object) return std::nullopt;
    if (!place.attribute.empty())
      return of_attribute(field, object, place.attribute, " of " + object_name(object));
    if (H5Iget_type(object) == H5I_DATASET && field.unit.starts_with("date"))
      return of_date(field, dataset_text(object), "dataset " + object_name(object));
    const auto number = H5Iget_type(object) == H5I_DATASET ? single_number(object) : std::nullopt;
    return number ? of_number(field, object, *number, "dataset " + object_name(object))
                  : std::nullopt;
  }

  std::optional<TimeSpan> of_attribute(const Field& field, hid_t object, const std::string& name,
                                       const std::string& where) const {
    const std::string source = fmt::format("attribute {}{}", name, where);
    if (field.unit.starts_with("date")) return of_date(field, attribute_text(object, name), source);
    const std::vector<ElementValue> values = attribute_values(object, name);
    return values.size() == 1 ? of_number(field, object, values[0], source) : std::nullopt;
  }

  std::optional<TimeSpan> of_date(const Field& field, const std::string& text,
                                  const std::string& source) const {
    if (text.empty()) return std::nullopt;
    return of_first(time_of(WrittenDate(text, field.unit).iso()), source);
  }

  /// Uses a number as the time of a point. Its reference date must come from the convention or from
  /// the unit of the number, unless the number is a GPS time.
  std::optional<TimeSpan> of_number(const Field& field, hid_t object, const ElementValue& number,
                                    const std::string& source) const {
    const bool is_gps = field.unit.starts_with("GPS ");
    if (field.axis != "time" && file_.axes_of(field, 0).size() != 1) return std::nullopt;
    auto clock = time_scale_of(unit_in(object, field));
    if (!clock || (!clock->has_reference && !is_gps)) return std::nullopt;
    if (!clock->has_reference) {
      const TimeUnit in_file = clock->unit;
      clock = gps_scale();
      clock->unit = in_file;
    }
    return of_first(clock->at(number), source, clock->calendar);
  }

  static std::optional<TimeScale> scale_of(hid_t times) {
    return time_scale_of(attribute_text(times, "units"), attribute_text(times, "calendar"));
  }

  std::optional<TimeSpan> of_all(hid_t times, int axis, const TimeScale& clock,
                                 const std::string& source) const {
    const Index length = facts_.dims[static_cast<std::size_t>(axis)];
    const auto ends = ends_of(times, length);
    if (!ends || is_too_coarse(times, length)) return std::nullopt;
    const auto first = clock.at(ends->first), last = clock.at(ends->second);
    if (!first || !last || *last < *first) return std::nullopt;
    // for dates after 1582-10-15 the two calendars are identical
    const bool is_gregorian = clock.calendar == Calendar::proleptic_gregorian &&
                              *first >= begin_of(*Date::parse("1582-10-15"), Calendar::standard);
    return TimeSpan{axis, *first, *last, one_line(source),
                    name_of(is_gregorian ? Calendar::standard : clock.calendar)};
  }

  /// Returns the times along the axis that has a rate; if no axis has a rate, along the axis that
  /// is named as the time axis, or else along the first axis.
  std::optional<TimeSpan> of_first(std::optional<Nanoseconds> first, const std::string& source,
                                   Calendar calendar = Calendar::standard) const {
    if (!first) return std::nullopt;
    const int rank = static_cast<int>(facts_.dims.size());
    int axis = static_cast<int>(file_.axes().time().value_or(0));
    for (int other = rank; other-- > 0;)
      if (facts_.sampling_rate[static_cast<std::size_t>(other)] > 0) axis = other;
    const auto at = static_cast<std::size_t>(axis);
    const double rate = facts_.sampling_rate[at];
    const auto last =
        rate > 0 ? TimeScale{.zero = *first}.at(static_cast<double>(facts_.dims[at] - 1) / rate)
                 : first;
    if (!last) return std::nullopt;
    return TimeSpan{axis, *first, *last, one_line(source), name_of(calendar)};
  }

  const DatasetPath& path_;
  const DatasetFacts& facts_;
  FileConventions file_;
};

}  // namespace

std::optional<Nanoseconds> time_of(const std::string& text) {
  const auto date = Date::parse(text);
  if (!date || date->last < DatePart::day) return std::nullopt;
  return begin_of(*date, Calendar::standard);
}

std::optional<TimeSpan> find_times(const DatasetPath& path, const DatasetFacts& facts) {
  const Search search(path, facts);
  if (auto span = search.from_scales()) return span;
  return search.from_rows();
}

}  // namespace stencil::storage
