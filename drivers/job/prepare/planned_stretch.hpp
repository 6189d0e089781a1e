#pragma once

#include <memory>
#include <string>

#include "drivers/config/config.hpp"
#include "drivers/job/report/report_file.hpp"
#include "drivers/plan/plan.hpp"
#include "drivers/plan/predict/prediction.hpp"
#include "framework/parallel/device_share.hpp"

namespace stencil {

/// The planned run of one stretch of the input. The stretch is the whole input unless input.gaps =
/// split is set.
struct PlannedStretch {
  Config config;
  Plan plan{};
  DeviceShare device;
  std::string device_facts{};
  SampleCost cost{};
  std::unique_ptr<ReportFile> report{};  ///< only on rank 0, and only if requested
  std::unique_ptr<ReportFile> trace{};   ///< only on rank 0, and only if requested
};

}  // namespace stencil
