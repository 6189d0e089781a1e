#pragma once

#include <string>
#include <vector>

#include "framework/device/span_log.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Spans that a rank keeps, so that a trace of many steps stays readable: some 10 MB of text.
inline constexpr std::size_t most_spans = 100'000;

/// The events of one rank in the JSON array of the Chrome trace event format, without brackets:
/// names of the process and of its threads, and a complete event for each span, in microseconds.
std::string trace_events(const std::vector<SpanLog::Span>& spans, std::size_t left_out, int rank,
                         const std::string& device);

/// The trace of all ranks, on rank 0: a JSON object that Perfetto and chrome://tracing open. Empty
/// on other ranks. Collective.
std::string gather_trace(const Communicator& communicator, const SpanLog& log,
                         const std::string& device);

}  // namespace stencil
