#include "kernels/families/window.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <numbers>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

constexpr double pi = std::numbers::pi;

/// Returns sum_k a[k] cos(k phi), with phi from -pi to pi over the window.
std::vector<double> cosine_sum(const std::vector<double>& a, Index size) {
  std::vector<double> window(size);
  for (Index n = 0; n < size; ++n) {
    const double phi = -pi + 2 * pi * double(n) / double(size - 1);
    for (std::size_t k = 0; k < a.size(); ++k) window[n] += a[k] * std::cos(double(k) * phi);
  }
  return window;
}

/// Modified Bessel function of order 0. All terms of the power series are positive, so their sum is
/// accurate to a few roundings for every x.
double bessel_i0(double x) {
  const double quarter = x * x / 4;
  double term = 1, sum = 1;
  for (int k = 1; term > sum * 1e-18; ++k) {
    term *= quarter / (double(k) * double(k));
    sum += term;
  }
  return sum;
}

std::vector<double> sampled(Index size, const std::function<double(double)>& at) {
  std::vector<double> window(size);
  for (Index n = 0; n < size; ++n) window[n] = at(double(n) - double(size - 1) / 2);
  return window;
}

const std::map<std::string, std::vector<double>>& cosine_sums() {
  static const std::map<std::string, std::vector<double>> table{
      {"boxcar", {1}},
      {"hamming", {0.54, 0.46}},
      {"hann", {0.5, 0.5}},
      {"blackman", {0.42, 0.50, 0.08}},
      {"blackmanharris", {0.35875, 0.48829, 0.14128, 0.01168}},
      {"nuttall", {0.3635819, 0.4891775, 0.1365995, 0.0106411}},
      {"flattop", {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}}};
  return table;
}

[[noreturn]] void refuse(const std::string& name) {
  throw ShapeError(
      fmt::format("window = {}: use hamming, hann, blackman, blackmanharris, nuttall, bartlett, "
                  "boxcar, cosine, flattop, kaiser:BETA (0 to 700) or gaussian:STD (above 0)",
                  name));
}

/// Returns the parameter of a window, which is the number after the colon in its name.
double parameter_of(const std::string& name, std::size_t colon) {
  const char* text = name.c_str() + colon + 1;
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !std::isfinite(value)) refuse(name);
  return value;
}

std::vector<double> parametric_window(const std::string& name, std::size_t colon, Index size) {
  const std::string kind = name.substr(0, colon);
  const double parameter = parameter_of(name, colon);
  const double half = double(size - 1) / 2;
  if (kind == "kaiser" && parameter >= 0 && parameter <= 700) {
    return sampled(size, [=](double x) {
      const double inside = 1 - (x / half) * (x / half);
      return bessel_i0(parameter * std::sqrt(inside > 0 ? inside : 0)) / bessel_i0(parameter);
    });
  }
  if (kind == "gaussian" && parameter > 0) {
    return sampled(size, [=](double x) { return std::exp(-x * x / (2 * parameter * parameter)); });
  }
  refuse(name);
}

}  // namespace

std::vector<double> window_samples(const std::string& name, Index size) {
  const std::size_t colon = name.find(':');
  std::vector<double> window;
  if (colon != std::string::npos) {
    window = parametric_window(name, colon, size);
  } else if (const auto entry = cosine_sums().find(name); entry != cosine_sums().end()) {
    window = cosine_sum(entry->second, size);
  } else if (name == "bartlett") {
    window = sampled(size, [&](double x) { return 1 - std::abs(x) / (double(size - 1) / 2); });
  } else if (name == "cosine") {
    window = sampled(size, [&](double x) { return std::cos(pi * x / double(size)); });
  } else {
    refuse(name);
  }
  if (size == 1) window = {1};
  return window;
}

}  // namespace stencil
