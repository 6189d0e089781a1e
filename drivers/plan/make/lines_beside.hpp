#pragma once

#include <string>

namespace stencil {

/// Returns the name of the file of step lines next to a report: `run.steps.jsonl` for `run.json`.
/// The name is empty if the report has another extension, because the report may then be a pipe.
std::string lines_beside(const std::string& report);

}  // namespace stencil
