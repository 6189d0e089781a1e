#include "io/hdf5/szip.hpp"

#include <libaec.h>

#include <cstring>

namespace stencil::storage {
namespace {

// Flags of szlib.h. The coding is that of CCSDS 121.0-B-2, in which a line is a reference sample
// interval.
constexpr unsigned most_significant_first = 16, nearest_neighbour = 32;
constexpr Index most_in_block = 32, most_blocks_in_line = 128;

struct Coding {
  Index block, pixel_bits, line;
  unsigned options;

  explicit Coding(const std::vector<unsigned>& values)
      : block(values[1]), pixel_bits(values[2]), line(values[3]), options(values[0]) {}
  /// Points of 32 and 64 bits are coded byte by byte: first bytes of all points, second bytes, and
  /// so on.
  bool is_interleaved() const { return pixel_bits == 32 || pixel_bits == 64; }
  Index sample_bits() const { return is_interleaved() ? 8 : pixel_bits; }
  Index sample_bytes() const { return sample_bits() <= 8 ? 1 : sample_bits() <= 16 ? 2 : 4; }
  Index blocks_in_line() const { return (line + block - 1) / block; }
};

bool decode(const Coding& coding, const std::byte* from, Index from_bytes, std::byte* to,
            Index bytes) {
  aec_stream stream{};
  stream.bits_per_sample = static_cast<unsigned>(coding.sample_bits());
  stream.block_size = static_cast<unsigned>(coding.block);
  stream.rsi = static_cast<unsigned>(coding.blocks_in_line());
  stream.flags = (coding.options & most_significant_first ? AEC_DATA_MSB : 0u) |
                 (coding.options & nearest_neighbour ? AEC_DATA_PREPROCESS : 0u);
  stream.next_in = reinterpret_cast<const unsigned char*>(from);
  stream.avail_in = static_cast<std::size_t>(from_bytes);
  stream.next_out = reinterpret_cast<unsigned char*>(to);
  stream.avail_out = static_cast<std::size_t>(bytes);
  return aec_buffer_decode(&stream) == AEC_OK && static_cast<Index>(stream.total_out) == bytes;
}

}  // namespace

bool has_sound_szip_values(const std::vector<unsigned>& values, Index element_bytes) {
  if (values.size() != 4) return false;
  const Coding coding(values);
  return coding.block > 0 && coding.block % 2 == 0 && coding.block <= most_in_block &&
         coding.pixel_bits > 0 && coding.pixel_bits <= 8 * element_bytes && coding.line > 0 &&
         coding.line <= most_blocks_in_line * coding.block;
}

bool unpack_szip(const std::vector<unsigned>& values, const std::byte* from, Index from_bytes,
                 std::byte* to, Index bytes) {
  const Coding coding(values);
  const Index sample = coding.sample_bytes(), samples = bytes / sample;
  if (samples * sample != bytes) return false;
  if (samples == 0) return true;
  // every line is coded as whole blocks, including the last one
  const Index lines = (samples - 1) / coding.line + 1, line = coding.line * sample,
              coded_line = coding.blocks_in_line() * coding.block * sample;
  std::vector<std::byte> coded(static_cast<std::size_t>(lines * coded_line));
  if (!decode(coding, from, from_bytes, coded.data(), lines * coded_line)) return false;
  std::vector<std::byte> plain(static_cast<std::size_t>(lines * line));
  for (Index i = 0; i < lines; ++i)
    std::memcpy(plain.data() + i * line, coded.data() + i * coded_line,
                static_cast<std::size_t>(line));
  const Index point = coding.is_interleaved() ? coding.pixel_bits / 8 : 1, points = bytes / point;
  for (Index k = 0; k < point; ++k)
    for (Index i = 0; i < points; ++i)
      to[i * point + k] = plain[static_cast<std::size_t>(k * points + i)];
  return true;
}

}  // namespace stencil::storage
