#pragma once

#include <cstddef>
#include <optional>

#include "drivers/job/report/printer.hpp"
#include "framework/parallel/stop_request.hpp"

namespace stencil {

/// Prints the events of the job, and lets signals stop the job cleanly.
struct Program : Printer {
  using Printer::Printer;
  void begin_stretch(std::size_t index, std::size_t) override {
    if (index > 0) end_on_signals_again();
  }
  void can_stop(StopToken& token) override { request_.emplace(token); }
  void cannot_stop() override { request_.reset(); }
  void before_commit() override { finish_despite_signals(); }
  void after_commit() override { tell_output_is_complete(); }
  void begin_side_work() override { side_work_.emplace(); }
  void end_side_work() override { side_work_.reset(); }

 private:
  std::optional<StopRequest> request_;
  std::optional<SideWork> side_work_;
};

}  // namespace stencil
