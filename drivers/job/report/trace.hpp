#pragma once

#include <string>
#include <vector>

#include "framework/device/span_log.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Largest number of spans that a rank keeps (about 10 MB of text), so that a trace of many steps
/// stays readable.
inline constexpr std::size_t most_spans = 100'000;

/// Returns the events of one rank as elements of a JSON array in the Chrome trace event format,
/// without brackets: names of the process and its threads, and a complete event for each span.
/// Times are in microseconds.
std::string trace_events(const std::vector<SpanLog::Span>& spans, std::size_t left_out, int rank,
                         const std::string& device);

/// Returns on rank 0 the trace of all ranks: a JSON object for Perfetto and chrome://tracing.
/// Returns an empty text on other ranks. Collective.
std::string gather_trace(const Communicator& communicator, const SpanLog& log,
                         const std::string& device);

}  // namespace stencil
