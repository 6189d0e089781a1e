#include "kernels/cpu/time_tile.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/cpu/row_ring.hpp"

namespace stencil::cpu {
namespace {

template <class T>
constexpr Index line = 64 / Index(sizeof(T));

/// A point beyond the edges of the world. Indices are relative to the first point of a row of a
/// level.
struct Ghost {
  Index to;
  std::optional<Index> from;  ///< the point whose value is used; if absent, the boundary value
};

/// The rows of one level of a piece.
template <class T>
struct Level {
  Interval y, x;           ///< points of the level that are computed
  Index done = 0;          ///< rows before this index have been computed
  Index group_end = 0;     ///< end of the group of rows that begins at `done`
  Index needed_below = 0;  ///< number of rows of the level below that the first row needs
  Index lead = 0;          ///< number of elements of memory before the first point of a row
  std::vector<T*> rows;    ///< addresses of rows, in cyclic order
  /// Index of the row whose address is rows[0]; this row is at or before the first row of `y`.
  Index origin = 0;
  std::vector<Ghost> ghosts;  ///< points beyond the edges of the world that the next level reads
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
        lead_(sweep.lead()),
        constant_(memory),
        spare_(constant_ + sweep.constant_size(piece.extent()[2])),
        inputs_(std::size_t(sweep.stencil.height + group_ - 1)),
        outputs_(std::size_t(group_)) {
    const auto ys = level_spans(y_, piece.along(y_axis), sweep.steps);
    const auto xs = level_spans(x_, piece.along(x_axis), sweep.steps);
    const Index width = sweep.widest(piece.extent()[2]);
    pitch_ = RowRing<T>::size(1, width);
    for (Index level = 0; level <= sweep.steps; ++level) {
      const Interval y = ys[level], x = xs[level];
      std::vector<T*> rows = sweep.rows_of(level, pitch_, spare_ + group_ * pitch_);
      // The ends of the groups are chosen so that the last row that a group reads is the last row
      // of a group of the level below.
      const Index end = ys.back().first + (sweep.steps - level) * y_.high;
      const Index turn = Index(rows.size());
      const Index origin = end - ((end - y.first + sweep.stencil.height) / turn + 1) * turn;
      const Index first = (end - y.first) % group_;
      levels_.push_back({y,
                         x,
                         y.first,
                         y.first + (first == 0 ? group_ : first),
                         level == 0 ? 0 : first_rows_of(ys[level - 1], y),
                         // in all levels, the same column has the same alignment to cache lines
                         sweep.is_separable() ? lead_ : lead_ + x.first - xs.back().first,
                         std::move(rows),
                         origin,
                         {}});
    }
    for (Index level = 1; level < sweep.steps; ++level) levels_[level].ghosts = ghosts_of(level);
    const Index lines = x_.reads(levels_[1].x).extent() / line<T> + 1;
    prefetched_ = (lines / std::max<Index>(1, sweep.steps) + 1) * line<T>;
    T* points = sweep.is_separable() ? spare_ : constant_;
    std::fill_n(points, width, T(sweep.edges.value));
    if (sweep.is_separable()) sum_row(points, constant_, levels_[1].x.extent());
  }

  void run() { compute_to(sweep_.steps, levels_.back().y.last); }

 private:
  bool is_last(Index level) const { return level == sweep_.steps; }

  /// Returns the index of the row up to which the level below must be computed before the first row
  /// of `points` can be computed. Rows that a boundary rule mirrors may be farther from the edge
  /// than all other rows that are read.
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
      const Index end = std::min(last, level.group_end);
      if (number == 0) {
        sum_source_rows(level, end);
      } else {
        compute(number, level.done, end);
      }
      level.done = end;
      if (end == level.group_end) level.group_end += group_;
    }
  }

  /// Computes the rows [first, last) of a level above 0.
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

