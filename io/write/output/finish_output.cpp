#include "io/write/output/finish_output.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <utility>

#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/write/blocks/all_written.hpp"
#include "io/write/blocks/file_seal.hpp"
#include "io/write/blocks/packed_output.hpp"
#include "io/write/lock/part_file.hpp"
#include "io/write/output/output_creation.hpp"
#include "io/write/output/snapshot_axis.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {

void end_snapshots(OutputState& s) {
  if (!s.spec.snapshots) return;
  s.finish_snapshot();
  s.spec.snapshots->count = std::ssize(s.times);
  if (s.is_within_snapshot ||
      (std::ssize(s.times) != s.planned_snapshots && !s.spec.snapshots->may_end_early))
    throw UsageError(fmt::format("{} has {} of {} snapshots: write all before commit()",
                                 one_line(s.spec.file), s.times.size(), s.planned_snapshots));
  for (BlockStream& stream : s.streams) s.writer->take(stream);
  s.streams.clear();
}

// Integers have no NaN: without a value that represents NaN, the points would silently become
// zeros.
void check_nan(const OutputSpec& spec, Index missing) {
  if (missing == 0 || is_floating(spec.type) || spec.missing_value) return;
  throw WordsError(
      fmt::format("{}: {} points are NaN and {} has no NaN: write output.dtype = float32, or "
                  "missing.value = the number that represents missing points",
                  qualified_name(spec.file, spec.dataset), missing, to_string(spec.type)));
}

StoredBlocks store_blocks(OutputState& s) {
  const Communicator& all = s.communicator;
  const BlockGrid grid = grid_of(s.spec);
  require_all_written(all, *s.writer, grid.size(), one_line(s.spec.file));
  const bool is_packed = s.spec.gzip_level > 0;
  std::vector<Written> waiting, records;
  if (is_packed)
    all.agree([&] {
      if (all.rank() == 0 && !s.target) s.open_target();
      waiting = s.writer->keep_waiting(s.ordered ? &*s.ordered : nullptr);
    });
  all.or_abort([&] {
    if (is_packed)
      write_packed(all, s.target ? &*s.target : nullptr, s.paths.part, s.writer->grid(),
                   s.writer->packed(), waiting);
    waiting = {};
    records = s.writer->release_written();
  });
  BlockChecksums checksums = checksums_of_all(all, records, s.writer->release_verified(), grid);
  all.or_abort([&] {
    records = s.spec.verify ? records_to_check(all, std::move(records), is_packed)
                            : std::vector<Written>{};
  });
  s.ordered.reset();
  s.target.reset();
  s.uncached.reset();
  s.writer.reset();
  return {std::move(checksums), std::move(records)};
}

void check_blocks(OutputState& s, const std::vector<Written>& records) {
  const Communicator& all = s.communicator;
  all.agree([&] {
    if (all.rank() == 0 && s.spec.snapshots && s.spec.gzip_level == 0)
      return_reserved(s.file.number(), s.first_byte, s.spec, s.planned_snapshots);
    s.close();
  });
  all.agree([&] {
    s.file = open_part(s.folder.number(), s.paths, all.rank(), O_RDONLY);
    s.require_same_file();
    check_written(s.file.number(), s.paths.part, s.spec, records);
  });
}

void name_output(OutputState& s, const BlockChecksums& checksums) {
  const Communicator& all = s.communicator;
  all.agree([&] {
    if (all.rank() != 0) return;
    with_room(s.paths.part, [&] {
      mark_complete(s.spec, s.paths, s.file.number(), *s.structure, checksums, s.times);
      if (s.spec.is_sealed)
        write_seal(s.file.number(), s.paths.part, bytes_of_points(grid_of(s.spec), s.first_byte));
    });
    bring_to_disk(s.file.number(), s.paths.part);
  });
  s.verify_structure();
  all.agree([&] {
    if (all.rank() == 0) s.publish();
  });
  s.cleanup.reset();
}

}  // namespace stencil::storage
