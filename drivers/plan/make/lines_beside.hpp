#pragma once

#include <string>

namespace stencil {

/// `run.steps.jsonl`, the file of step lines next to the report `run.json`; empty if the report has
/// another ending, because it may be a pipe.
std::string lines_beside(const std::string& report);

}  // namespace stencil
