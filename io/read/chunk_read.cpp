#include "io/read/chunk_read.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "framework/grid/error.hpp"
#include "io/hdf5/complex_type.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/hdf5_lock.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/transfer.hpp"

namespace stencil::storage {
namespace {

constexpr Index most_bytes = Index{256} << 20;  // limit for all threads together, if there are
                                                // several
/// Size in bytes of the largest chunk without filters that is read without HDF5. Larger chunks are
/// read by HDF5, which can read parts of a chunk.
constexpr Index largest_plain = Index{16} << 20;

/// The chunks that a hyperslab intersects, numbered in row-major order.
struct Met {
  std::vector<Index> first, count, along;  ///< per axis; `along`: number of chunks of the whole
                                           ///< dataset
  Index chunks = 1;

  Met(const ChunkLayout& layout, const Piece& piece) {
    for (std::size_t axis = 0; axis < layout.dims.size(); ++axis) {
      const Index extent = layout.chunk[axis], last = piece.start[axis] + piece.count[axis] - 1;
      first.push_back(piece.start[axis] / extent);
      count.push_back(last / extent - first.back() + 1);
      along.push_back((layout.dims[axis] - 1) / extent + 1);
      chunks *= count.back();
    }
  }
  /// Returns the index of the i-th intersected chunk among all chunks of the dataset.
  Index number(Index i) const {
    Index number = 0, pitch = 1;
    for (std::size_t axis = count.size(); axis-- > 0;) {
      number += (first[axis] + i % count[axis]) * pitch;
      i /= count[axis];
      pitch *= along[axis];
    }
    return number;
  }
};

/// Returns the number of threads for `chunks` chunks, at most the number of OpenMP threads of the
/// calling thread.
int team_for(Index chunks, Index most) {
  return static_cast<int>(std::min({chunks, most, Index{omp_get_max_threads()}}));
}

/// Returns the intersection of a chunk and a hyperslab.
Piece shared(const Piece& chunk, const Piece& piece) {
  Piece both = chunk;
  for (std::size_t axis = 0; axis < both.start.size(); ++axis) {
    const Index last =
        std::min(chunk.start[axis] + chunk.count[axis], piece.start[axis] + piece.count[axis]);
    both.start[axis] = std::max(chunk.start[axis], piece.start[axis]);
    both.count[axis] = last - both.start[axis];
  }
  return both;
}

/// Returns the layout of the chunks along the axes of the numbers. Complex numbers have one more
/// axis than the dataset, see with_parts().
ChunkLayout layout_of(hid_t dataset, const DatasetFacts& facts, const std::string& where) {
  ChunkLayout layout = chunk_layout_of(dataset, where);
  if (!facts.is_complex()) return layout;
  layout.dims.push_back(2);
  layout.chunk.push_back(2);
  layout.element_bytes /= 2;
  return layout;
}

/// Returns whether the bytes of a complex number are its two parts, the real part first.
bool is_dense(hid_t dataset, const std::string& where) {
  const Handle type = owned(H5Dget_type(dataset), H5Tclose, where);
  const auto numbers = complex_type_of(type);
  return numbers && numbers->is_dense;
}

}  // namespace

ChunkReaders chunk_readers(const DatasetFacts& facts, Index threads) {
  ChunkReaders readers;
  Index chunks = 1;
  for (std::size_t axis = 0; axis < facts.chunk.size(); ++axis)
    chunks = checked_multiply(chunks, (facts.dims[axis] - 1) / facts.chunk[axis] + 1);
  const Index points = points_of(facts.chunk) * static_cast<Index>(size_of(facts.type));
  readers.bytes_each = checked_multiply(3, facts.chunk_bytes) + points;
  readers.threads = std::clamp<Index>(most_bytes / readers.bytes_each, 1,
                                      std::max<Index>(1, std::min(threads, chunks)));
  return readers;
}

/// State of one reading thread.
struct ChunkedFile::Worker {
  Unpacker unpacker;
  Bytes converted{}, picked{};
  KeptChunks::Points kept{};          ///< the chunk, if it was in the cache
  const std::byte* points = nullptr;  ///< points of the chunk, converted to the native type
};

ChunkedFile::ChunkedFile(hid_t dataset, const DatasetFacts& facts, const std::string& where,
                         Index kept)
    : dataset_(dataset),
      where_(where),
      layout_(layout_of(dataset, facts, where)),
      is_complex_(facts.is_complex()),
      type_(facts.type),
      fill_(facts.unwritten > 0 ? std::optional(facts.fill) : std::nullopt),
      numbers_(dataset, type_, where),
      most_threads_(chunk_readers(facts, omp_get_max_threads()).threads),
      keeps_all_(kept > 0),
      kept_(
          kept > 0
              ? kept
              : cache_for(facts.dims, facts.chunk, static_cast<Index>(size_of(facts.type))).bytes) {
}

bool ChunkedFile::can_read(hid_t dataset, const DatasetFacts& facts, const std::string& where) {
  if (facts.layout != "chunked" || (facts.is_complex() && !is_dense(dataset, where))) return false;
  const ChunkLayout layout = chunk_layout_of(dataset, where);
  return is_unpacked_here(layout.filters) &&
         (!layout.filters.empty() || layout.chunk_bytes() <= largest_plain);
}

/// Reads and unpacks the n-th chunk. @pre this thread has claimed the chunk
const std::byte* ChunkedFile::unpacked(Index n, Worker& worker) const {
  StoredChunk chunk;
  {
    const Hdf5Lock lock;
    if (const auto fault = read_stored(dataset_, layout_, n, worker.unpacker, chunk))
      throw StorageError(*fault);
  }
  std::byte* const points = worker.unpacker.unpack(chunk.bytes, chunk.mask);
  if (!points) throw StorageError(name_of_chunk(layout_, n) + ": " + worker.unpacker.fault());
  return numbers_.convert(points, points_of(layout_.chunk), worker.converted);
}

/// Returns whether the n-th chunk was never written. @pre check_storage() has accepted unwritten
/// chunks
bool ChunkedFile::is_unwritten(Index n) const {
  if (!fill_) return false;
  const Hdf5Lock lock;
  return bytes_on_record(dataset_, layout_, n) == 0;
}

const std::byte* ChunkedFile::filled(Worker& worker) const {
  return visit_element(type_, [&]<class Element>(Element) {
    const Index count = points_of(layout_.chunk);
    std::byte* const to = worker.converted.hold(count * Index{sizeof(Element)});
    std::fill_n(reinterpret_cast<Element*>(to), count, fill_->as<Element>());
    return static_cast<const std::byte*>(to);
  });
}

/// Caches the n-th chunk if it will be needed again. @param needed  the part of the chunk that is
/// read now
void ChunkedFile::keep_or_give_up(Index n, const Piece& needed, Worker& worker) const {
  const Piece whole = layout_.piece(n);
  bool is_inside = true;
  for (std::size_t axis = 0; axis < needed.count.size(); ++axis)
    is_inside &=
        needed.count[axis] == std::min(whole.count[axis], layout_.dims[axis] - whole.start[axis]);
  if (is_inside && !keeps_all_) return kept_.give_up(n);
  const Index size = points_of(layout_.chunk) * static_cast<Index>(size_of(type_));
  kept_.keep(n,
             std::make_shared<const std::vector<std::byte>>(worker.points, worker.points + size));
}

/// Copies one of the two parts of complex numbers, so that the numbers of this part are adjacent.
void ChunkedFile::pick_part(Index part, Piece& whole, Worker& worker) const {
  whole.start.back() = part;
  whole.count.back() = 1;
  const Index count = whole.points();
  visit_element(type_, [&]<class Part>(Part) {
    auto* const to = reinterpret_cast<Part*>(worker.picked.hold(count * Index{sizeof(Part)}));
    const auto* const from = reinterpret_cast<const Part*>(worker.points) + part;
    for (Index i = 0; i < count; ++i) to[i] = from[2 * i];
    worker.points = reinterpret_cast<const std::byte*>(to);
  });
}

void ChunkedFile::read_chunk(Index n, const Piece& piece, const Take& take, Worker& worker) const {
  const Index bytes = static_cast<Index>(size_of(type_));
  Piece whole = layout_.piece(n);
  const Piece part = shared(whole, piece);
  worker.kept = kept_.find_or_claim(n);
  if (worker.kept) {
    worker.points = worker.kept->data();
  } else if (is_unwritten(n)) {
    kept_.give_up(n);
    worker.points = filled(worker);
  } else {
    try {
      worker.points = unpacked(n, worker);
      keep_or_give_up(n, part, worker);
    } catch (...) {
      kept_.give_up(n);
      throw;
    }
  }
  if (is_complex_ && part.count.back() == 1) pick_part(part.start.back(), whole, worker);
  const Runs from(whole, part), to(piece, part);
  const Index length = std::min(from.length(), to.length()), runs = part.points() / length;
  for (Index run = 0; run < runs; ++run) {
    const Index at = run * length, in = at / from.length(), out = at / to.length();
    take(worker.points + (from.offset(in) + at - in * from.length()) * bytes,
         to.offset(out) + at - out * to.length(), length);
  }
}

void ChunkedFile::read(const Piece& piece, const Take& take) const {
  const Met met(layout_, piece);
  std::atomic<bool> has_failed{false};
  std::exception_ptr first;
#pragma omp parallel num_threads(team_for(met.chunks, most_threads_))
  {
    std::unique_ptr<Worker> worker;
#pragma omp for schedule(dynamic)
    for (Index i = 0; i < met.chunks; ++i) {
      if (has_failed) continue;
      try {
        if (!worker) worker.reset(new Worker{.unpacker{layout_.filters, layout_.chunk_bytes()}});
        read_chunk(met.number(i), piece, take, *worker);
      } catch (...) {
#pragma omp critical(stencil_first_failure)
        if (!has_failed.exchange(true)) first = std::current_exception();
      }
    }
  }
  if (!has_failed) return;
  try {
    std::rethrow_exception(first);
  } catch (const StorageError& error) {
    throw StorageError(fmt::format("cannot read {}: {}", where_, error.what()));
  }
}

}  // namespace stencil::storage
