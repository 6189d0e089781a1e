#include "framework/parallel/halo_exchange.hpp"

#include <algorithm>

namespace stencil {
namespace {

constexpr Index message_piece = Index{1} << 28;  // bytes: MPI counts are int

}  // namespace

template <class T>
HaloExchange<T>::HaloExchange(const Communicator& communicator, const Decomposition& decomposition,
                              const Halo& halo, const Boundary& boundary, Executor& executor)
    : halo_(halo), boundary_value_(static_cast<T>(boundary.value)), executor_(executor) {
  if (communicator.rank() >= decomposition.blocks()) return;
  if (decomposition.owned(communicator.rank()).empty()) return;
  // axes without other ranks go first: their ghosts then travel with the messages of the others
  std::array<int, axes> order{x_axis, y_axis, batch_axis};
  std::stable_partition(order.begin(), order.end(),
                        [&](int axis) { return decomposition.grid()[axis] == 1; });
  for (int axis : order) plan_axis(communicator, decomposition, boundary, axis);
  bool waiting = false;  // start() goes no further than the first phase with messages
  for (const Phase& phase : phases_) {
    pending_[phase.axis] = waiting || !phase.receives.empty();
    waiting = waiting || phase.is_remote();
  }
}

template <class T>
HaloExchange<T>::~HaloExchange() {
  for (Phase& phase : phases_)
    for (MPI_Request& request : phase.requests) MPI_Request_free(&request);
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
void HaloExchange<T>::plan_axis(const Communicator& communicator,
                                const Decomposition& decomposition, const Boundary& boundary,
                                int axis) {
  const int rank = communicator.rank();
  const Point mine = decomposition.coordinates(rank);
  const Box section = cross_section(decomposition.owned(rank), axis);
  Phase phase{
      .axis = axis, .local = {}, .constant = {}, .sends = {}, .receives = {}, .requests = {}};

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
  add_message_buffers(communicator, phase);
  phases_.push_back(std::move(phase));
}

template <class T>
void HaloExchange<T>::add_message_buffers(const Communicator& communicator, Phase& phase) {
  const auto add = [&](Message& message, bool is_send) {
    const Index bytes = checked_multiply(message.elements, sizeof(T));
    message.buffer = executor_.allocate_shared(static_cast<std::size_t>(bytes));
    for (Index at = 0; at < bytes; at += message_piece) {
      const int count = static_cast<int>(std::min(message_piece, bytes - at));
      MPI_Request request = MPI_REQUEST_NULL;
      if (is_send)
        MPI_Send_init(message.buffer.get() + at, count, MPI_BYTE, message.peer, phase.axis,
                      communicator.handle(), &request);
      else
        MPI_Recv_init(message.buffer.get() + at, count, MPI_BYTE, message.peer, phase.axis,
                      communicator.handle(), &request);
      phase.requests.push_back(request);
    }
    if (is_send) bytes_sent_ += bytes;
  };
  for (Message& message : phase.receives) add(message, false);
  phase.receive_requests = phase.requests.size();
  for (Message& message : phase.sends) add(message, true);
}

template <class T>
Rectangle HaloExchange<T>::in_field(const Box& global) const {
  const FieldView<T> view = field_->window(global);
  return {
      reinterpret_cast<std::byte*>(view.data),
      view.extent,
      {view.batch_pitch * Index{sizeof(T)}, view.row_pitch * Index{sizeof(T)}, Index{sizeof(T)}}};
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
  return {message.buffer.get() + part.at * element,
          extent,
          {extent[1] * extent[2] * element, extent[2] * element, element}};
}

template <class T>
void HaloExchange<T>::start_phase(Phase& phase) {
  const std::size_t receives = phase.receive_requests, total = phase.requests.size();
  if (receives > 0) MPI_Startall(static_cast<int>(receives), phase.requests.data());
  for (Message& message : phase.sends)
    for (const Part& part : message.parts)
      executor_.copy(points_of(part, phase.axis), in_message(message, part), sizeof(T),
                     Lane::exchange);
  if (!phase.sends.empty()) executor_.synchronize(Lane::exchange);
  if (total > receives)
    MPI_Startall(static_cast<int>(total - receives), phase.requests.data() + receives);
  for (const Part& part : phase.local)
    executor_.copy(points_of(part, phase.axis), in_field(part.ghosts), sizeof(T), Lane::exchange);
  for (const Box& box : phase.constant)
    executor_.fill(in_field(box), &boundary_value_, sizeof(T), Lane::exchange);
}

template <class T>
void HaloExchange<T>::finish_phase(Phase& phase) {
  MPI_Waitall(static_cast<int>(phase.requests.size()), phase.requests.data(), MPI_STATUSES_IGNORE);
  for (Message& message : phase.receives)
    for (const Part& part : message.parts)
      executor_.copy(in_message(message, part), in_field(part.ghosts), sizeof(T), Lane::exchange);
}

template <class T>
void HaloExchange<T>::start(const Field<T>& field) {
  field_ = &field;
  next_phase_ = 0;
  executor_.order(Lane::work, Lane::exchange);  // the owned points are computed
  while (next_phase_ < phases_.size()) {
    start_phase(phases_[next_phase_]);
    if (phases_[next_phase_].is_remote()) break;
    ++next_phase_;
  }
  executor_.order(Lane::exchange, Lane::work);  // ghosts that need no other rank are valid
}

template <class T>
void HaloExchange<T>::finish() {
  if (next_phase_ < phases_.size()) {
    finish_phase(phases_[next_phase_]);
    for (std::size_t i = next_phase_ + 1; i < phases_.size(); ++i) {
      start_phase(phases_[i]);
      finish_phase(phases_[i]);
    }
  }
  executor_.order(Lane::exchange, Lane::work);
  field_ = nullptr;
}

template class HaloExchange<float>;
template class HaloExchange<double>;

}  // namespace stencil
