#include "drivers/job/report/listener.hpp"

namespace stencil {

void Listener::planned(const PlanReport&) {}
void Listener::message(const std::string&) {}
void Listener::note(const std::string&) {}
void Listener::warning(const std::string&) {}
void Listener::begin(Index) {}
void Listener::phase(const std::string&, Index) {}
void Listener::advance(Index) {}
void Listener::begin_steps(const StepsAhead&) {}
void Listener::step(Index) {}
void Listener::changed(std::optional<double>) {}
void Listener::stations(const StationTimes&) {}
void Listener::finish() {}
void Listener::end(const RunEnd&) {}
void Listener::begin_stretch(std::size_t, std::size_t) {}
void Listener::can_stop(StopToken&) {}
void Listener::cannot_stop() {}
void Listener::before_commit() {}
void Listener::after_commit() {}
void Listener::begin_side_work() {}
void Listener::end_side_work() {}

}  // namespace stencil
