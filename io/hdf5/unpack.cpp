#include "io/hdf5/unpack.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "io/hdf5/szip.hpp"

namespace stencil::storage {
namespace {

constexpr Index checksum_bytes = 4;

std::uint32_t fold(std::uint32_t sum) {
  return (sum & 0xffff) + (sum >> 16);
}

/// Fletcher checksum of big-endian 16-bit words as HDF5 defines it.
std::uint32_t fletcher32(const std::uint8_t* data, std::size_t bytes) {
  std::uint32_t low = 0, high = 0;
  for (std::size_t words = bytes / 2; words > 0;) {
    std::size_t batch = std::min<std::size_t>(words, 360);  // batches are so short that the sums
                                                            // cannot overflow
    words -= batch;
    for (; batch > 0; --batch, data += 2) {
      low += static_cast<std::uint32_t>(data[0] << 8 | data[1]);
      high += low;
    }
    low = fold(low), high = fold(high);
  }
  if (bytes % 2 != 0) {
    low += static_cast<std::uint32_t>(*data << 8);
    high += low;
    low = fold(low), high = fold(high);
  }
  return fold(high) << 16 | fold(low);
}

bool is_whole(const std::byte* data, Index bytes) {
  const auto* const text = reinterpret_cast<const std::uint8_t*>(data);
  const std::uint8_t* const end = text + bytes;
  const std::uint32_t stored = static_cast<std::uint32_t>(end[0]) | std::uint32_t{end[1]} << 8 |
                               std::uint32_t{end[2]} << 16 | std::uint32_t{end[3]} << 24;
  const std::uint32_t sum = fletcher32(text, static_cast<std::size_t>(bytes));
  // HDF5 before 1.6.3 wrote the bytes of both halves in reverse order
  const std::uint32_t old = (sum & 0x00ff00ff) << 8 | (sum & 0xff00ff00) >> 8;
  return stored == sum || stored == old;
}

template <std::size_t size>
void unshuffle_fixed(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < size; ++k) to[i * size + k] = from[k * count + i];
}

void unshuffle(const std::byte* from, std::byte* to, std::size_t bytes, std::size_t size) {
  const std::size_t count = bytes / size;
  if (size == 2)
    unshuffle_fixed<2>(from, to, count);
  else if (size == 4)
    unshuffle_fixed<4>(from, to, count);
  else if (size == 8)
    unshuffle_fixed<8>(from, to, count);
  else
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t i = 0; i < count; ++i) to[i * size + k] = from[k * count + i];
  std::copy(from + count * size, from + bytes, to + count * size);
}

bool is_left_out(unsigned mask, std::size_t filter) {
  return filter < 32 && (mask >> filter & 1u) != 0;
}

}  // namespace

bool is_unpacked_here(const std::vector<Filter>& filters) {
  return filters.size() < 32 && std::all_of(filters.begin(), filters.end(), [](const Filter& f) {
           return f.id == H5Z_FILTER_DEFLATE || f.id == H5Z_FILTER_FLETCHER32 ||
                  (f.id == H5Z_FILTER_SHUFFLE && f.values.size() == 1) ||
                  (f.id == H5Z_FILTER_SZIP && f.values.size() == 4);
         });
}

Bytes::~Bytes() {
  ::operator delete[](data_);
}

std::byte* Bytes::hold(Index bytes) {
  if (bytes > held_) {
    ::operator delete[](std::exchange(data_, nullptr));
    held_ = 0;
    data_ = static_cast<std::byte*>(::operator new[](static_cast<std::size_t>(bytes)));
    held_ = bytes;
  }
  return data_;
}

Unpacker::Unpacker(const std::vector<Filter>& filters, Index chunk_bytes)
    : filters_(filters), chunk_bytes_(chunk_bytes), inflater_(libdeflate_alloc_decompressor()) {
  if (!inflater_) throw std::bad_alloc();
}

Unpacker::~Unpacker() {
  libdeflate_free_decompressor(static_cast<libdeflate_decompressor*>(inflater_));
}

std::byte* Unpacker::fail(const char* fault) {
  fault_ = fault;
  return nullptr;
}

Bytes& Unpacker::free() {
  return one_.holds(now_) ? other_ : one_;
}

bool Unpacker::check_sum() {
  bytes_ -= checksum_bytes;
  if (bytes_ >= 0 && is_whole(now_, bytes_)) return true;
  fault_ = "its checksum is not that of its bytes";
  return false;
}

void Unpacker::undo_shuffle(std::size_t element_bytes) {
  if (element_bytes <= 1) return;
  std::byte* const to = free().hold(bytes_);
  unshuffle(now_, to, static_cast<std::size_t>(bytes_), element_bytes);
  now_ = to;
}

bool Unpacker::inflate(bool is_last) {
  const Index room =
      most_unpacked() + (is_last ? 0 : chunk_bytes_ / 64 + 4096);  // overhead of gzip
  std::byte* const to = free().hold(room);
  std::size_t got = 0;
  const auto result = libdeflate_zlib_decompress(static_cast<libdeflate_decompressor*>(inflater_),
                                                 now_, static_cast<std::size_t>(bytes_), to,
                                                 static_cast<std::size_t>(room), &got);
  fault_ = result == LIBDEFLATE_INSUFFICIENT_SPACE ? "it unpacks to more bytes than a chunk has"
                                                   : "its gzip stream is damaged";
  now_ = to, bytes_ = static_cast<Index>(got);
  return result == LIBDEFLATE_SUCCESS;
}

/// Reverses szip. HDF5 stores the unpacked size before the stream, but does not check this size
/// when it reads.
bool Unpacker::undo_szip(const std::vector<unsigned>& values) {
  constexpr Index length_bytes = 4;
  fault_ = "its szip stream is damaged";
  if (bytes_ <= length_bytes) return false;
  Index unpacked_bytes = 0;
  for (Index i = length_bytes; i-- > 0;)
    unpacked_bytes = unpacked_bytes << 8 | std::to_integer<Index>(now_[i]);
  if (unpacked_bytes > most_unpacked()) {
    fault_ = "it unpacks to more bytes than a chunk has";
    return false;
  }
  std::byte* const to = free().hold(unpacked_bytes + 1);
  if (!unpack_szip(values, now_ + length_bytes, bytes_ - length_bytes, to, unpacked_bytes))
    return false;
  now_ = to, bytes_ = unpacked_bytes;
  return true;
}

bool Unpacker::undo(const Filter& filter, bool is_last_gzip) {
  switch (filter.id) {
    case H5Z_FILTER_FLETCHER32:
      return check_sum();
    case H5Z_FILTER_SHUFFLE:
      undo_shuffle(filter.values.front());
      return true;
    case H5Z_FILTER_SZIP:
      return undo_szip(filter.values);
    default:
      return inflate(is_last_gzip);
  }
}

std::byte* Unpacker::unpack(Index bytes, unsigned mask) {
  now_ = stored_.hold(bytes), bytes_ = bytes;
  std::size_t first_gzip = filters_.size();
  for (std::size_t i = filters_.size(); i-- > 0;)
    if (filters_[i].id == H5Z_FILTER_DEFLATE && !is_left_out(mask, i)) first_gzip = i;
  for (std::size_t i = filters_.size(); i-- > 0;)
    if (!is_left_out(mask, i) && !undo(filters_[i], i == first_gzip)) return fail(fault_);
  if (bytes_ != chunk_bytes_)
    return fail(bytes_ < chunk_bytes_ ? "it has fewer bytes than a chunk of this dataset"
                                      : "it has more bytes than a chunk of this dataset");
  return now_;
}

}  // namespace stencil::storage
