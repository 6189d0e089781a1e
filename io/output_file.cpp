#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "framework/grid/error.hpp"
#include "io/hdf5_error.hpp"
#include "io/native_type.hpp"
#include "io/output_creation.hpp"
#include "io/output_state.hpp"

namespace stencil {

using storage::Piece;

namespace {

constexpr Index points_per_task = Index{1} << 16;

/// A piece on its way to the file and the place its points come from.
struct Outgoing {
  Piece whole;  ///< the hyperslab that the piece was cut from
  Piece piece;
  Box slab;  ///< the box that the hyperslab is
};

std::vector<Outgoing> outgoing(const OutputSpec& spec, const Box& box) {
  std::vector<Outgoing> result;
  const Index element = static_cast<Index>(size_of(spec.type));
  for (const Slab& slab : spec.form.slabs(box)) {
    const Piece whole{slab.start, slab.count};
    for (Piece& piece : storage::cut(whole, spec.chunk, element))
      result.push_back({whole, std::move(piece), slab.box});
  }
  return result;
}

/// Converts the points of a piece from the view into a row in the type of the output.
template <class T, class To>
storage::WriteCounts convert(const Outgoing& out, FieldView<const T> view, To* row,
                             const storage::OutputRange<To>& range) {
  const storage::Runs runs(out.whole, out.piece);
  const Index points = out.piece.points(), tasks = (points - 1) / points_per_task + 1;
  Index saturated = 0, lost = 0;
#pragma omp parallel for reduction(+ : saturated, lost) schedule(static)
  for (Index task = 0; task < tasks; ++task) {
    const Index first = task * points_per_task, last = std::min(points, first + points_per_task);
    storage::WriteCounts counts;
    storage::for_stretches(runs, view, first, last, [&](Index k, const T* from, Index n) {
      storage::convert_written(from, row + k, n, range, counts);
    });
    saturated += counts.saturated;
    lost += counts.missing;
  }
  return {saturated, lost};
}

/// Points of the largest piece.
Index largest(const std::vector<Outgoing>& pieces) {
  Index most = 0;
  for (const Outgoing& out : pieces) most = std::max(most, out.piece.points());
  return most;
}

template <class T>
storage::WriteCounts stage(const OutputSpec& spec, const Outgoing& out, FieldView<const T> view,
                           std::byte* staging) {
  return storage::visit_element(spec.type, [&](auto example) {
    using To = decltype(example);
    return convert<T, To>(out, view, reinterpret_cast<To*>(staging),
                          storage::OutputRange<To>(spec.missing_value));
  });
}

/// Integers have no NaN: without a value that stands for it, the points would silently be zeros.
void check_nan(const OutputSpec& spec, Index missing) {
  const bool is_floating = spec.type == ElementType::float32 || spec.type == ElementType::float64;
  if (missing == 0 || is_floating || spec.missing_value) return;
  throw WordsError(fmt::format(
      "{}: {} points are NaN and {} has no NaN: write output.dtype = float32, or as missing.value "
      "the number that stands for missing points",
      storage::place(spec.file, spec.dataset), missing, to_string(spec.type)));
}

}  // namespace

OutputFile::OutputFile(const Communicator& communicator, const OutputSpec& spec)
    : state_(std::make_unique<State>(communicator, spec)) {
  state_->begin();  // apart from its constructor, so that its destructor clears up after a failure
}

OutputFile::~OutputFile() = default;

template <class T>
void OutputFile::write(const Box& box, FieldView<const T> source) {
  State& s = *state_;
  std::vector<Outgoing> pieces;
  s.communicator.agree([&] {
    if (!s.file) throw Error(Status::bug, "an output is written to after its commit");
    if (box.empty()) return;
    if (!make_box(s.spec.form.shape()).contains(box) || source.extent != box.extent())
      throw ShapeError(fmt::format("cannot write a view of {} as {} of {}: it does not fit",
                                   to_string(source.extent), to_string(box), s.spec.file));
    pieces = outgoing(s.spec, box);
    s.hold_staging(largest(pieces) * static_cast<Index>(size_of(s.spec.type)));
  });
  // every rank makes the same number of collective calls, some of them with nothing in hand
  const std::size_t calls =
      static_cast<std::size_t>(s.communicator.maximum(static_cast<Index>(pieces.size())));
  for (std::size_t call = 0; call < calls; ++call) {
    if (call >= pieces.size()) {
      s.write_together({});
      continue;
    }
    const Outgoing& out = pieces[call];
    const Point back{-box.first[0], -box.first[1], -box.first[2]};
    const storage::WriteCounts counts =
        stage(s.spec, out, source.window(shifted(out.slab, back)), s.staging.get());
    s.counts.saturated += counts.saturated;
    s.counts.missing += counts.missing;
    s.write_together(out.piece);
  }
}

OutputCounts OutputFile::commit() {
  State& s = *state_;
  const Communicator& all = s.communicator;
  const bool is_first = all.rank() == 0;
  s.close_together();
  const Index missing = all.sum(s.counts.missing);
  all.agree([&] { check_nan(s.spec, missing); });
  const auto records = storage::records_of_next_rank(all, s.written);
  all.agree([&] { storage::check_written(s.paths.part, s.spec, records); });
  all.agree([&] {
    if (is_first) storage::mark_complete(s.spec, s.paths);
  });
  all.agree([&] { storage::bring_to_disk(s.paths.part); });
  all.agree([&] {
    if (!is_first) return;
    storage::check_absent(s.spec, s.paths);
    if (std::rename(s.paths.part.c_str(), s.paths.final.c_str()) != 0)
      throw StorageError(fmt::format("cannot rename {} to {}: {}", one_line(s.paths.part),
                                     one_line(s.paths.final), std::strerror(errno)));
    s.is_created = false;
    s.lock.reset();
    storage::bring_to_disk(s.paths.folder);
  });
  s.cleanup.reset();
  const Index points = storage::points_of(s.spec.form.dims());
  return {all.sum(s.counts.saturated), missing, points * static_cast<Index>(size_of(s.spec.type)),
          s.skipped};
}

template void OutputFile::write(const Box&, FieldView<const float>);
template void OutputFile::write(const Box&, FieldView<const double>);

}  // namespace stencil
