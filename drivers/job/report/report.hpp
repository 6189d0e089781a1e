#pragma once

#include <string>

#include "drivers/config/config.hpp"
#include "drivers/job/report/run_summary.hpp"

namespace stencil {

/// Returns the text that ends a run on stderr: a summary of the written output, and notes.
std::string closing_lines(const Plan& plan, const RunSummary& summary);

/// Returns the machine-readable report as JSON text.
std::string report_json(const Plan& plan, const RunSummary& summary,
                        const std::string& device_facts);

}  // namespace stencil
