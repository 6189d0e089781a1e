#include "io/read/virtual_read.hpp"

#include <algorithm>
#include <utility>

#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_lock.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/transfer.hpp"
#include "io/hdf5/virtual_mapping.hpp"
#include "io/read/every_nth.hpp"
#include "io/read/file_check.hpp"

namespace stencil::storage {
namespace {

// largest number of sources that are kept open; each source may need two open files, and the usual
// limit is 1024 files
constexpr std::size_t most_open = 64;
constexpr Index most_kept = Index{24} << 20;
constexpr Index hdf5_buffers = Index{4} << 20;  // sieve, metadata
constexpr Index fill_points = Index{1} << 14;   // number of points passed on at once

/// Passes points with the fill value to `take`, for points that no file contains.
void hand_on_fill(const DatasetFacts& facts, const Runs& runs, Index count,
                  const VirtualRead::Take& take) {
  visit_element(facts.type, [&](auto example) {
    using Element = decltype(example);
    const std::vector<Element> points(static_cast<std::size_t>(std::min(count, fill_points)),
                                      facts.fill.as<Element>());
    for (Index k = 0; k < count; k += fill_points)
      for_runs(runs, k, std::min(count, k + fill_points), [&](Index, Index at, Index n) {
        take(reinterpret_cast<const std::byte*>(points.data()), at, n);
      });
  });
}

bool is_stepped(const MappedPart& part) {
  for (std::size_t axis = 0; axis < part.step.size(); ++axis)
    if (part.step[axis] > 1 && part.there.count[axis] > 1) return true;
  return false;
}

}  // namespace

Index kept_open_bytes(const DatasetFacts& facts) {
  if (facts.mappings.empty())
    return hdf5_buffers +
           cache_for(facts.dims, facts.chunk, static_cast<Index>(size_of(facts.type))).bytes;
  Index bytes = 0, most = 0;
  for (const DatasetFacts& source : facts.source_datasets) {
    const Index these = kept_open_bytes(source);
    bytes += these;
    most = std::max(most, these);
  }
  return std::min(bytes, std::max(most, most_kept));
}

VirtualRead::VirtualRead(const DatasetFacts& facts, OpenSource open)
    : facts_(facts), open_source_(std::move(open)) {}

VirtualRead::~VirtualRead() = default;

std::shared_ptr<const PointReader> VirtualRead::opened(Index number) {
  const Hdf5Lock lock;  // locked before `mutex_`, in the same order everywhere
  const std::lock_guard guard(mutex_);
  const auto found =
      std::find_if(open_.begin(), open_.end(), [&](const Open& o) { return o.number == number; });
  if (found != open_.end()) {
    open_.splice(open_.end(), open_, found);
    return open_.back().dataset;
  }
  const DatasetFacts& source = facts_.source_datasets[static_cast<std::size_t>(number)];
  const Index bytes = kept_open_bytes(source);
  Index kept = bytes;
  for (const Open& open : open_) kept += open.bytes;
  while (!open_.empty() && (open_.size() >= most_open || kept > most_kept)) {
    kept -= open_.front().bytes;
    open_.pop_front();
  }
  open_.push_back({number, bytes, open_source_(source)});
  return open_.back().dataset;
}

void VirtualRead::read(const Piece& whole, const Take& take) {
  const auto element = static_cast<Index>(size_of(facts_.type));
  for (const VirtualMapping& mapping : facts_.mappings) {
    const auto part = mapped_part(mapping, whole);
    if (!part) continue;
    const Runs runs(whole, part->here);
    if (mapping.source == in_no_file) {
      hand_on_fill(facts_, runs, part->here.points(), take);
      continue;
    }
    std::shared_ptr<const PointReader> source = opened(mapping.source);
    const auto close = [&] {  // this releases the source under the HDF5 lock, because the source
                              // may have been evicted meanwhile
      const Hdf5Lock lock;
      source.reset();
    };
    try {
      const auto hand_on = [&](const std::byte* points, Index k, Index n) {
        for_runs(runs, k, k + n, [&](Index first, Index at, Index length) {
          take(points + (first - k) * element, at, length);
        });
      };
      if (is_stepped(*part))
        read_every_nth(*source, facts_.source_datasets[static_cast<std::size_t>(mapping.source)],
                       part->there, part->step, hand_on);
      else
        source->read(part->there, hand_on);
      if (facts_.is_composed()) source->check_unchanged();
    } catch (...) {
      close();
      throw;
    }
    close();
  }
}

std::vector<Handle> open_sources(const DatasetFacts& facts) {
  std::vector<Handle> held;
  for (const DatasetFacts& source : facts.source_datasets) {
    held.push_back(open_for_reading(source.file));
    held.push_back(open_dataset(held.back(), source.file, source.dataset).dataset);
    for (Handle& inner : open_sources(source)) held.push_back(std::move(inner));
  }
  return held;
}

}  // namespace stencil::storage
