#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace stencil {

/// The 16 most recently used plans with their keys, latest first. Thread-safe.
template <class Plan>
class PlanCache {
 public:
  /// Returns the plan of a key, or null.
  std::shared_ptr<const Plan> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(plans_.begin(), plans_.end(),
                                    [&](const auto& plan) { return plan.first == key; });
    if (found == plans_.end()) return nullptr;
    plans_.splice(plans_.begin(), plans_, found);
    return found->second;
  }
  void keep(std::string key, std::shared_ptr<const Plan> plan) {
    const std::lock_guard lock(mutex_);
    plans_.emplace_front(std::move(key), std::move(plan));
    if (plans_.size() > most_plans) plans_.pop_back();
  }

 private:
  static constexpr std::size_t most_plans = 16;

  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<const Plan>>> plans_;
};

}  // namespace stencil
