#pragma once

#include <functional>
#include <string>

namespace stencil {

/// A message of the library, which names arguments of functions, rewritten with the keys of a
/// configuration: `backend = cuda` becomes `run.backend = cuda`.
std::string with_keys(const std::string& message);

/// Runs `work`. An Error that it throws names keys instead of arguments, and is otherwise the same.
void naming_keys(const std::function<void()>& work);

}  // namespace stencil
