#include "io/read/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/metadata/leap_seconds.hpp"

namespace stencil {
namespace {

constexpr double tolerance = 0.5;       // points
constexpr double longest_shift = 9e15;  // points; larger doubles have gaps between integers

double seconds_between(Nanoseconds from, Nanoseconds to) {
  return 1e-9 * static_cast<double>(to - from);
}

bool is_beyond(double points) {
  return std::abs(points) > tolerance;
}

/// Returns the number of leap seconds between the starts of two files, in UTC. A leap second
/// directly before the start of the first file is included.
double leap_seconds_between(const TimeSpan& before, const TimeSpan& after) {
  if (after.calendar != "standard") return 0;
  const auto inserted = [](Nanoseconds utc) { return storage::gps_of_utc(utc) - utc; };
  return 1e-9 * static_cast<double>(inserted(after.first) - inserted(before.first - one_second));
}

/// Returns the parts of a piece that do not overlap another piece; at most two.
std::vector<TimelinePiece> without(const TimelinePiece& piece, const TimelinePiece& other) {
  const Index end = piece.place + piece.count, other_end = other.place + other.count;
  std::vector<TimelinePiece> left;
  if (const Index count = std::min(end, other.place) - piece.place; count > 0)
    left.push_back({piece.part, piece.first, std::min(count, piece.count), piece.place});
  if (const Index from = std::max(other_end, piece.place); from < end)
    left.push_back({piece.part, piece.first + from - piece.place, end - from, from});
  return left;
}

std::vector<TimelinePiece> without(const TimelinePiece& piece,
                                   const std::vector<TimelinePiece>& others) {
  std::vector<TimelinePiece> left{piece};
  for (const TimelinePiece& other : others) {
    std::vector<TimelinePiece> rest;
    for (const TimelinePiece& part : left)
      for (const TimelinePiece& kept : without(part, other)) rest.push_back(kept);
    left = std::move(rest);
  }
  return left;
}

class Laying {
 public:
  Laying(const std::vector<DatasetFacts>& parts, std::size_t axis, double rate,
         const JoinWords& words)
      : parts_(parts), axis_(axis), rate_(rate), words_(words), origin_(times(0).first) {}

  Timeline lay() {
    for (std::size_t i = 0; i < parts_.size(); ++i) refuse_holes(i);
    put_part(0, 0);
    for (std::size_t i = 1; i < parts_.size(); ++i)
      if (rate_ > 0)
        lay_by_time(i);
      else
        lay_by_order(i);
    note_what_was_found();
    return std::move(timeline_);
  }

 private:
  const TimeSpan& times(std::size_t part) const { return *parts_[part].times; }
  Index extent(std::size_t part) const { return parts_[part].dims[axis_]; }
  std::string name(std::size_t part, std::size_t other) const {
    return name_beside(parts_[part], parts_[other]);
  }

  void lay_by_order(std::size_t part) {
    const double apart = seconds_between(times(latest_).last, times(part).first);
    if (!(apart > 0))
      throw WordsError(fmt::format(
          "{} and {} overlap by {:.6g} s ({}), and without a known sampling rate the overlapping "
          "points cannot be left out: leave one of them out of input.file, or cut it first",
          name(latest_, part), name(part, latest_), -apart, times(part).source));
    put({part, 0, extent(part), end_});
  }

  void lay_by_time(std::size_t part) {
    // `late`: number of points by which the part begins later than expected from the previous part;
    // `drift`: the same number, but expected from the clock of the first part
    double late = seconds_between(times(latest_).last, times(part).first) * rate_ - 1;
    if (late < -tolerance) late += skipped_leap_seconds(part, late);
    const double drift =
        seconds_between(origin_, times(part).first) * rate_ - static_cast<double>(end_);
    const bool by_files = words_.clock == Clock::files;
    const double found = std::clamp(by_files ? drift : late, -longest_shift, longest_shift);
    const Index shift = is_beyond(found) ? std::llround(found) : 0;
    if (shift != 0) refuse_shift(part, shift, !is_beyond(late), by_files ? drift : late);
    const double rest = drift - static_cast<double>(shift);
    const double drifted = by_files && !is_beyond(late) ? drift : rest;
    if (std::abs(drifted) > std::abs(drift_)) {
      drift_ = drifted;
      drifting_ = part;
    }
    put_part(part, end_ + shift);
  }

  /// Returns the number of points by which a part seems to begin too early because of leap seconds.
  double skipped_leap_seconds(std::size_t part, double late) {
    const double seconds = leap_seconds_between(times(latest_), times(part));
    if (seconds <= 0 || is_beyond(late + seconds * rate_)) return 0;
    origin_ -= static_cast<Nanoseconds>(seconds) * one_second;
    timeline_.notes.push_back(fmt::format(
        "a leap second lies between {} and {}: their points follow each other without an overlap, "
        "and times of the output, which count on from the first file's, are {} s more than those "
        "of UTC after the leap second",
        name(latest_, part), name(part, latest_), seconds));
    return seconds * rate_;
  }

