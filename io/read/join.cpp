#include "io/read/join.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil {
namespace {

constexpr double rate_tolerance = 1e-4;  // of rates that coordinates of few digits give
constexpr double time_tolerance = 0.5;   // points

std::string name_of_part(const DatasetFacts& part) {
  return storage::qualified_name(part.file, part.dataset);
}

/// A part's file; the dataset, too, where another part is of the same file.
std::string name_beside(const DatasetFacts& part, const DatasetFacts& other) {
  return part.file == other.file ? name_of_part(part) : one_line(part.file);
}

/// The part that the others have to fit: the first that tells a rate, as one of a single point may
/// not.
DatasetFacts model_of(const std::vector<DatasetFacts>& parts) {
  for (const DatasetFacts& part : parts)
    for (const double rate : part.sampling_rate)
      if (rate > 0) return part;
  return parts.front();
}

/// What is said of one file where another differs; the way out is to leave one of them out.
[[noreturn]] void throw_odd(const DatasetFacts& odd, const DatasetFacts& first,
                            const std::string& has, const std::string& others) {
  throw WordsError(
      fmt::format("{} does not fit what it is joined with: it {}, and {} {}: leave it out of "
                  "input.file",
                  name_beside(odd, first), has, name_beside(first, odd), others));
}

std::string type_of(const DatasetFacts& part) {
  return part.is_half ? "float16" : to_string(part.type);
}

/// The axis of the join: as asked, else the first that has a sampling rate or times.
std::size_t joined_axis(const DatasetFacts& first, std::optional<int> asked) {
  const int rank = static_cast<int>(first.dims.size());
  if (asked) {
    const int axis = *asked < 0 ? *asked + rank : *asked;
    if (axis < 0 || axis >= rank)
      throw WordsError(fmt::format("input.join = {}: {} has {} axes, write 0 to {} or -1 to -{}",
                                   *asked, name_of_part(first), rank, rank - 1, rank));
    return static_cast<std::size_t>(axis);
  }
  for (std::size_t axis = 0; axis < first.sampling_rate.size(); ++axis)
    if (first.sampling_rate[axis] > 0) return axis;
  return first.times ? static_cast<std::size_t>(first.times->axis) : 0;
}

void check_rates(const DatasetFacts& part, const DatasetFacts& first) {
  for (std::size_t axis = 0; axis < first.dims.size(); ++axis) {
    const double rate = part.sampling_rate[axis], other = first.sampling_rate[axis];
    if (std::abs(rate - other) <= rate_tolerance * std::max(rate, other)) continue;
    if (rate == 0 && part.dims[axis] == 1) continue;  // one coordinate tells none
    const auto told = [&](double r) {
      return r > 0 ? fmt::format("has {:.7g} samples per second along axis {}", r, axis)
                   : fmt::format("tells no sampling rate along axis {}", axis);
    };
    throw_odd(part, first, told(rate), told(other));
  }
}

void check_fits(const DatasetFacts& part, const DatasetFacts& first, std::size_t axis) {
  if (type_of(part) != type_of(first))
    throw_odd(part, first, "holds " + type_of(part), "holds " + type_of(first));
  bool fits = part.dims.size() == first.dims.size();
  for (std::size_t i = 0; fits && i < first.dims.size(); ++i)
    fits = i == axis || part.dims[i] == first.dims[i];
  if (!fits)
    throw_odd(
        part, first, fmt::format("is {}", fmt::join(part.dims, "x")),
        fmt::format("is {}, and they are joined along axis {}", fmt::join(first.dims, "x"), axis));
  check_rates(part, first);
  if (part.meaning != first.meaning) {
    const auto told = [](const DatasetFacts& f) {
      return f.meaning.empty() ? std::string("has no unit or scale") : "has " + f.meaning;
    };
    throw_odd(part, first, told(part), told(first));
  }
  if (part.times.has_value() != first.times.has_value() ||
      (part.times &&
       (part.times->axis != first.times->axis || part.times->calendar != first.times->calendar))) {
    const auto told = [](const DatasetFacts& f) {
      return f.times ? fmt::format("tells its times along axis {} in the calendar {} ({})",
                                   f.times->axis, f.times->calendar, f.times->source)
                     : std::string("tells no times");
    };
    throw_odd(part, first, told(part), told(first));
  }
}

/// The numbers that count as missing by the attributes of a part.
const std::vector<ElementValue>& missing_in(const DatasetFacts& part, const JoinWords& words) {
  return words.missing_unasked ? part.missing_unasked : part.missing_values;
}

/// The values that attributes name as missing hold for all that is read as one.
void check_missing_values(const DatasetFacts& part, const DatasetFacts& first,
                          const JoinWords& words) {
  const auto told = [&](const DatasetFacts& f) {
    std::vector<std::string> values;
    for (const ElementValue& value : missing_in(f, words)) values.push_back(to_string(value));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values.empty() ? std::string("names no missing value")
                          : fmt::format("names {} as missing", fmt::join(values, " and "));
  };
  if (told(part) != told(first)) throw_odd(part, first, told(part), told(first));
  const auto range = [](const DatasetFacts& f) {
    const auto limit = [](const std::optional<ElementValue>& value) {
      return value ? to_string(*value) : "none";
    };
    return fmt::format("has the valid range {} to {}", limit(f.valid_min), limit(f.valid_max));
  };
  if (range(part) != range(first)) throw_odd(part, first, range(part), range(first));
}

/// Joined along another axis than that of time, all must begin at the same time.
void check_same_start(const DatasetFacts& part, const DatasetFacts& first) {
  if (!part.times) return;
  const double rate = first.sampling_rate[static_cast<std::size_t>(first.times->axis)];
  const double apart = 1e-9 * static_cast<double>(part.times->first - first.times->first);
  if (rate > 0 && std::abs(apart) * rate > time_tolerance)
    throw WordsError(fmt::format(
        "{} begins {:.6g} s {} than {} ({}): files joined along another axis than that of time "
        "begin together, leave one out",
        name_beside(part, first), std::abs(apart), apart > 0 ? "later" : "earlier",
        name_beside(first, part), part.times->source));
}

[[noreturn]] void throw_overlap(const DatasetFacts& before, const DatasetFacts& after,
                                double seconds) {
  throw WordsError(fmt::format(
      "{} and {} overlap by {:.6g} s ({}): leave one out of input.file, or cut it first",
      name_beside(before, after), name_beside(after, before), seconds, after.times->source));
}

bool is_earlier(const DatasetFacts& part, const DatasetFacts& other) {
  return part.times.value_or(TimeSpan()).first < other.times.value_or(TimeSpan()).first;
}

/// Points that are missing between two parts, by their times.
Index points_between(const DatasetFacts& before, const DatasetFacts& after, double rate) {
  const double apart = 1e-9 * static_cast<double>(after.times->first - before.times->last);
  if (!(rate > 0)) {  // only the order is known
    if (apart > 0) return 0;
    throw_overlap(before, after, -apart);
  }
  const double gap = apart * rate - 1;
  if (gap < -time_tolerance) throw_overlap(before, after, -gap / rate);
  if (gap >= 9e15) return std::numeric_limits<Index>::max();
  return gap <= time_tolerance ? 0 : std::llround(gap);
}

/// What fills gaps.
ElementValue fill_for(const DatasetFacts& first, const JoinWords& words) {
  if (words.fill) return *words.fill;
  if (words.missing_by_attributes && !missing_in(first, words).empty())
    return missing_in(first, words).front();
  const bool floating = first.type == ElementType::float32 || first.type == ElementType::float64;
  if (floating) return std::numeric_limits<double>::quiet_NaN();
  throw WordsError(
      fmt::format("input.gaps = fill: {} holds {}, which has no NaN: write missing.value = NUMBER, "
                  "which the gaps are then filled with",
                  name_of_part(first), to_string(first.type)));
}

/// Records the files of a part, itself and those of its virtual sources.
void add_files(const DatasetFacts& part, DatasetFacts& joined) {
  const auto add = [&](const std::string& file, Index bytes, Index modified) {
    if (file == joined.file || (!joined.sources.empty() && file == joined.sources.back())) return;
    joined.sources.push_back(file);
    joined.source_bytes.push_back(bytes);
    joined.source_modified.push_back(modified);
  };
  add(part.file, part.file_bytes, part.modified);
  for (std::size_t i = 0; i < part.sources.size(); ++i)
    add(part.sources[i], part.source_bytes[i], part.source_modified[i]);
}

/// Lays parts along the joined axis.
class Row {
 public:
  Row(const DatasetFacts& first, std::size_t axis, const JoinWords& words)
      : joined_(first), axis_(axis), words_(&words) {
    joined_.layout = "joined";
    joined_.joined_axis = static_cast<int>(axis);
    joined_.chunk.clear();
    joined_.data_offset = -1;
    joined_.storage_bytes = 0;
    joined_.unwritten = 0;
    joined_.sources.clear();
    joined_.source_bytes.clear();
    joined_.source_modified.clear();
    joined_.source_datasets.clear();
    joined_.mappings.clear();
    joined_.dims[axis] = 0;
  }

