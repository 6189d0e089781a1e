#include "framework/parallel/halo_exchange.hpp"

#include <algorithm>

namespace stencil {

template <class T>
HaloExchange<T>::HaloExchange(const Communicator& communicator, const Decomposition& decomposition,
                              const Halo& halo, const Boundary& boundary, Executor& executor,
                              Transport& transport)
    : halo_(halo), boundary_value_(static_cast<T>(boundary.value)), executor_(executor) {
  if (communicator.rank() >= decomposition.blocks()) return;
  if (decomposition.owned(communicator.rank()).empty()) return;
  // axes without other ranks go first: their ghosts then travel with the messages of the others
  std::array<int, axes> order{x_axis, y_axis, batch_axis};
  std::stable_partition(order.begin(), order.end(),
                        [&](int axis) { return decomposition.grid()[axis] == 1; });
  for (int axis : order) plan_axis(communicator.rank(), decomposition, boundary, axis, transport);
  bool waiting = false;  // start() goes no further than the first phase with messages
  for (const Phase& phase : phases_) {
    // ghosts of a phase that only sends are filled beside the messages, too
    waiting = waiting || phase.is_remote();
    pending_[phase.axis] = waiting;
  }
}

/// The owned box grown by the ghosts that are valid before the phase of `axis`.
template <class T>
Box HaloExchange<T>::cross_section(const Box& owned, int axis) const {
  Halo valid = halo_;
  for (int other = 0; other < axes; ++other)
    if (other == axis || !done_before_[other]) valid.low[other] = valid.high[other] = 0;
  return grown(owned, valid);
}

template <class T>
void HaloExchange<T>::plan_axis(int rank, const Decomposition& decomposition,
                                const Boundary& boundary, int axis, Transport& transport) {
  const Point mine = decomposition.coordinates(rank);
  const Box section = cross_section(decomposition.owned(rank), axis);
  Phase phase{
      .axis = axis, .local = {}, .constant = {}, .sends = {}, .receives = {}, .channel = {}};

  const auto part_of_run = [&](const GhostRun& run) {
    Part part{.ghosts = section, .points = section, .step = run.step};
    part.ghosts.set(axis, {run.ghost, run.ghost + run.count});
    const Index end = run.source + (run.count - 1) * run.step;
    part.points.set(axis, {std::min(run.source, end), std::max(run.source, end) + 1});
    return part;
  };
  const auto message_of = [&](int peer, const std::vector<GhostRun>& runs) {
    Message message;
    message.peer = peer;
    for (const GhostRun& run : runs) {
      message.parts.push_back(part_of_run(run));
      message.parts.back().at = message.elements;
      message.elements += message.parts.back().ghosts.points();
    }
    return message;
  };
  const auto rank_of_block = [&](Index block) {
    Point place = mine;
    place[axis] = block;
    return decomposition.rank_at(place);
  };

  for (Index block = 0; block < decomposition.grid()[axis]; ++block) {
    const GhostPlan plan = ghost_plan(decomposition, halo_, boundary.rule[axis], axis, block);
    const bool is_mine = block == mine[axis];
    for (const GhostSource& source : plan.sources) {
      if (is_mine && source.block == block)
        for (const GhostRun& run : source.runs) phase.local.push_back(part_of_run(run));
      else if (is_mine)
        phase.receives.push_back(message_of(rank_of_block(source.block), source.runs));
      else if (source.block == mine[axis])
        phase.sends.push_back(message_of(rank_of_block(block), source.runs));
    }
    if (!is_mine) continue;
    for (const Interval& ghosts : plan.constant) {
      Box box = section;
      box.set(axis, ghosts);
      phase.constant.push_back(box);
    }
  }
  done_before_[axis] = true;
  open_channel(transport, phase);
  phases_.push_back(std::move(phase));
}

template <class T>
void HaloExchange<T>::open_channel(Transport& transport, Phase& phase) {
  if (phase.sends.empty() && phase.receives.empty()) return;
  const auto parcels = [](const std::vector<Message>& messages) {
    std::vector<Parcel> result;
    for (const Message& message : messages)
      result.push_back({message.peer, checked_multiply(message.elements, sizeof(T))});
    return result;
  };
  const std::vector<Parcel> sends = parcels(phase.sends);
  phase.channel = transport.open(sends, parcels(phase.receives), phase.axis);
  for (const Parcel& parcel : sends) bytes_sent_ += parcel.bytes;
  for (std::size_t i = 0; i < phase.sends.size(); ++i)
    phase.sends[i].buffer = phase.channel->send_buffer(i);
  for (std::size_t i = 0; i < phase.receives.size(); ++i)
    phase.receives[i].buffer = phase.channel->receive_buffer(i);
}

template <class T>
Rectangle HaloExchange<T>::in_field(const Box& global) const {
  return rectangle_of(field_->window(global));
}

/// The points of a part in the order of its ghosts: backwards for step -1, one repeated for 0.
template <class T>
Rectangle HaloExchange<T>::points_of(const Part& part, int axis) const {
  Rectangle rectangle = in_field(part.points);
  if (part.step == -1) {
    rectangle.origin += (rectangle.extent[axis] - 1) * rectangle.stride[axis];
    rectangle.stride[axis] = -rectangle.stride[axis];
  } else if (part.step == 0) {
    rectangle.extent[axis] = part.ghosts.along(axis).extent();
    rectangle.stride[axis] = 0;
  }
  return rectangle;
}

template <class T>
Rectangle HaloExchange<T>::in_message(const Message& message, const Part& part) const {
  const Point extent = part.ghosts.extent();
  const Index element = sizeof(T);
  return {message.buffer + part.at * element,
          extent,
          {extent[1] * extent[2] * element, extent[2] * element, element}};
}

/// Ghosts that this rank's own points or the boundary value fill.
template <class T>
void HaloExchange<T>::fill_local(const Phase& phase, Lane lane) {
  for (const Part& part : phase.local)
    executor_.copy(points_of(part, phase.axis), in_field(part.ghosts), sizeof(T), lane);
  for (const Box& box : phase.constant)
    executor_.fill(in_field(box), &boundary_value_, sizeof(T), lane);
}

template <class T>
void HaloExchange<T>::start_phase(Phase& phase) {
  if (phase.is_remote()) {
    phase.channel->prepare();
    for (Message& message : phase.sends)
      for (const Part& part : message.parts)
        executor_.copy(points_of(part, phase.axis), in_message(message, part), sizeof(T),
                       Lane::exchange);
    phase.channel->start();
  }
  fill_local(phase, Lane::exchange);
}

template <class T>
void HaloExchange<T>::finish_phase(Phase& phase) {
  if (!phase.is_remote()) return;
  phase.channel->finish();
  for (Message& message : phase.receives)
    for (const Part& part : message.parts)
      executor_.copy(in_message(message, part), in_field(part.ghosts), sizeof(T), Lane::exchange);
  phase.channel->release();
}

template <class T>
void HaloExchange<T>::start(const Field<T>& field) {
  field_ = &field;
  next_phase_ = 0;
  // in line with the kernels, which read these ghosts before any halo arrives
  for (; next_phase_ < phases_.size() && !phases_[next_phase_].is_remote(); ++next_phase_)
    fill_local(phases_[next_phase_], Lane::work);
  if (next_phase_ == phases_.size()) return;
  executor_.order(Lane::work, Lane::exchange);
  start_phase(phases_[next_phase_]);
}

template <class T>
void HaloExchange<T>::finish() {
  if (next_phase_ < phases_.size()) {
    finish_phase(phases_[next_phase_]);
    for (std::size_t i = next_phase_ + 1; i < phases_.size(); ++i) {
      start_phase(phases_[i]);
      finish_phase(phases_[i]);
    }
    executor_.order(Lane::exchange, Lane::work);
  }
  field_ = nullptr;
}

template class HaloExchange<float>;
template class HaloExchange<double>;

}  // namespace stencil
