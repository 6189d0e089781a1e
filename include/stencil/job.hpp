/// Runs a configuration as the program `stencil_run` does, but from within another program.
#pragma once

#include "drivers/config/config.hpp"
#include "drivers/config/mask_words.hpp"
#include "drivers/config/parse_config.hpp"
#include "drivers/job/job.hpp"
#include "drivers/job/report/listener.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/stop_token.hpp"
#include "include/stencil/version.hpp"
