#pragma once

#include <vector>

#include "drivers/plan/plan.hpp"
#include "io/hdf5/conversion.hpp"

namespace stencil {

/// The functions below determine the windows that a run has to compute, and the windows that are
/// done. Outputs are counted along the axis of the windows; a unit consists of whole blocks of the
/// file and belongs to one rank.

/// A window that has been written.
struct DoneWindow {
  Interval outputs;
  storage::WriteCounts counts;
};

/// Returns the number of outputs in a unit.
Index unit_of(const Windows& windows);

/// Returns, in ascending order, the windows that a rank has to compute: the windows in its share of
/// the unfinished units.
///
/// @param count  number of outputs along the axis
/// @param done   outputs that an earlier run computed; a unit is finished if `done` contains all
///               of its outputs
std::vector<Interval> windows_of(const Windows& windows, Index count,
                                 const std::vector<Interval>& done, int rank, int ranks);

/// Returns the elements of `windows` that lie only in units which all elements together cover
/// completely. Several windows may cover a unit together, so `windows` must contain all completed
/// windows of a rank.
std::vector<DoneWindow> whole_units(std::vector<DoneWindow> windows, Index unit, Index count);

/// Returns the output, along the axis of the windows, at which a block of the file begins.
Index first_output(const Plan& plan, Index block);

}  // namespace stencil
