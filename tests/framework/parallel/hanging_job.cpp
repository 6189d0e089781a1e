// A job for ended_jobs.py in which the last rank fails in one of several ways while other ranks
// wait:
//
//     hanging_job gpus        prints the number of GPUs that a process can use
//     hanging_job host        rank 0 waits for work that never ends, and the other ranks wait for
//                             rank 0
//     hanging_job throw       the last rank fails in a phase in which the other ranks wait for it
//     hanging_job all         every rank fails at the same moment
//     hanging_job crash       the last rank crashes in a library
//     hanging_job exit        a library ends the last rank by exit()
//     hanging_job peer|nccl   the last rank takes no part in an exchange of halos between GPUs
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "framework/device/device_facts.hpp"
#include "framework/device/make_executor.hpp"
#include "framework/device/watchdog.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/abort.hpp"
#include "framework/parallel/crash_guard.hpp"
#include "framework/parallel/halo_exchange.hpp"
#include "framework/parallel/make_transport.hpp"
#include "framework/parallel/run_guarded.hpp"

namespace {

using namespace stencil;

void hang() {
  std::this_thread::sleep_for(std::chrono::minutes(10));
}

void exchange_without_the_last(const Communicator& world, TransportRequest request) {
  const auto executor = make_executor(Backend::cuda, world.rank());
  const TransportChoice choice = make_transport(request, world, *executor);
  const Decomposition blocks({1, 64 * Index{world.size()}, 256}, {1, world.size(), 1});
  const Halo halo{{0, 1, 0}, {0, 1, 0}};
  HaloExchange<float> exchange(world, blocks, halo, {}, *executor, *choice.transport);
  Field<float> field(*executor, {blocks.owned(world.rank()), halo});
  for (int round = 0; round < 10'000; ++round) {
    if (round == 50 && world.rank() == world.size() - 1) hang();
    exchange.exchange(field);
    executor->limit_queue_depth();
  }
  executor->synchronize();
}

void body(const Communicator& world, const std::string& kind) {
  const bool is_last = world.rank() == world.size() - 1;
  if (kind == "host" && world.rank() == 0) wait_until([] { return false; }, {});
  if (kind == "throw")
    world.or_abort([&] {
      if (is_last) throw MachineError("the last rank has failed");
      world.barrier();
    });
  if ((kind == "crash" || kind == "exit") && is_last) {
    const AbortCleanup cleanup([] {
      std::fputs("cleared up\n", stderr);
      return true;
    });
    if (kind == "exit") {  // two threads call exit()
      std::thread([] { std::exit(1); }).detach();
      std::exit(1);
    }
    const CrashGuard guard("in.h5:/x makes the library crash");
    std::raise(SIGSEGV);
  }
  if (kind == "all") world.or_abort([&] { throw MachineError("every rank has failed"); });
  for (const TransportRequest request : {TransportRequest::peer, TransportRequest::nccl})
    if (kind == to_string(request))
      world.or_abort([&] { exchange_without_the_last(world, request); });
  world.barrier();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 2 ? argv[1] : "";
  if (kind == "gpus") {
    std::printf("%zu\n", gpu_facts().size());
    return 0;
  }
  return run_guarded(
      argc, argv, [] {}, [&](const Communicator& world) { body(world, kind); });
}