  void fill(Index points, const DatasetFacts& before, const DatasetFacts& after, double rate) {
    if (words_->gaps == Gaps::refuse)
      throw WordsError(fmt::format(
          "{:.6g} s are missing between {} and {} ({}): add the files between them, or write "
          "input.gaps = fill, which fills {} points along axis {} with missing ones, or split, "
          "which writes an output for each stretch without a gap",
          static_cast<double>(points) / rate, name_beside(before, after),
          name_beside(after, before), after.times->source, points, axis_));
    joined_.fill = fill_for(joined_, *words_);
    joined_.filled_points = checked_add(joined_.filled_points, points);
    map(in_no_file, points);
  }

  void add(DatasetFacts part) {
    joined_.storage_bytes = checked_add(joined_.storage_bytes, part.storage_bytes);
    joined_.unwritten = checked_add(joined_.unwritten, part.unwritten);
    joined_.chunk_bytes = std::max(joined_.chunk_bytes, part.chunk_bytes);
    if (part.filters != joined_.filters) joined_.filters = "";
    add_files(part, joined_);
    const Index extent = part.dims[axis_];
    joined_.source_datasets.push_back(std::move(part));
    map(static_cast<Index>(joined_.source_datasets.size()) - 1, extent);
  }

  DatasetFacts finish() {
    Index bytes = static_cast<Index>(size_of(joined_.type));
    for (const Index extent : joined_.dims) bytes = checked_multiply(bytes, extent);
    return std::move(joined_);
  }

