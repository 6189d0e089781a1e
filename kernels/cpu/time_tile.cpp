#include "kernels/cpu/time_tile.hpp"

#include <algorithm>

#include "kernels/cpu/row_ring.hpp"

namespace stencil::cpu {
namespace {

template <class T>
constexpr Index line = 64 / Index(sizeof(T));

Index round_up(Index value, Index multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The rows of one level of a piece.
template <class T>
struct Level {
  Interval y, x;              ///< points computed
  Index done = 0;             ///< rows below this one are computed
  Index phase = 0;            ///< where groups end, so that no group crosses the end of the ring
  Index needed_below = 0;     ///< rows of the level below without which the first row must wait
  T* ring = nullptr;          ///< its first row
  Index origin = 0;           ///< a row below all others, that would lie there
  std::vector<Index> ghosts;  ///< columns beyond the edges of the world that are read
};

template <class T>
class TimeTile {
 public:
  TimeTile(const TimeSweep<T>& sweep, const Box& piece, T* memory)
      : sweep_(sweep),
        y_(sweep.edges.axis[0]),
        x_(sweep.edges.axis[1]),
        batch_(piece.first[0]),
        group_(sweep.group()),
        ring_rows_(sweep.ring_rows()),
        lead_(round_up(x_.low, line<T>)),
        constant_(memory),
        spare_(constant_ + round_up(sweep.widest(piece.extent()[2]), line<T>)),
        inputs_(std::size_t(sweep.stencil.height + group_ - 1)),
        outputs_(std::size_t(group_)) {
    const auto ys = level_spans(y_, piece.along(y_axis), sweep.steps);
    const auto xs = level_spans(x_, piece.along(x_axis), sweep.steps);
    const Index width = sweep.widest(piece.extent()[2]), rows = sweep.ring_rows();
    pitch_ = RowRing<T>::size(1, width);
    T* rings = spare_ + group_ * pitch_;
    for (Index level = 0; level <= sweep.steps; ++level) {
      T* own = rings + level % sweep.rings() * RowRing<T>::size(rows, width);
      const Interval y = ys[level];
      levels_.push_back({y,
                         xs[level],
                         y.first,
                         ys.back().first + (sweep.steps - level) * y_.high,
                         level == 0 ? 0 : first_rows_of(ys[level - 1], y),
                         own,
                         0,
                         {}});
      // counted from a place where a group ends, a whole number of rings below all rows
      Level<T>& last = levels_.back();
      last.origin = last.phase - ((last.phase - y.first + sweep.stencil.height) / rows + 1) * rows;
    }
    for (Index level = 1; level < sweep.steps; ++level) levels_[level].ghosts = ghosts_of(level);
    T* points = sweep.is_separable() ? spare_ : constant_;
    std::fill_n(points, width, T(sweep.edges.value));
    if (sweep.is_separable()) sum_row(points, constant_, levels_[1].x.extent());
  }

  void run() { compute_to(sweep_.steps, levels_.back().y.last); }

 private:
  bool is_last(Index level) const { return level == sweep_.steps; }

  /// How far the level below has to be before the first row of `points` can be computed: mirrored
  /// rows may lie further inside than all others.
  Index first_rows_of(Interval below, Interval points) const {
    Index rows = below.first;
    for (Index y = y_.reads(points).first; y < std::min(y_.world.first, points.first); ++y)
      if (const auto source = y_.source(y)) rows = std::max(rows, *source + 1);
    return rows;
  }

  /// Computes the rows of a level up to `last`, group by group.
  void compute_to(Index number, Index last) {
    Level<T>& level = levels_[number];
    while (level.done < last) {
      const Index in_group = (level.done - level.phase) % group_;
      const Index rest = group_ - (in_group < 0 ? in_group + group_ : in_group);
      const Index end = std::min(last, level.done + rest);
      if (number == 0) {
        sum_source_rows(level, end);
      } else {
        compute(number, level.done, end);
      }
      level.done = end;
    }
  }

  /// Rows [first, last) of a level above 0.
  void compute(Index number, Index first, Index last) {
    Level<T>& level = levels_[number];
    Level<T>& below = levels_[number - 1];
    const Index needed = std::max(last + y_.high, level.needed_below);
    if (number > 1 || sweep_.is_separable()) compute_to(number - 1, std::min(needed, below.y.last));
    prefetch_source(number);
    collect_inputs(number - 1, first - y_.low, last - first + sweep_.stencil.height - 1);
    collect_outputs(number, first, last);
    sum_group(int(last - first), is_last(number), level.x.extent());
    for (Index y = first; y < last && !is_last(number); ++y) {
      fill_ghosts(level, outputs_[y - first]);
      if (sweep_.is_separable())
        sum_row(from_column(number, outputs_[y - first]), row(level, y),
                levels_[number + 1].x.extent());
    }
  }

  /// Where the points of the rows [first, last) go.
  void collect_outputs(Index number, Index first, Index last) {
    const Level<T>& level = levels_[number];
    Index at = place(level, first);
    for (Index y = first; y < last; ++y) {
      outputs_[y - first] = is_last(number)         ? &sweep_.target.at(batch_, y, level.x.first)
                            : sweep_.is_separable() ? spare_ + (y - first) * pitch_ + lead_
                                                    : level.ring + at * pitch_ + lead_;
      at = at + 1 == ring_rows_ ? 0 : at + 1;
    }
  }

  void sum_group(int count, bool last, Index n) const {
    const Stencil<T>& stencil = sweep_.stencil;
    if (sweep_.three_by_three) {
      const StepGoal to = sweep_.stream ? StepGoal::stream : StepGoal::store;
      sweep_.kernels.step_rows(inputs_.data(), stencil.taps.data(), sweep_.plus, count,
                               last ? to : StepGoal::again, outputs_.data(), n);
      return;
    }
    const bool separable = sweep_.is_separable();
    const Index pitch = count > 1 ? outputs_[1] - outputs_[0] : 0;
    sweep_.kernels.sum_rows(inputs_.data(), separable ? stencil.column.data() : stencil.taps.data(),
                            stencil.height, separable ? 1 : stencil.width, !stencil.multiply_zeros,
                            count, last && sweep_.stream, outputs_[0], pitch, n);
  }

  /// The row factor over `n` places.
  void sum_row(const T* from, T* to, Index n) const {
    sweep_.kernels.sum_row(sweep_.row.data(), Index(sweep_.row.size()), from, 1, false, to, n);
  }

  /// Row sums of the source, for the first step of a separable stencil.
  void sum_source_rows(const Level<T>& level, Index last) const {
    for (Index y = level.done; y < last; ++y)
      sum_row(&sweep_.source.at(batch_, y, x_.reads(levels_[1].x).first), row(level, y),
              levels_[1].x.extent());
  }

  /// Place of a row in its level's ring.
  Index place(const Level<T>& level, Index y) const { return (y - level.origin) % ring_rows_; }
  T* row(const Level<T>& level, Index y) const { return level.ring + place(level, y) * pitch_; }

  /// What the next level reads first of a row of points that begins at the level's first column.
  const T* from_column(Index number, const T* points) const {
    return points + x_.reads(levels_[number + 1].x).first - levels_[number].x.first;
  }

  /// Row y of a level, or the row that stands for it, from the first column that the next level
  /// reads.
  const T* input_row(Index number, Index y) const {
    const auto source = y_.source(y);
    if (!source) return constant_;
    if (number == 0 && !sweep_.is_separable())
      return &sweep_.source.at(batch_, *source, x_.reads(levels_[1].x).first);
    const T* points = row(levels_[number], *source);
    return sweep_.is_separable() ? points : from_column(number, points + lead_);
  }

  /// `count` rows from y on. Rows of a ring follow each other, so there is one division for them
  /// all: a group takes little longer than a few.
  void collect_inputs(Index number, Index y, Index count) {
    const Level<T>& level = levels_[number];
    const bool in_ring = number > 0 && y >= level.y.first && y + count <= level.y.last;
    if (!in_ring || sweep_.is_separable()) {
      for (Index k = 0; k < count; ++k) inputs_[k] = input_row(number, y + k);
      return;
    }
    const T* first = from_column(number, level.ring + lead_);
    Index at = place(level, y);
    for (Index k = 0; k < count; ++k) {
      inputs_[k] = first + at * pitch_;
      at = at + 1 == ring_rows_ ? 0 : at + 1;
    }
  }

  /// Places in the rows of a level that its own points have to fill before they are read.
  std::vector<Index> ghosts_of(Index number) const {
    std::vector<Index> ghosts;
    if (x_.rule == BoundaryRule::wrap) return ghosts;
    const Interval reads = x_.reads(levels_[number + 1].x);
    for (Index x = reads.first; x < x_.world.first; ++x) ghosts.push_back(x);
    for (Index x = std::max(x_.world.last, reads.first); x < reads.last; ++x) ghosts.push_back(x);
    return ghosts;
  }

  void fill_ghosts(const Level<T>& level, T* points) const {
    for (const Index x : level.ghosts) {
      const auto source = x_.source(x);
      points[x - level.x.first] = source ? points[*source - level.x.first] : T(sweep_.edges.value);
    }
  }

  /// Asks for the next rows of the source, in as many parts as there are levels: what one group of
  /// all levels computes hides the time that memory takes for them.
  void prefetch_source(Index number) const {
    const Interval columns = x_.reads(levels_[1].x);
    Index next = sweep_.is_separable() ? levels_[0].done : levels_[1].done + y_.high;
    if (number == 1 && !sweep_.is_separable()) next += group_;
    const Index from = columns.extent() * (number - 1) / sweep_.steps,
                to = columns.extent() * number / sweep_.steps;
    for (Index y = next; y < std::min(next + group_, levels_[0].y.last); ++y) {
      const T* points = &sweep_.source.at(batch_, y, columns.first);
      for (Index x = from; x < to; x += line<T>) __builtin_prefetch(points + x);
    }
  }

  const TimeSweep<T>& sweep_;
  const StepAxis& y_;
  const StepAxis& x_;
  Index batch_, group_, ring_rows_;
  Index lead_;       ///< elements before the first point of a row, so that it is aligned
  T* constant_;      ///< a row beyond an edge where the rule is `constant`
  T* spare_;         ///< separable: points of one group, before they are summed along x
  Index pitch_ = 0;  ///< elements from row to row, of rings and spare rows
  std::vector<const T*> inputs_;
  std::vector<T*> outputs_;
  std::vector<Level<T>> levels_;
};

}  // namespace

template <class T>
Index TimeSweep<T>::group() const {
  return three_by_three ? 4 : std::min<Index>(most_rows, stencil.height);
}

template <class T>
Index TimeSweep<T>::ring_rows() const {
  const Index rows = group() + stencil.height - 1;
  return three_by_three ? rows : round_up(rows, group());
}

template <class T>
Index TimeSweep<T>::rings() const {
  // without rows above and below, nothing of a level is read again after the next one has read it
  return std::min<Index>(stencil.height == 1 ? 2 : steps, steps);
}

template <class T>
Index TimeSweep<T>::widest(Index width) const {
  const StepAxis& x = edges.axis[1];
  // a narrow piece at the edge of the world may need two more points: those that are mirrored
  return round_up(x.low, line<T>) + width + (steps + 1) * (x.low + x.high) + 2;
}

template <class T>
Index TimeSweep<T>::memory(Index width) const {
  const Index columns = widest(width);
  return round_up(columns, line<T>) + RowRing<T>::size(1, columns) * group() +
         rings() * RowRing<T>::size(ring_rows(), columns);
}

template <class T>
void walk_time_tile(const TimeSweep<T>& sweep, const Box& piece, T* memory) {
  TimeTile<T>(sweep, piece, memory).run();
}

template struct TimeSweep<float>;
template struct TimeSweep<double>;
template void walk_time_tile(const TimeSweep<float>&, const Box&, float*);
template void walk_time_tile(const TimeSweep<double>&, const Box&, double*);

}  // namespace stencil::cpu
