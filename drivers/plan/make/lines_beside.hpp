#pragma once

#include <string>

namespace stencil {

/// `run.steps.jsonl`, the file of step lines beside the report `run.json`; empty for a report of
/// another name, which may be a pipe.
std::string lines_beside(const std::string& report);

}  // namespace stencil