 private:
  void map(Index source, Index extent) {
    VirtualMapping mapping{
        source, std::vector<Index>(joined_.dims.size(), 0), joined_.dims, {}, {}};
    mapping.start[axis_] = joined_.dims[axis_];
    mapping.count[axis_] = extent;
    mapping.source_start.assign(joined_.dims.size(), 0);
    mapping.source_count = mapping.count;
    joined_.dims[axis_] = checked_add(joined_.dims[axis_], extent);
    joined_.mappings.push_back(std::move(mapping));
  }

  DatasetFacts joined_;
  std::size_t axis_;
  const JoinWords* words_;
};

}  // namespace

std::vector<DatasetFacts> join(std::vector<DatasetFacts> parts, const JoinWords& words) {
  const DatasetFacts like = model_of(parts);
  const std::size_t axis = joined_axis(like, words.axis);
  for (const DatasetFacts& part : parts) check_fits(part, like, axis);
  const bool in_time = like.times && static_cast<std::size_t>(like.times->axis) == axis;
  if (in_time)
    std::stable_sort(parts.begin(), parts.end(), is_earlier);
  else
    for (const DatasetFacts& part : parts) check_same_start(part, like);
  const double rate = like.sampling_rate[axis];
  for (DatasetFacts& part : parts) {
    part.sampling_rate = like.sampling_rate;
    part.sampling_source = like.sampling_source;
  }
  std::vector<DatasetFacts> stretches;
  std::size_t first = 0;  // of the stretch
  Row row(parts.front(), axis, words);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Index missing = in_time && i > 0 ? points_between(parts[i - 1], parts[i], rate) : 0;
    if (missing > 0 && words.gaps == Gaps::split) {
      stretches.push_back(row.finish());
      row = Row(parts[i], axis, words);
      first = i;
    } else if (missing > 0) {
      row.fill(missing, parts[i - 1], parts[i], rate);
    }
    if (words.missing_by_attributes) check_missing_values(parts[i], parts[first], words);
    row.add(parts[i]);
  }
  stretches.push_back(row.finish());
  return stretches;
}

}  // namespace stencil
