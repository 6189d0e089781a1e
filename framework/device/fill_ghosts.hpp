#pragma once

#include "framework/device/executor.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/exchange_plan.hpp"

namespace stencil {

/// Returns the points that fill a part of the ghosts of a field, in the order of these ghosts. For
/// step -1 the points are in reverse order; for step 0 one point is repeated.
///
/// @param part  ghosts whose source points lie in the field
/// @param axis  axis of the phase
template <class T>
ConstRectangle points_of(const GhostPart& part, int axis, const Field<T>& field) {
  ConstRectangle rectangle = rectangle_of(field.window(part.points));
  if (part.step == -1) {
    rectangle.origin += (rectangle.extent[axis] - 1) * rectangle.stride[axis];
    rectangle.stride[axis] = -rectangle.stride[axis];
  } else if (part.step == 0) {
    rectangle.extent[axis] = part.ghosts.along(axis).extent();
    rectangle.stride[axis] = 0;
  }
  return rectangle;
}

/// Queues work that fills some ghosts of one phase: those that are copies of the field's own
/// points, and those that hold the boundary value. Sends no messages; ghosts that other ranks own
/// are not changed.
///
/// @param field  its owned points and the ghosts of earlier phases must be valid
template <class T>
void fill_ghosts(Executor& executor, Field<T>& field, const ExchangePhase& phase, T boundary_value,
                 Lane lane = Lane::work) {
  for (const GhostPart& part : phase.local)
    executor.copy(points_of(part, phase.axis, field), rectangle_of(field.window(part.ghosts)),
                  sizeof(T), lane);
  for (const Box& box : phase.constant)
    executor.fill(rectangle_of(field.window(box)), &boundary_value, sizeof(T), lane);
}

}  // namespace stencil
