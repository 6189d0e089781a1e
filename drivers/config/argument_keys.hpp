#pragma once

#include <functional>
#include <string>

namespace stencil {

/// Returns a message of the library with the keys of a configuration in place of the names of
/// function arguments: `backend = cuda` becomes `run.backend = cuda`.
std::string with_keys(const std::string& message);

/// Runs `work`. An Error that `work` throws is rethrown with the message of with_keys().
void naming_keys(const std::function<void()>& work);

}  // namespace stencil
