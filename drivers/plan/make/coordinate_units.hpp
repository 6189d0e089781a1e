#pragma once

#include <functional>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/pipeline/bound_stage.hpp"
#include "drivers/plan/make/axis_distance.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "framework/grid/normal_form.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Returns whether a stage has a value in the unit of the coordinates: `delta = coordinates`, or
/// `sigma` with a unit.
bool needs_coordinates(const StageConfig& stage);

/// Makes the mask of a stage, see make_stage_mask(), after values in the unit of the coordinates
/// have been converted to points. `delta` of the stage is set to the distances between its inputs,
/// one per axis of the mask; for the mask, `sigma` is divided by these distances. Distances are in
/// seconds along times, in metres along latitudes and longitudes, otherwise in the unit of the
/// dimension scale. A distance is negative if the coordinates decrease. Along longitudes it is the
/// distance on the equator of the sphere of radius DatasetFacts::earth_radius, and the result has
/// `latitudes`:
///
/// - for a derivative, the factors 1 / cos(latitude) to the power of the order, NaN at a pole;
/// - for `sigma` with a unit, a width in points for each latitude, which grows with
///   1 / cos(latitude). A mask has at most as many points as the axis. The mask of the stage is the
///   widest mask of all latitudes of the dataset; see set_widest_masks().
///
/// @throws WordsError  unevenly spaced coordinates (the message gives the first uneven step), no
///                     coordinates, no axis of latitudes for a mask along longitudes, coordinates
///                     in another kind of unit, or a mask for which such a value is not possible
StageMask make_mask_in_units(StageConfig& stage, const StageInputs& inputs,
                             const std::function<StageMask(const StageConfig&)>& make);

/// Checks that the axes of all masks, together with the axes of latitudes on which stages depend,
/// are at most three.
/// @param active  axes of masks and of latitudes, each once
/// @throws WordsError  there are more than three such axes, some of them axes of latitudes
///                     (NormalForm refuses more than three axes of masks)
void require_few_axes(const std::vector<int>& active, const std::vector<StageMask>& masks);

/// For each stage that has one mask per latitude, sets StageMask::mask to the widest of these
/// masks. Only the latitudes that a selection reads are considered, including the latitudes beyond
/// its ends that other masks need.
/// @param masks  of all stages
void set_widest_masks(std::vector<StageMask>& masks, const Config& config,
                      const DatasetFacts& facts);

/// Returns the part of `rows` for the inputs of a stage that follows the stages `before`.
///
/// @param input  the part of the dataset that is read
/// @param form   normal form of `input`, in which the axis of latitudes is not merged with other
///               axes
LatitudeRows at_inputs(const LatitudeRows& rows, const DatasetFacts& input, const NormalForm& form,
                       const std::vector<BoundStage>& before);

/// Returns a note for the user on a stage that depends on the latitude. The note contains the
/// radius of the sphere, the numbers of taps, and the rows without a result.
/// @pre  the stage has `rows`
std::string note_on_latitudes(const BoundStage& stage, const DatasetFacts& facts);

}  // namespace stencil