  /// Sets the addresses to which the points of the rows [first, last) are written.
  void collect_outputs(Index number, Index first, Index last) {
    const Level<T>& level = levels_[number];
    Index at = place(level, first);
    for (Index y = first; y < last; ++y) {
      outputs_[y - first] = is_last(number)         ? &sweep_.target.at(batch_, y, level.x.first)
                            : sweep_.is_separable() ? spare_ + (y - first) * pitch_ + level.lead
                                                    : level.rows[at] + level.lead;
      at = next_place(level, at);
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
    if (sweep_.is_line && !sweep_.is_separable()) {
      for (int k = 0; k < count; ++k)
        sum_line(inputs_[k], stencil.taps, last && sweep_.stream, outputs_[k], n);
      return;
    }
    const bool separable = sweep_.is_separable();
    const Index pitch = count > 1 ? outputs_[1] - outputs_[0] : 0;
    sweep_.kernels.sum_rows({.rows = inputs_.data(),
                             .count = count,
                             .taps = separable ? stencil.column.data() : stencil.taps.data(),
                             .depth = 1,
                             .height = stencil.height,
                             .width = separable ? 1 : stencil.width,
                             .skip_zeros = !stencil.multiply_zeros,
                             .target = outputs_[0],
                             .pitch = pitch,
                             .n = n,
                             .stream = last && sweep_.stream});
  }

  /// Sums a row with adjacent taps, none of which is skipped, at `n` points.
  void sum_line(const T* from, const std::vector<T>& taps, bool stream, T* to, Index n) const {
    sweep_.kernels.sum_lines({.rows = &from,
                              .count = 1,
                              .taps = taps.data(),
                              .width = Index(taps.size()),
                              .target = to,
                              .pitch = 0,
                              .n = n,
                              .stream = stream,
                              .ahead = 0});
  }

  /// Sums a row with the row factor at `n` points.
  void sum_row(const T* from, T* to, Index n) const {
    if (sweep_.is_line) return sum_line(from, sweep_.stencil.row, false, to, n);
    sweep_.kernels.sum_row(sweep_.row.data(), Index(sweep_.row.size()), from, 1, false, to, n);
  }

  /// Computes the row sums of the source, for the first step of a separable stencil.
  void sum_source_rows(const Level<T>& level, Index last) const {
    for (Index y = level.done; y < last; ++y)
      sum_row(&sweep_.source.at(batch_, y, x_.reads(levels_[1].x).first), row(level, y),
              levels_[1].x.extent());
  }

  /// Index in Level::rows of row `y`.
  Index place(const Level<T>& level, Index y) const {
    const Index turn = Index(level.rows.size()), k = y - level.origin;
    return (turn & (turn - 1)) == 0 ? k & (turn - 1) : k % turn;  // a division is slow
  }
  Index next_place(const Level<T>& level, Index at) const {
    return at + 1 == Index(level.rows.size()) ? 0 : at + 1;
  }
  T* row(const Level<T>& level, Index y) const { return level.rows[place(level, y)]; }

  /// Address of the first element of a row of points that the next level reads; `points` begins at
  /// the level's first column.
  const T* from_column(Index number, const T* points) const {
    return points + x_.reads(levels_[number + 1].x).first - levels_[number].x.first;
  }

  /// Returns row y of a level, or the row that the boundary rule uses instead, from the first
  /// column that the next level reads.
  const T* input_row(Index number, Index y) const {
    const auto source = y_.source(y);
    if (!source) return constant_;
    if (number == 0 && !sweep_.is_separable())
      return &sweep_.source.at(batch_, *source, x_.reads(levels_[1].x).first);
    const T* points = row(levels_[number], *source);
    return sweep_.is_separable() ? points : from_column(number, points + levels_[number].lead);
  }

  /// Sets the addresses of `count` input rows from row y on. The position in the ring is computed
  /// by one division for all rows, because divisions are slow.
  void collect_inputs(Index number, Index y, Index count) {
    const Level<T>& level = levels_[number];
    const bool in_memory = number > 0 && y >= level.y.first && y + count <= level.y.last;
    if (!in_memory || sweep_.is_separable()) {
      for (Index k = 0; k < count; ++k) inputs_[k] = input_row(number, y + k);
      return;
    }
    Index at = place(level, y);
    for (Index k = 0; k < count; ++k) {
      inputs_[k] = from_column(number, level.rows[at] + level.lead);
      at = next_place(level, at);
    }
  }

  /// Lists the ghost points that the next level reads in the rows of a level; there are none for
  /// the rule `wrap`.
  std::vector<Ghost> ghosts_of(Index number) const {
    std::vector<Ghost> ghosts;
    if (x_.rule == BoundaryRule::wrap) return ghosts;
    const Interval reads = x_.reads(levels_[number + 1].x);
    const Index first = levels_[number].x.first;
    const auto add = [&](Index x) {
      const auto source = x_.source(x);
      ghosts.push_back({x - first, source ? std::optional(*source - first) : std::nullopt});
    };
    for (Index x = reads.first; x < x_.world.first; ++x) add(x);
    for (Index x = std::max(x_.world.last, reads.first); x < reads.last; ++x) add(x);
    return ghosts;
  }

  void fill_ghosts(const Level<T>& level, T* points) const {
    for (const Ghost& ghost : level.ghosts)
      points[ghost.to] = ghost.from ? points[*ghost.from] : T(sweep_.edges.value);
  }

  /// Prefetches the next rows of the source. The prefetching is divided among the levels, so that
  /// computing one group of every level hides the memory latency.
  void prefetch_source(Index number) const {
    const Interval columns = x_.reads(levels_[1].x);
    Index next = sweep_.is_separable() ? levels_[0].done : levels_[1].done + y_.high;
    if (number == 1 && !sweep_.is_separable()) next += group_;
    const Index from = (number - 1) * prefetched_;
    const Index to = std::min(from + prefetched_, columns.extent());
    for (Index y = next; y < std::min(next + group_, levels_[0].y.last); ++y) {
      const T* points = &sweep_.source.at(batch_, y, columns.first);
      for (Index x = from; x < to; x += line<T>) __builtin_prefetch(points + x);
    }
  }

  const TimeSweep<T>& sweep_;
  const StepAxis& y_;
  const StepAxis& x_;
  Index batch_, group_;
  Index lead_;            ///< elements of memory before the first point of a row of the last level
  T* constant_;           ///< the row beyond an edge, for the rule `constant`
  T* spare_;              ///< separable: points of one group, before they are summed along x
  Index pitch_ = 0;       ///< number of elements from row to row, of rings and spare rows
  Index prefetched_ = 0;  ///< number of columns of the source that each level prefetches
  std::vector<const T*> inputs_;
  std::vector<T*> outputs_;
  std::vector<Level<T>> levels_;
};

}  // namespace

template <class T>
void walk_time_tile(const TimeSweep<T>& sweep, const Box& piece, T* memory) {
  TimeTile<T>(sweep, piece, memory).run();
}

template void walk_time_tile(const TimeSweep<float>&, const Box&, float*);
template void walk_time_tile(const TimeSweep<double>&, const Box&, double*);

}  // namespace stencil::cpu
