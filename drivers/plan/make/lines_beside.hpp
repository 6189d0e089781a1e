#pragma once

#include <string>

namespace stencil {

/// Returns the file of step lines next to a report: `run.steps.jsonl` for `run.json`. Empty if the
/// report has another extension, because the report may then be a pipe.
std::string lines_beside(const std::string& report);

}  // namespace stencil
