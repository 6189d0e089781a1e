#pragma once

#include <vector>

#include "drivers/plan/plan.hpp"
#include "io/hdf5/conversion.hpp"

namespace stencil {

/// The windows that a run has to compute, and those that are done. Outputs are counted along the
/// axis of the windows; a unit consists of whole blocks of the file and belongs to one rank.

/// A window that has been written.
struct DoneWindow {
  Interval outputs;
  storage::WriteCounts counts;
};

/// Returns the number of outputs in a unit.
Index unit_of(const Windows& windows);

/// Returns the windows of a rank in ascending order: those in its share of the unfinished units.
///
/// @param count  number of outputs along the axis
/// @param done   units that an earlier run completed; incomplete units are ignored
std::vector<Interval> windows_of(const Windows& windows, Index count,
                                 const std::vector<Interval>& done, int rank, int ranks);

/// Returns those of `windows` that lie only in units which `windows` cover completely. Several
/// windows may cover a unit together, so `windows` must be all completed windows of a rank.
std::vector<DoneWindow> whole_units(std::vector<DoneWindow> windows, Index unit, Index count);

/// Returns the output, along the axis of the windows, at which a block of the file begins.
Index first_output(const Plan& plan, Index block);

}  // namespace stencil
