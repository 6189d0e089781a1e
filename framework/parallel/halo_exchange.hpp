#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "framework/device/field.hpp"
#include "framework/grid/boundary.hpp"
#include "framework/grid/decomposition.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

class Transport;
struct GhostPart;

/// Makes every ghost of a field valid. Ghosts that other ranks own are received in messages; ghosts
/// beyond the edges of the world are filled by the boundary rule. An exchange is built once for a
/// decomposition and a halo, and can be used for any field of that decomposition, on the field's
/// executor.
///
/// The axes are exchanged one after the other, see exchange_plan(). The halo may be wider than a
/// block or than the world: values then come from blocks farther away.
///
/// Order of work: `start` fills the ghosts along axes that need no other rank, and sends the
/// messages of the first axis that needs other ranks. Between `start` and `finish` owned points may
/// be read but not written. After `finish` all ghosts are valid and the field may be written.
/// Collective over the communicator.
template <class T>
class HaloExchange {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "a field of points that are exchanged is of float or double");

 public:
  /// @param decomposition  decomposition of the field's world, with at most as many blocks as ranks
  /// @param boundary       rules per axis; the boundary value is rounded to T
  /// @param transport      transport of the same ranks and executor; must outlive the exchange
  /// @throws ShapeError    more blocks than ranks; a negative halo
  HaloExchange(const Communicator& communicator, const Decomposition& decomposition,
               const Halo& halo, const Boundary& boundary, Executor& executor,
               Transport& transport);
  ~HaloExchange();
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  /// Starts the exchange of a field's ghosts.
  /// @param field  a field of this exchange's decomposition and halo; must exist until finish()
  /// @throws UsageError  an exchange has started and is not finished (it can still be finished);
  ///                     the field was moved from
  /// @throws ShapeError  a field of another decomposition or halo
  ///
  /// The first call is checked by all ranks together: if it is wrong on one rank, every rank throws
  /// an Error. Each later call is checked by each rank separately, because an agreement would need
  /// a collective operation in every step. If a later call is wrong on some ranks only, these ranks
  /// throw, and their neighbours wait in finish() forever. If the field of a later call is chosen
  /// at run time, let all ranks agree on the choice (Communicator::agree) before the call, or end
  /// the job when a rank throws (Communicator::or_abort).
  void start(Field<T>& field);
  /// Completes the exchange. @throws UsageError  no exchange has started
  void finish();
  void exchange(Field<T>& field) {
    start(field);
    finish();
  }

  /// Axes whose ghosts on this rank are not valid between `start` and `finish`, because they come
  /// from other ranks or depend on ghosts that come from other ranks.
  const std::array<bool, axes>& pending() const { return pending_; }
  /// Number of bytes that this rank sends in one exchange.
  Index bytes_sent() const { return bytes_sent_; }

 private:
  struct Phase;

  void require_fits(const Field<T>& field) const;
  void open_channel(Transport& transport, Phase& phase);
  void start_phase(Phase& phase);
  void finish_phase(Phase& phase);
  static Rectangle in_message(std::byte* buffer, const GhostPart& part);
  Rectangle in_field(const Box& global) const;

  const Communicator& communicator_;
  const Subdomain subdomain_;  ///< the subdomain of this rank's fields
  T boundary_value_;
  Executor& executor_;
  std::vector<Phase> phases_;
  std::array<bool, axes> pending_{};
  Index bytes_sent_ = 0;
  Field<T>* field_ = nullptr;
  std::size_t next_phase_ = 0;
  bool is_first_ = true;
};

extern template class HaloExchange<float>;
extern template class HaloExchange<double>;

}  // namespace stencil
