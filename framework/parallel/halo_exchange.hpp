#pragma once

#include <memory>
#include <vector>

#include "framework/device/field.hpp"
#include "framework/parallel/communicator.hpp"
#include "framework/parallel/ghost_plan.hpp"
#include "framework/parallel/transport.hpp"

namespace stencil {

/// Makes every ghost of a field valid: those that other ranks own by messages, those beyond the
/// edge of the world by the boundary rule. Built once for a decomposition and a halo, used for any
/// field of that decomposition, on the field's executor.
///
/// The axes are done one after the other, each over the full width of those before it; that fills
/// edges and corners without a diagonal message. The halo may be wider than a block or than the
/// world: values then come from blocks farther away.
///
/// Order of work: `start` fills the ghosts along axes that need no other rank and sends the first
/// axis that does; between `start` and `finish` owned points may be read, not written; after
/// `finish` all ghosts are valid and the field may be written. Collective over the communicator.
template <class T>
class HaloExchange {
 public:
  /// @param decomposition  of the field's world; has at most as many blocks as there are ranks
  /// @param boundary       rules per axis; the value is rounded to T
  /// @param transport      of the same ranks and executor; outlives the exchange
  HaloExchange(const Communicator& communicator, const Decomposition& decomposition,
               const Halo& halo, const Boundary& boundary, Executor& executor,
               Transport& transport);
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  void start(const Field<T>& field);
  void finish();
  void exchange(const Field<T>& field) {
    start(field);
    finish();
  }

  /// Axes whose ghosts on this rank are not valid between `start` and `finish`: they come from
  /// other ranks, or wait for an axis that does.
  const std::array<bool, axes>& pending() const { return pending_; }
  /// Bytes that this rank sends in one exchange.
  Index bytes_sent() const { return bytes_sent_; }

 private:
  /// A rectangle of the field and its place in a message or elsewhere in the field.
  struct Part {
    Box ghosts;    ///< global, where the values go
    Box points;    ///< global, where they come from; as many, or one along the axis for step 0
    int step = 1;  ///< along the axis
    Index at = 0;  ///< elements from the start of the message
  };
  struct Message {
    int peer = 0;
    std::vector<Part> parts;
    Index elements = 0;
    std::byte* buffer = nullptr;  ///< of the channel
  };
  /// Everything one axis needs.
  struct Phase {
    int axis = 0;
    std::vector<Part> local;
    std::vector<Box> constant;
    std::vector<Message> sends, receives;
    std::unique_ptr<Channel> channel;  ///< where there are messages
    bool is_remote() const { return channel != nullptr; }
  };

  void plan_axis(int rank, const Decomposition& decomposition, const Boundary& boundary, int axis,
                 Transport& transport);
  void open_channel(Transport& transport, Phase& phase);
  Box cross_section(const Box& owned, int axis) const;
  void fill_local(const Phase& phase, Lane lane);
  void start_phase(Phase& phase);
  void finish_phase(Phase& phase);
  Rectangle points_of(const Part& part, int axis) const;
  Rectangle in_message(const Message& message, const Part& part) const;
  Rectangle in_field(const Box& global) const;

  Halo halo_;
  T boundary_value_;
  Executor& executor_;
  std::vector<Phase> phases_;
  std::array<bool, axes> done_before_{};  ///< while planning: axes whose ghosts are already valid
  std::array<bool, axes> pending_{};
  Index bytes_sent_ = 0;
  const Field<T>* field_ = nullptr;
  std::size_t next_phase_ = 0;
};

extern template class HaloExchange<float>;
extern template class HaloExchange<double>;

}  // namespace stencil
