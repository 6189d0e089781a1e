#pragma once

#include <functional>
#include <string>

namespace stencil {

/// Returns a copy of an error message of the library in which keys of a configuration replace the
/// names of function arguments: `backend = cuda` becomes `run.backend = cuda`.
std::string with_keys(const std::string& message);

/// Runs `work`. If `work` throws an Error, the error is rethrown with the message that with_keys()
/// returns.
void naming_keys(const std::function<void()>& work);

}  // namespace stencil
