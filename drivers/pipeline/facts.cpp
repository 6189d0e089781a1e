#include "drivers/pipeline/facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstdint>

namespace stencil {
namespace {

/// Returns a digest of the bits of the values in their order.
std::uint64_t digest_of(const std::vector<double>& values) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const double value : values) {
    digest = (digest ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
    digest ^= digest >> 32;
  }
  return digest;
}

std::string words_of(const Mask& mask) {
  std::string words = fmt::format("{}x{} taps of digest {:x}, centre {}, zeros {}",
                                  mask.taps.height, mask.taps.width, digest_of(mask.taps.values),
                                  fmt::join(mask.centre, "x"), mask.multiply_zeros);
  if (mask.rank == 3)
    words += fmt::format(", {} planes with the centre in {}", mask.taps.depth, mask.centre_plane);
  if (mask.factors && mask.rank == 3)
    words += fmt::format(", factors along batch of digest {:x}", digest_of(mask.factors->plane));
  if (mask.factors)
    words += fmt::format(", {} factors of digests {:x} and {:x}", mask.factors->terms,
                         digest_of(mask.factors->column), digest_of(mask.factors->row));
  return words;
}

std::string words_of(const ChannelMask& mask) {
  return fmt::format("{}x{}x{}x{} taps in {} groups of digest {:x}", mask.out, mask.in, mask.height,
                     mask.width, mask.groups, digest_of(mask.values));
}

std::string words_of(const AxisSampling& axis) {
  return fmt::format("{} inputs to {} outputs, width {}, centre {}, first {}, stride {}, {} to {}",
                     axis.extent, axis.count, axis.width, axis.centre, axis.first, axis.stride,
                     axis.block_in, axis.block_out);
}

std::string words_of(const Decomposition& blocks) {
  std::string words =
      fmt::format("{} in {} blocks", to_string(blocks.shape()), to_string(blocks.grid()));
  for (int axis = 0; axis < axes; ++axis)
    for (Index k = 1; k < blocks.grid()[axis]; ++k)
      words += fmt::format("{}{}", k == 1 ? ", cut at " : " ", blocks.part(axis, k).first);
  return words;
}

std::string words_of(const Boundary& boundary) {
  return fmt::format("{}, {}, {} of value {}", to_string(boundary.rule[batch_axis]),
                     to_string(boundary.rule[y_axis]), to_string(boundary.rule[x_axis]),
                     boundary.value);
}

void add_stage(const BoundStage& stage, const std::string& name, std::vector<std::string>& facts) {
  const auto add = [&](std::string_view what, const auto& value) {
    facts.push_back(fmt::format("{}: {} = {}", name, what, value));
  };
  add("shape", words_of(stage.input));
  add("steps", stage.steps);
  add("steps of a sweep", stage.steps_per_sweep);
  add("method", to_string(stage.choice));
  add("mask", words_of(stage.choice.mask));
  add("mask_axis", to_string(stage.mask_axis));
  for (std::size_t k = 0; k < stage.bank.size(); ++k)
    add(fmt::format("bank[{}]", k), words_of(stage.bank[k].mask));
  if (stage.channels) add("channels", words_of(*stage.channels));
  for (const AxisSampling& axis : stage.sampling) add("axis", words_of(axis));
  add("boundary", words_of(stage.boundary));
  add("halo", to_string(stage.halo));
  if (stage.min_valid) add("min_valid", *stage.min_valid);
  if (const auto& fit = stage.edge_fit)
    add("edge_fit", fmt::format("{} polynomials over {} points of digests {:x} and {:x}",
                                fit->terms, fit->size, digest_of(fit->basis), digest_of(fit->at)));
}

}  // namespace

std::vector<std::string> facts_of(const Decomposition& blocks, const Halo& halo,
                                  const Boundary& boundary) {
  return {"shape = " + words_of(blocks), "halo = " + to_string(halo),
          "boundary = " + words_of(boundary)};
}

std::vector<std::string> facts_of(const Chain& chain) {
  std::vector<std::string> facts{fmt::format("stages = {}", chain.stages.size()),
                                 fmt::format("type = float{}", 8 * size_of(chain.precision))};
  for (std::size_t k = 0; k < chain.stages.size(); ++k)
    add_stage(chain.stages[k], fmt::format("stage {}", k), facts);
  return facts;
}

}  // namespace stencil
