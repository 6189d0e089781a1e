#pragma once

#include <string>

#include "drivers/config/config.hpp"
#include "drivers/job/report/run_summary.hpp"

namespace stencil {

/// The text at the end of a run on stderr: what was written, and notes for its readers.
std::string closing_lines(const Plan& plan, const RunSummary& summary);

/// The machine-readable report as JSON text.
std::string report_json(const Plan& plan, const RunSummary& summary,
                        const std::string& device_facts);

}  // namespace stencil
