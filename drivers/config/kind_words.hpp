#pragma once

#include <array>
#include <iterator>
#include <optional>

#include "drivers/config/choices.hpp"
#include "drivers/config/kinds.hpp"
#include "framework/device/backend.hpp"
#include "framework/grid/boundary.hpp"
#include "framework/grid/sampling.hpp"
#include "framework/parallel/transport_request.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/join.hpp"
#include "kernels/method/method_request.hpp"

// The keywords of the configuration and their values: one table for each type of value.

namespace stencil {

template <>
inline constexpr auto choices_of<Operation> = std::to_array<Choice<Operation>>(
    {{"correlate", Operation::correlate}, {"convolve", Operation::convolve}});

template <>
inline constexpr auto choices_of<BoundaryRule> = std::to_array<Choice<BoundaryRule>>(
    {{to_string(BoundaryRule::reflect), BoundaryRule::reflect},
     {to_string(BoundaryRule::mirror), BoundaryRule::mirror},
     {to_string(BoundaryRule::nearest), BoundaryRule::nearest},
     {"clamp", BoundaryRule::nearest, true},
     {to_string(BoundaryRule::wrap), BoundaryRule::wrap},
     {"periodic", BoundaryRule::wrap, true},
     {"zero", BoundaryRule::constant, true},   // `zero` is `constant` with a boundary value of 0
     {"interp", BoundaryRule::reflect, true},  // see StageConfig::fits_edges
     {to_string(BoundaryRule::constant), BoundaryRule::constant}});

template <>
inline constexpr auto choices_of<Extent> = std::to_array<Choice<Extent>>({{"same", Extent::same},
                                                                          {"valid", Extent::valid},
                                                                          {"full", Extent::full}});

template <>
inline constexpr auto choices_of<MethodRequest> =
    std::to_array<Choice<MethodRequest>>({{"auto", MethodRequest::automatic},
                                          {"direct", MethodRequest::direct},
                                          {"separable", MethodRequest::separable},
                                          {"fft", MethodRequest::fft}});

template <>
inline constexpr auto choices_of<Verification> =
    std::to_array<Choice<Verification>>({{"all", Verification::all}, {"none", Verification::none}});

template <>
inline constexpr auto choices_of<Copy> = std::to_array<Choice<Copy>>({{"none", Copy::none},
                                                                      {"rest", Copy::rest}});

template <>
inline constexpr auto choices_of<Edges> =
    std::to_array<Choice<Edges>>({{"data", Edges::data}, {"boundary", Edges::boundary}});

template <>
inline constexpr auto choices_of<BeyondEdges> = std::to_array<Choice<BeyondEdges>>(
    {{"boundary", BeyondEdges::boundary}, {"missing", BeyondEdges::missing}});

template <>
inline constexpr auto choices_of<Packed> =
    std::to_array<Choice<Packed>>({{"values", Packed::values}, {"stored", Packed::stored}});

template <>
inline constexpr auto choices_of<Gaps> = std::to_array<Choice<Gaps>>({{"refuse", Gaps::refuse},
                                                                      {"fill", Gaps::fill},
                                                                      {"split", Gaps::split}});

template <>
inline constexpr auto choices_of<Overlap> = std::to_array<Choice<Overlap>>(
    {{"refuse", Overlap::refuse}, {"first", Overlap::first}, {"last", Overlap::last}});

template <>
inline constexpr auto choices_of<Clock> = std::to_array<Choice<Clock>>({{"files", Clock::files},
                                                                        {"first", Clock::first}});

template <>
inline constexpr auto choices_of<Nonfinite> =
    std::to_array<Choice<Nonfinite>>({{"stop", Nonfinite::stop}, {"note", Nonfinite::note}});

template <>
inline constexpr auto choices_of<MissingPolicy> =
    std::to_array<Choice<MissingPolicy>>({{"propagate", MissingPolicy::propagate},
                                          {"renormalize", MissingPolicy::renormalize},
                                          {"fill", MissingPolicy::fill}});

/// Types of output elements; nullopt is the compute type.
template <>
inline constexpr auto choices_of<std::optional<ElementType>> =
    std::to_array<Choice<std::optional<ElementType>>>({{"auto", std::nullopt},
                                                       {"float16", ElementType::float16},
                                                       {"bfloat16", ElementType::bfloat16},
                                                       {"float32", ElementType::float32},
                                                       {"float64", ElementType::float64},
                                                       {"int8", ElementType::int8},
                                                       {"uint8", ElementType::uint8},
                                                       {"int16", ElementType::int16},
                                                       {"uint16", ElementType::uint16},
                                                       {"int32", ElementType::int32},
                                                       {"uint32", ElementType::uint32},
                                                       {"int64", ElementType::int64},
                                                       {"uint64", ElementType::uint64}});

template <>
inline constexpr auto choices_of<PrecisionRequest> =
    std::to_array<Choice<PrecisionRequest>>({{"auto", PrecisionRequest::automatic},
                                             {"float32", PrecisionRequest::float32},
                                             {"float64", PrecisionRequest::float64}});

template <>
inline constexpr auto choices_of<Restart> =
    std::to_array<Choice<Restart>>({{"auto", Restart::automatic}, {"never", Restart::never}});

template <>
inline constexpr auto choices_of<Backend> =
    std::to_array<Choice<Backend>>({{to_string(Backend::automatic), Backend::automatic},
                                    {to_string(Backend::cpu), Backend::cpu},
                                    {to_string(Backend::cuda), Backend::cuda}});

template <>
inline constexpr auto choices_of<TransportRequest> = std::to_array<Choice<TransportRequest>>(
    {{to_string(TransportRequest::automatic), TransportRequest::automatic},
     {to_string(TransportRequest::host), TransportRequest::host},
     {to_string(TransportRequest::mpi), TransportRequest::mpi},
     {to_string(TransportRequest::nccl), TransportRequest::nccl},
     {to_string(TransportRequest::peer), TransportRequest::peer}});

template <>
inline constexpr auto choices_of<ProgressStyle> =
    std::to_array<Choice<ProgressStyle>>({{"auto", ProgressStyle::automatic},
                                          {"bar", ProgressStyle::bar},
                                          {"lines", ProgressStyle::lines},
                                          {"none", ProgressStyle::none}});

}  // namespace stencil
