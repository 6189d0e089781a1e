#include "io/write/output/output_file.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/write/blocks/block_checksums.hpp"
#include "io/write/lock/part_file.hpp"
#include "io/write/output/finish_output.hpp"
#include "io/write/output/outgoing.hpp"
#include "io/write/output/output_checks.hpp"
#include "io/write/output/output_state.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/write_errors.hpp"

namespace stencil {

using storage::Piece;

namespace {

template <class T>
void check_fits(const OutputSpec& spec, const Box& box, const FieldView<const T>& source) {
  if (!make_box(spec.written_shape()).contains(box) || source.extent != box.extent())
    throw ShapeError(fmt::format("cannot write a view of {} as {} of {}: it does not fit",
                                 to_string(source.extent), to_string(box), spec.file));
}

}  // namespace

void check_output(const OutputSpec& spec) {
  const auto paths = storage::OutputPaths::of(spec.file);
  storage::check_output(spec, paths);
  storage::check_absent(spec, paths);
  storage::check_room(spec, paths);
}

Index whole_blocks(const OutputSpec& spec, int axis) {
  const storage::BlockGrid grid = storage::grid_of(spec);
  const std::vector<int>& folded = spec.form.dataset_axes(axis);
  if (folded.empty()) return 1;
  const auto leading = static_cast<Index>(spec.leading_axes());
  return grid.whole_rows({folded.front() + leading, folded.back() + 1 + leading});
}

OutputFile::OutputFile(const Communicator& communicator, const OutputSpec& spec,
                       const UnfinishedOutput* goes_on)
    : state_(std::make_unique<State>(communicator, spec)) {
  if (goes_on) state_->goes_on = *goes_on;
  state_->stays = goes_on != nullptr;
  state_->begin();  // not called by the constructor of State, so that the destructor cleans up
                    // after a failure
}

OutputFile::~OutputFile() = default;

template <class T>
void OutputFile::write(const Box& box, FieldView<const T> source) {
  State& s = *state_;
  std::optional<storage::Outgoing<T>> outgoing;
  std::vector<storage::BlockPart> split;
  const storage::FillPart fill = [&](const storage::BlockPart& part, const Piece& layout,
                                     std::byte* to) {
    return outgoing->fill(s.spec, part, layout, to);
  };
  s.communicator.agree([&] {
    s.require_writer();
    if (s.spec.snapshots.has_value() != s.is_within_snapshot)
      throw UsageError(
          fmt::format("points of {} outside of a snapshot: call begin_snapshot() first",
                      one_line(s.spec.file)));
    if (box.empty()) return;
    check_fits(s.spec, box, source);
    outgoing.emplace(s.spec, box, source, std::ssize(s.times));
    if (!s.is_within_snapshot || s.spec.gzip_level > 0) {
      split = s.writer->write_whole(outgoing->slabs, fill);
      return;
    }
    split = s.next_stream().take_whole(outgoing->slabs, [&](std::size_t slab, const Piece& points,
                                                            const Piece& layout, std::byte* to) {
      return fill({0, slab, points}, layout, to);
    });
    std::sort(split.begin(), split.end(),
              [](const auto& a, const auto& b) { return a.block < b.block; });
  });
  s.communicator.or_abort([&] { s.writer->write_split(s.communicator, split, fill); });
}

void OutputFile::begin_volume(Index number) {
  state_->spec.form = state_->spec.form.volume(number);
}

void OutputFile::begin_snapshot() {
  State& s = *state_;
  s.communicator.agree([&] {
    s.require_writer();
    if (!s.spec.snapshots || s.is_within_snapshot || std::ssize(s.times) == s.planned_snapshots)
      throw UsageError(
          fmt::format("one more snapshot of {}, which has {} of {} snapshots: each snapshot begins "
                      "after the end of the previous one",
                      one_line(s.spec.file), s.times.size(), s.planned_snapshots));
  });
  s.finish_snapshot();
  s.is_within_snapshot = true;
  s.streams_used = 0;
  s.writer->hold();
}

void OutputFile::end_snapshot(double time) {
  State& s = *state_;
  if (!s.is_within_snapshot)
    throw UsageError("end_snapshot() without begin_snapshot() of " + one_line(s.spec.file));
  s.is_within_snapshot = false;
  s.times.push_back(time);
  s.behind.start([&s] {
    for (std::size_t i = 0; i < s.streams_used; ++i) {
      s.streams[i].write_taken();
      s.streams[i].verify();
    }
    s.writer->store_held();
  });
}

/// State of a stream.
struct OutputFile::Stream::Parts {
  const OutputSpec& spec;
  storage::BlockStream blocks;
};

OutputFile::Stream::Stream(State& state)
    : parts_(new Parts{state.spec, storage::BlockStream(state.writer->stream_target(
                                       *state.uncached, state.ordered ? &*state.ordered : nullptr,
                                       state.spec.verify))}) {}

OutputFile::Stream::Stream(Stream&&) noexcept = default;

OutputFile::Stream::~Stream() = default;

template <class T>
void OutputFile::Stream::write(const Box& box, FieldView<const T> source) {
  check_fits(parts_->spec, box, source);
  const storage::Outgoing<T> outgoing(parts_->spec, box, source, 0);
  parts_->blocks.write(outgoing.slabs, [&](std::size_t slab, const Piece& points,
                                           const Piece& layout, std::byte* to) {
    return outgoing.fill(parts_->spec, {0, slab, points}, layout, to);
  });
}

void OutputFile::Stream::verify() {
  parts_->blocks.verify();
}

const storage::WriteCounts& OutputFile::Stream::counts() const {
  return parts_->blocks.records().counts;
}

OutputFile::Stream OutputFile::stream() {
  State& s = *state_;
  s.require_writer();
  if (s.spec.gzip_level > 0 && s.communicator.rank() == 0 && !s.ordered) {
    s.open_target();
    s.ordered.emplace(*s.target, s.paths.part);
  }
  return Stream(*state_);
}

void OutputFile::take(Stream& stream) {
  state_->writer->take(stream.parts_->blocks);
}

void OutputFile::set_steps_done(Index steps) {
  state_->spec.steps_done = steps;
}

void OutputFile::set_at_commit(std::map<std::string, std::string> attributes) {
  state_->spec.at_commit = std::move(attributes);
}

UnfinishedOutput OutputFile::settle_snapshots() {
  State& s = *state_;
  s.finish_snapshot();
  UnfinishedOutput done;
  std::vector<storage::Written> mine;
  storage::WriteCounts own;
  s.communicator.agree([&] {
    for (storage::BlockStream& stream : s.streams) s.writer->take(stream);
    own = s.writer->counts();
    mine = s.writer->records();
    storage::bring_to_disk(s.file.number(), s.paths.part);
  });
  done.records = storage::gather_records(s.communicator, mine);
  if (s.spec.gzip_level > 0)
    for (storage::Written& record : done.records)
      record.at = s.places[static_cast<std::size_t>(record.block)];
  done.times = s.times;
  done.counts = {s.communicator.sum(own.saturated), s.communicator.sum(own.missing),
                 s.communicator.sum(own.vanished)};
  return done;
}

void OutputFile::keep_part() {
  state_->stays = true;
}

UnfinishedOutput OutputFile::set_aside(const std::function<bool(Index block)>& keeps) {
  State& s = *state_;
  std::vector<storage::Written> mine;
  UnfinishedOutput unfinished;
  s.communicator.agree([&] {
    mine = s.writer->records();
    std::erase_if(mine, [&](const storage::Written& record) { return !keeps(record.block); });
    s.uncached.reset();
    storage::bring_to_disk(s.file.number(), s.paths.part);
    unfinished.inode = s.inode;
    unfinished.first_byte = s.first_byte;
    unfinished.skipped = s.skipped;
  });
  unfinished.records = storage::gather_records(s.communicator, mine);
  s.communicator.agree([&] {
    if (s.communicator.rank() == 0) s.require_ownership();
    struct stat state {};  // after all ranks have written
    if (::fstat(s.file.number(), &state) == 0) {
      unfinished.bytes = state.st_size;
      unfinished.modified = last_change(state);
    }
    if (s.communicator.rank() == 0)
      unfinished.structure = structure_of(s.file.number(), s.spec, unfinished);
    s.close();
  });
  s.inode = 0;  // from now on, the destructor keeps the file
  s.cleanup.reset();
  s.lock.release();
  return unfinished;
}

void OutputFile::as_owner(const std::function<void()>& work) {
  const Communicator& all = state_->communicator;
  try {
    work();
  } catch (const Error& error) {
    const bool is_on_all = all.size() == 1 || Communicator::has_agreed_on_error();
    if (error.status() != Status::storage || !is_on_all) throw;
    all.agree([&] {
      if (all.rank() == 0) state_->require_ownership();
    });
    throw;
  }
}

OutputCounts OutputFile::commit(const std::function<void()>& before_name) {
  OutputCounts counts;
  as_owner([&] { counts = finish(before_name); });
  return counts;
}

OutputCounts OutputFile::finish(const std::function<void()>& before_name) {
  State& s = *state_;
  const Communicator& all = s.communicator;
  all.agree([&] { s.require_writer(); });
  storage::end_snapshots(s);
  const storage::WriteCounts counts = s.writer->counts();
  const Index missing = all.sum(counts.missing);
  all.agree([&] { storage::check_nan(s.spec, missing); });
  const storage::StoredBlocks stored = storage::store_blocks(s);
  storage::check_blocks(s, stored.records);
  all.agree(before_name);
  storage::name_output(s, stored.checksums);
  const Index points = storage::points_of(s.spec.dims());
  return {all.sum(counts.saturated),
          all.sum(counts.vanished),
          missing,
          points * static_cast<Index>(size_of(s.spec.type)),
          s.spec.dataset_dims(),
          s.skipped};
}

template void OutputFile::write(const Box&, FieldView<const float>);
template void OutputFile::write(const Box&, FieldView<const double>);
template void OutputFile::Stream::write(const Box&, FieldView<const float>);
template void OutputFile::Stream::write(const Box&, FieldView<const double>);

}  // namespace stencil
