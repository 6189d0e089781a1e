// Compares both ends of every message in the exchange plans of all ranks. No message is sent.
#include "framework/grid/exchange_plan.hpp"

#include <gtest/gtest.h>

#include <map>

namespace stencil {
namespace {

const GhostMessage* message_of(const std::vector<GhostMessage>& messages, int peer) {
  for (const GhostMessage& message : messages)
    if (message.peer == peer) return &message;
  return nullptr;
}

TEST(ExchangePlan, WhatOneRankSendsIsWhatTheOtherReceives) {
  const Halo halo{{0, 5, 2}, {0, 1, 9}};
  for (const BoundaryRule rule :
       {BoundaryRule::wrap, BoundaryRule::mirror, BoundaryRule::nearest, BoundaryRule::constant})
    for (const Point& grid : {Point{1, 1, 1}, {1, 7, 1}, {1, 3, 4}}) {
      const Decomposition blocks({2, 13, 17}, grid);
      const int ranks = static_cast<int>(blocks.blocks());
      std::vector<std::vector<ExchangePhase>> plans;
      for (int rank = 0; rank < ranks; ++rank)
        plans.push_back(exchange_plan(rank, blocks, halo, rule));
      for (int rank = 0; rank < ranks; ++rank)
        for (std::size_t p = 0; p < plans[std::size_t(rank)].size(); ++p)
          for (const GhostMessage& sent : plans[std::size_t(rank)][p].sends) {
            const auto& phase = plans[std::size_t(sent.peer)].at(p);
            EXPECT_EQ(phase.axis, plans[std::size_t(rank)][p].axis);
            const GhostMessage* received = message_of(phase.receives, rank);
            ASSERT_NE(received, nullptr) << rank << " to " << sent.peer;
            EXPECT_EQ(received->elements, sent.elements);
            ASSERT_EQ(received->parts.size(), sent.parts.size());
            for (std::size_t k = 0; k < sent.parts.size(); ++k) {
              const GhostPart &there = received->parts[k], &here = sent.parts[k];
              EXPECT_EQ(there.ghosts, here.ghosts);
              EXPECT_EQ(there.points, here.points);
              EXPECT_EQ(there.step, here.step);
              EXPECT_EQ(there.at, here.at);
            }
          }
    }
}

TEST(ExchangePlan, FillsEveryGhostOnce) {
  const Halo halo{{1, 5, 2}, {2, 1, 9}};
  const Decomposition blocks({3, 13, 17}, {1, 2, 3});
  for (int rank = 0; rank < 6; ++rank) {
    std::map<Point, int> filled;
    const auto fill = [&](const Box& box) {
      for (Index b = box.first[0]; b < box.last[0]; ++b)
        for (Index y = box.first[1]; y < box.last[1]; ++y)
          for (Index x = box.first[2]; x < box.last[2]; ++x) ++filled[{b, y, x}];
    };
    for (const ExchangePhase& phase :
         exchange_plan(rank, blocks, halo,
                       {BoundaryRule::constant, BoundaryRule::reflect, BoundaryRule::reflect})) {
      for (const GhostPart& part : phase.local) fill(part.ghosts);
      for (const Box& box : phase.constant) fill(box);
      for (const GhostMessage& message : phase.receives) {
        Index elements = 0;
        for (const GhostPart& part : message.parts) {
          fill(part.ghosts);
          elements += part.ghosts.points();
        }
        EXPECT_EQ(elements, message.elements);
      }
    }
    fill(blocks.owned(rank));
    EXPECT_EQ(Index(filled.size()), grown(blocks.owned(rank), halo).points()) << rank;
    for (const auto& [point, times] : filled) EXPECT_EQ(times, 1) << rank;
  }
}

TEST(ExchangePlan, RanksWithoutPointsHaveNone) {
  const Decomposition blocks({1, 4, 6});
  EXPECT_TRUE(exchange_plan(1, blocks, {{0, 1, 1}, {0, 1, 1}}, {}).empty());
}

}  // namespace
}  // namespace stencil
