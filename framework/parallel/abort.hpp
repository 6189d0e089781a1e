#pragma once

#include <functional>
#include <string>

#include "framework/grid/error.hpp"

namespace stencil {

/// Ends the whole job at once from this rank, with one line on stderr and the given status: for
/// failures that the other ranks cannot be told of, because they wait inside a collective call.
/// Clears up first (AbortCleanup). Where several ranks fail together, one of them speaks.
[[noreturn]] void abort_job(Status status, const std::string& message);

/// While it lives, an aborted job clears something up: an unfinished output, say.
class AbortCleanup {
 public:
  /// @param clear  clears up on behalf of the whole job and returns whether this rank was the one
  /// that
  ///               did: only that rank prints. Must not throw or communicate.
  explicit AbortCleanup(std::function<bool()> clear);
  ~AbortCleanup();
  AbortCleanup(const AbortCleanup&) = delete;
  AbortCleanup& operator=(const AbortCleanup&) = delete;
};

}  // namespace stencil