  /// Throws if a gap or an overlap is not allowed. @param is_drift  the part follows the previous
  /// part without a gap or an overlap
  void refuse_shift(std::size_t part, Index shift, bool is_drift, double points) const {
    const bool refuses =
        shift > 0 ? words_.gaps == Gaps::refuse : words_.overlap == Overlap::refuse;
    if (!refuses) return;
    const double seconds = std::abs(points) / rate_;
    if (is_drift)
      throw WordsError(fmt::format(
          "the clocks of the files drift: {} begins {:.6g} s {} than expected from the clock of {} "
          "and the number of points since then ({}): write input.clock = first, which takes their "
          "times "
          "from that clock, or input.{}",
          name(part, 0), seconds, shift > 0 ? "later" : "earlier", name(0, part),
          times(part).source,
          shift > 0 ? "gaps = fill, or split" : "overlap = first, which leaves points out"));
    if (shift > 0)
      throw WordsError(fmt::format(
          "{:.6g} s are missing between {} and {} ({}): add the files between them, or write "
          "input.gaps = fill, which fills {} points along axis {} with missing ones, or split, "
          "which writes an output for each stretch without a gap",
          static_cast<double>(shift) / rate_, name(latest_, part), name(part, latest_),
          times(part).source, shift, axis_));
    throw WordsError(fmt::format(
        "{} and {} overlap by {:.6g} s ({}): write input.overlap = first or last to take the "
        "points that both have from one of them, or leave one out of input.file",
        name(latest_, part), name(part, latest_), seconds, times(part).source));
  }

  /// Throws if a part has gaps and gaps are not allowed.
  void refuse_holes(std::size_t part) const {
    if (words_.gaps != Gaps::refuse) return;
    for (const TimeHole& hole : parts_[part].holes)
      if (hole.axis == static_cast<int>(axis_))
        throw WordsError(fmt::format(
            "{} points are missing inside {} before point {} ({}): write input.gaps = fill, which "
            "fills them with missing ones, or split, which writes an output for each stretch "
            "without a gap",
            hole.points, one_line(parts_[part].file), hole.before, times(part).source));
  }

  /// Places the runs of a part between its gaps.
  void put_part(std::size_t part, Index place) {
    Index first = 0;
    for (const TimeHole& hole : parts_[part].holes) {
      if (hole.axis != static_cast<int>(axis_)) continue;
      put({part, first, hole.before - first, place});
      place = checked_add(place, checked_add(hole.before - first, hole.points));
      first = hole.before;
    }
    put({part, first, extent(part) - first, place});
  }

  void put(const TimelinePiece& piece) {
    std::vector<TimelinePiece>& pieces = timeline_.pieces;
    if (piece.place < end_) {
      const Index before = points_of(pieces) + piece.count;
      if (words_.overlap == Overlap::last) {
        std::vector<TimelinePiece> kept;
        for (const TimelinePiece& other : pieces)
          for (const TimelinePiece& rest : without(other, piece)) kept.push_back(rest);
        kept.push_back(piece);
        pieces = std::move(kept);
      } else {
        for (const TimelinePiece& rest : without(piece, pieces)) pieces.push_back(rest);
      }
      std::sort(pieces.begin(), pieces.end(),
                [](const auto& a, const auto& b) { return a.place < b.place; });
      overlapping_ = checked_add(overlapping_, before - points_of(pieces));
    } else {
      pieces.push_back(piece);
    }
    if (const Index end = checked_add(piece.place, piece.count); end > end_) {
      end_ = end;
      latest_ = piece.part;
    }
  }

  static Index points_of(const std::vector<TimelinePiece>& pieces) {
    Index points = 0;
    for (const TimelinePiece& piece : pieces) points = checked_add(points, piece.count);
    return points;
  }

  void note_what_was_found() {
    if (overlapping_ > 0)
      timeline_.notes.push_back(fmt::format(
          "the files overlap by {} points along axis {}: those of the {} file are taken "
          "(input.overlap = {})",
          overlapping_, axis_, words_.overlap == Overlap::last ? "later" : "earlier",
          words_.overlap == Overlap::last ? "last" : "first"));
    if (is_beyond(drift_))
      timeline_.notes.push_back(fmt::format(
          "the clocks of the files drift: {} begins {:.6g} s {} than the clock of {} and the "
          "number of points since say: {}",
          name(drifting_, 0), std::abs(drift_) / rate_, drift_ > 0 ? "later" : "earlier",
          name(0, drifting_),
          words_.clock == Clock::first
              ? "times of the output are those of that clock (input.clock = first)"
              : "what it leaves out or has twice is a gap or an overlap (input.clock = files)"));
  }

  const std::vector<DatasetFacts>& parts_;
  const std::size_t axis_;
  const double rate_;
  const JoinWords& words_;
  Nanoseconds origin_;  // time of position 0 by the first clock, minus leap seconds
  Timeline timeline_;
  std::size_t latest_ = 0;  // the part that ends last
  Index end_ = 0;           // position after the end of that part
  Index overlapping_ = 0;
  double drift_ = 0;  // the largest drift, in points
  std::size_t drifting_ = 0;
};

}  // namespace

Timeline timeline_of(const std::vector<DatasetFacts>& parts, std::size_t axis, double rate,
                     const JoinWords& words) {
  return Laying(parts, axis, rate, words).lay();
}

std::string name_beside(const DatasetFacts& part, const DatasetFacts& other) {
  return part.file == other.file ? storage::qualified_name(part.file, part.dataset)
                                 : one_line(part.file);
}

}  // namespace stencil
