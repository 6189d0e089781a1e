#include "drivers/job/report/trace.hpp"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace stencil {
namespace {

using Json = nlohmann::json;

constexpr int trace_tag = 4711;

std::string thread_name(int thread, const std::string& row) {
  const std::string name = thread == 0 ? "main thread" : fmt::format("thread {}", thread);
  return row.empty() ? name : fmt::format("{}: {}", name, row);
}

std::string text_of(const Json& event) {
  return event.dump(-1, ' ', false, Json::error_handler_t::replace) + ",\n";
}

std::string named(const char* what, int rank, int thread, const Json& arguments) {
  return text_of(
      {{"ph", "M"}, {"name", what}, {"pid", rank}, {"tid", thread}, {"args", arguments}});
}

}  // namespace

std::string trace_events(const std::vector<SpanLog::Span>& spans, std::size_t left_out, int rank,
                         const std::string& device) {
  std::map<std::pair<int, std::string>, int> rows;
  for (const SpanLog::Span& span : spans) rows.try_emplace({span.thread, span.row}, 0);
  int number = 0;
  for (auto& [row, place] : rows) place = number++;
  std::string text = named("process_name", rank, 0, {{"name", fmt::format("rank {}", rank)}});
  text += named("process_sort_index", rank, 0, {{"sort_index", rank}});
  text += named("process_labels", rank, 0, {{"labels", device}});
  for (const auto& [row, place] : rows) {
    text += named("thread_name", rank, place, {{"name", thread_name(row.first, row.second)}});
    text += named("thread_sort_index", rank, place, {{"sort_index", place}});
  }
  for (const SpanLog::Span& span : spans)
    text += text_of({{"ph", "X"},
                     {"name", span.name},
                     {"cat", span.row.empty() ? "range" : "station"},
                     {"pid", rank},
                     {"tid", rows.at({span.thread, span.row})},
                     {"ts", span.begin * 1e6},
                     {"dur", (span.end - span.begin) * 1e6}});
  if (left_out > 0)
    text += text_of({{"ph", "i"},
                     {"name", fmt::format("{} later spans are left out", left_out)},
                     {"s", "p"},
                     {"pid", rank},
                     {"tid", 0},
                     {"ts", spans.empty() ? 0.0 : spans.back().end * 1e6}});
  return text;
}

std::string gather_trace(const Communicator& communicator, const SpanLog& log,
                         const std::string& device) {
  std::string text = trace_events(log.spans(), log.left_out(), communicator.rank(), device);
  const MPI_Comm comm = communicator.handle();
  if (communicator.rank() > 0) {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_BYTE, 0, trace_tag, comm);
    return "";
  }
  for (int rank = 1; rank < communicator.size(); ++rank) {
    MPI_Status status;
    int bytes = 0;
    MPI_Probe(rank, trace_tag, comm, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    std::string part(static_cast<std::size_t>(bytes), '\0');
    MPI_Recv(part.data(), bytes, MPI_BYTE, rank, trace_tag, comm, MPI_STATUS_IGNORE);
    text += part;
  }
  text.erase(text.size() - 2);  // removes the last comma
  return fmt::format(
      "{{\"program\": \"stencil_run\", \"displayTimeUnit\": \"ms\", "
      "\"traceEvents\": [\n{}\n]}}\n",
      text);
}

}  // namespace stencil
