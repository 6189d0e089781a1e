#include "io/write/carry/axis_attributes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/read/dataset_text.hpp"
#include "io/write/carry/mended_lists.hpp"
#include "io/write/carry/mended_values.hpp"
#include "io/write/carry/replaced_attribute.hpp"
#include "io/write/carry/skipped.hpp"

namespace stencil::storage {
namespace {

bool is_same(const AxisSampling& s, Index inputs) {
  return s.first == 0 && s.stride == 1 && s.count == inputs;
}

/// Decision about an attribute.
enum class Fate { stays, is_replaced, is_left_out };

/// Adjusts the attributes of one object that were copied to the output.
class Mender {
 public:
  Mender(hid_t object, const Described& described, const OutputSpec& spec)
      : object_(object),
        described_(described),
        spec_(spec),
        is_resampled_(spec.stacked.has_value()) {
    for (std::size_t axis = 0; axis < spec.sampling.size(); ++axis)
      is_resampled_ |= !is_same(spec.sampling[axis], inputs(axis));
  }

  Fate decide(const std::string& name) {
    std::vector<double> numbers = stated_numbers(object_, name);
    const Fate fate = decide(name, numbers);
    if (fate == Fate::is_replaced && !numbers.empty()) numbers_.emplace_back(name, numbers);
    return fate;
  }

  /// Decides about one attribute. @param name  empty for the values of the object itself
  Fate decide(const std::string& name, std::vector<double>& numbers) {
    const auto statements = statements_of(described_, object_, name, numbers, spec_);
    Fate fate = Fate::stays;
    for (const AxisStatement& statement : statements) {
      const bool is_touched = is_resampled_ || statement.meaning == Meaning::of_values ||
                              statement.meaning == Meaning::levels;
      if (!is_touched || holds(statement, numbers)) continue;
      if (!mends(name, statement, numbers)) return Fate::is_left_out;
      fate = Fate::is_replaced;
    }
    return fate;
  }

  /// Returns the date that decide() has adjusted to the output's points; std::nullopt if the date
  /// is kept.
  std::optional<std::string> new_text() const {
    return texts_.empty() ? std::nullopt : std::optional(texts_.front().second);
  }

  /// Writes the new values. Call it after all decisions, because a start depends on the old
  /// spacing.
  void replace() const {
    for (const auto& [name, values] : numbers_) replace_numbers(object_, name, values);
    for (const auto& [name, text] : texts_) replace_text(object_, name, text);
  }

 private:
  Index inputs(std::size_t axis) const { return spec_.input.described().dims[axis]; }

  /// Number of points of the input and of the output along all axes that the object describes.
  std::pair<Index, Index> points() const {
    if (described_.own_axis)
      return {inputs(*described_.own_axis), spec_.sampling[*described_.own_axis].count};
    return {points_of(spec_.input.described().dims), points_of(spec_.form_dims())};
  }

  bool holds(const AxisStatement& statement, const std::vector<double>& numbers) const {
    if (statement.meaning == Meaning::total && numbers.size() == 1 &&
        numbers[0] == static_cast<double>(points().first))
      return points().first == points().second;
    if (statement.meaning == Meaning::levels && numbers.size() > spec_.sampling.size())
      return false;
    return std::all_of(statement.axes.begin(), statement.axes.end(), [&](std::size_t axis) {
      return still_holds(statement.meaning, spec_.sampling[axis], inputs(axis));
    });
  }

  bool mends(const std::string& name, const AxisStatement& statement,
             std::vector<double>& numbers) {
    if (!statement.is_certain) return false;
    if (statement.meaning == Meaning::total) {
      if (numbers.size() != 1 || numbers[0] != static_cast<double>(points().first)) return false;
      numbers[0] = static_cast<double>(points().second);
      return true;
    }
    if (statement.axes.size() != 1) return false;
    if (is_of_a_list(statement.meaning)) {
      const std::size_t axis = statement.axes.front();
      return mend_list(statement.meaning, spec_.sampling[axis], inputs(axis), numbers);
    }
    StatedValue at{object_, &described_, &statement, statement.axes.front()};
    const std::size_t one = statement.component.value_or(0);
    if (numbers.empty()) return moves(name, at);
    if (one >= numbers.size() || (!statement.component && numbers.size() > 1)) return false;
    at.component = one;
    const auto number = mended_number(at, numbers[one], spec_);
    if (number) numbers[one] = *number;
    return number.has_value();
  }

  bool moves(const std::string& name, const StatedValue& at) {
    const std::string before = name.empty() ? dataset_text(object_) : stated_text(object_, name);
    const auto text = mended_date(at, before, spec_);
    if (text) texts_.emplace_back(name, *text);
    return text.has_value();
  }

  hid_t object_;
  const Described& described_;
  const OutputSpec& spec_;
  /// Whether the axis is resampled, or the output has more axes than the input.
  bool is_resampled_;
  std::vector<std::pair<std::string, std::vector<double>>> numbers_;
  std::vector<std::pair<std::string, std::string>> texts_;
};

}  // namespace

void mend_axis_attributes(hid_t object, const Described& described, const OutputSpec& spec,
                          Skipped& skipped) {
  Mender mender(object, described, spec);
  std::vector<std::string> left_out;
  for (const std::string& name : attribute_names(object)) {
    // The attributes that this program writes describe the output, and are not adjusted. Otherwise
    // its list of checksums could be mistaken for a list with a value for each point.
    if (name.starts_with("stencil_")) continue;
    if (mender.decide(name) == Fate::is_left_out) left_out.push_back(name);
  }
  mender.replace();
  for (const std::string& name : left_out) {
    checked(H5Adelete(object, name.c_str()), "cannot remove the attribute " + one_line(name));
    skipped.push_back(fmt::format("attribute {} of {}, which describes other points",
                                  one_line(name), one_line(object_name(object))));
  }
}

bool mend_numbers(hid_t dataset, const Described& described, const OutputSpec& spec,
                  std::vector<double>& numbers) {
  return Mender(dataset, described, spec).decide("", numbers) != Fate::is_left_out;
}

bool mend_text(hid_t dataset, const Described& described, const OutputSpec& spec,
               std::string& text) {
  Mender mender(dataset, described, spec);
  std::vector<double> none;
  if (const auto number = number_in(text)) none.push_back(*number);
  const bool is_true = mender.decide("", none) != Fate::is_left_out;
  if (const auto moved = mender.new_text()) text = *moved;
  if (!none.empty() && number_in(text) != none[0]) text = fmt::format("{}", none[0]);
  return is_true;
}

}  // namespace stencil::storage
