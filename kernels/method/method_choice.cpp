#include "kernels/method/method_choice.hpp"

#include <fmt/core.h>

#include <utility>

namespace stencil {

std::string to_string(Method method) {
  if (method == Method::fft) return "fft";
  return method == Method::separable ? "separable" : "direct";
}

std::string to_string(const MethodChoice& choice) {
  const Index terms = choice.separable_terms();
  return terms > 1 ? fmt::format("sum of {} separable", terms) : to_string(choice.method);
}

MethodChoice direct_sum(const Mask& mask, std::string reason) {
  return {.method = Method::direct, .mask = mask, .reason = std::move(reason)};
}

}  // namespace stencil
