#include "framework/parallel/halo_exchange.hpp"

#include <fmt/core.h>

#include <memory>
#include <utility>

#include "framework/device/fill_ghosts.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/exchange_plan.hpp"
#include "framework/parallel/transport.hpp"

namespace stencil {
namespace {

/// Returns the subdomain of this rank in the world for which an exchange is made.
Subdomain exchanged_part(const Communicator& communicator, const Decomposition& decomposition,
                         const Halo& halo) {
  require_ghosts(halo);
  if (decomposition.blocks() > communicator.size())
    throw ShapeError(
        fmt::format("{} blocks need as many ranks, and the number of ranks is {}: use more ranks "
                    "or fewer blocks",
                    to_string(decomposition.grid()), communicator.size()));
  return {decomposition.owned(communicator.rank()), halo};
}

std::string words_of(const Subdomain& subdomain) {
  return fmt::format("{} with a halo of {}", to_string(subdomain.owned), to_string(subdomain.halo));
}

}  // namespace

/// A phase of the plan with its channel and message buffers; `channel` is null if the phase has no
/// messages.
template <class T>
struct HaloExchange<T>::Phase {
  ExchangePhase plan;
  std::unique_ptr<Channel> channel;
  std::vector<std::byte*> send_buffers, receive_buffers;
};

template <class T>
HaloExchange<T>::~HaloExchange() = default;

template <class T>
HaloExchange<T>::HaloExchange(const Communicator& communicator, const Decomposition& decomposition,
                              const Halo& halo, const Boundary& boundary, Executor& executor,
                              Transport& transport)
    : communicator_(communicator),
      subdomain_(exchanged_part(communicator, decomposition, halo)),
      boundary_value_(static_cast<T>(boundary.value)),
      executor_(executor) {
  bool waiting = false;  // whether this or an earlier phase has messages: start() sends the
                         // messages of the first such phase
  for (ExchangePhase& plan : exchange_plan(communicator.rank(), decomposition, halo, boundary)) {
    Phase& phase = phases_.emplace_back();
    phase.plan = std::move(plan);
    // if this rank has no memory for the messages, its peers would wait for it forever
    if (phase.plan.is_remote()) communicator.or_abort([&] { open_channel(transport, phase); });
    // if a phase only sends messages, its local ghosts are also filled after start(), while the
    // messages are on their way
    waiting = waiting || phase.plan.is_remote();
    pending_[phase.plan.axis] = waiting;
  }
}

template <class T>
void HaloExchange<T>::open_channel(Transport& transport, Phase& phase) {
  const std::vector<Parcel> sends = parcels_of(phase.plan.sends, sizeof(T));
  phase.channel =
      transport.open(sends, parcels_of(phase.plan.receives, sizeof(T)), phase.plan.axis);
  for (const Parcel& parcel : sends) bytes_sent_ += parcel.bytes;
  for (std::size_t i = 0; i < phase.plan.sends.size(); ++i)
    phase.send_buffers.push_back(phase.channel->send_buffer(i));
  for (std::size_t i = 0; i < phase.plan.receives.size(); ++i)
    phase.receive_buffers.push_back(phase.channel->receive_buffer(i));
}

template <class T>
Rectangle HaloExchange<T>::in_field(const Box& global) const {
  return rectangle_of(field_->window(global));
}

template <class T>
Rectangle HaloExchange<T>::in_message(std::byte* buffer, const GhostPart& part) {
  const Point extent = part.ghosts.extent();
  const Index element = sizeof(T);
  return {buffer + part.at * element,
          extent,
          {extent[1] * extent[2] * element, extent[2] * element, element}};
}

template <class T>
void HaloExchange<T>::start_phase(Phase& phase) {
  if (phase.channel) {
    phase.channel->prepare();
    for (std::size_t i = 0; i < phase.send_buffers.size(); ++i)
      for (const GhostPart& part : phase.plan.sends[i].parts)
        executor_.copy(points_of(part, phase.plan.axis, *field_),
                       in_message(phase.send_buffers[i], part), sizeof(T), Lane::exchange);
    phase.channel->start();
  }
  fill_ghosts(executor_, *field_, phase.plan, boundary_value_, Lane::exchange);
}

template <class T>
void HaloExchange<T>::finish_phase(Phase& phase) {
  if (!phase.channel) return;
  phase.channel->finish();
  for (std::size_t i = 0; i < phase.receive_buffers.size(); ++i)
    for (const GhostPart& part : phase.plan.receives[i].parts)
      executor_.copy(in_message(phase.receive_buffers[i], part), in_field(part.ghosts), sizeof(T),
                     Lane::exchange);
  phase.channel->release();
}

template <class T>
void HaloExchange<T>::require_fits(const Field<T>& field) const {
  if (field_ != nullptr)
    throw UsageError("start() of a halo exchange that has started: call finish() first");
  if (field.was_moved())
    throw UsageError("the ghosts of a field that was moved from: exchange the one it was moved to");
  if (field.subdomain() == subdomain_) return;
  throw ShapeError(fmt::format(
      "the field has {} on rank {}, and the exchange was made for {}: make both of the same "
      "decomposition and halo",
      words_of(field.subdomain()), communicator_.rank(), words_of(subdomain_)));
}

template <class T>
void HaloExchange<T>::start(Field<T>& field) {
  if (is_first_ && communicator_.size() > 1)
    communicator_.agree([&] { require_fits(field); });
  else
    require_fits(field);
  is_first_ = false;
  field_ = &field;
  next_phase_ = 0;
  // this work is queued on Lane::work, before the kernels that read these ghosts
  for (; next_phase_ < phases_.size() && !phases_[next_phase_].channel; ++next_phase_)
    fill_ghosts(executor_, *field_, phases_[next_phase_].plan, boundary_value_);
  if (next_phase_ == phases_.size()) return;
  executor_.order(Lane::work, Lane::exchange);
  start_phase(phases_[next_phase_]);
}

template <class T>
void HaloExchange<T>::finish() {
  if (field_ == nullptr)
    throw UsageError("finish() of a halo exchange that has not started: call start() first");
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
