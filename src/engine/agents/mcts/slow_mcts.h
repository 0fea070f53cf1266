// Algorithm 2 of Carlo 2020 and Algorithm 3 of Boehm 2016, transcribed with one object
// a node and parent pointers, slow and obvious: what the tests hold the fast search against. It
// draws the same random numbers in the same order and computes the UCT formula in the same single
// precision (uct_choice() is tested against the formula by itself), so every visit must agree.
// Thread safety: none; a test's own object.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "engine/agents/mcts/options.h"
#include "engine/agents/mcts/uct.h"
#include "engine/agents/playout/scalar.h"
#include "game/position.h"

namespace rowbot::agents::mcts::testing {

class SlowMcts {
 public:
  struct Node {
    game::Position position;
    Node* parent = nullptr;
    std::array<std::unique_ptr<Node>, 7> children;
    double wins = 0;  // of the side that moved here
    double visits = 0;
  };

  SlowMcts(const Options& options, const game::Position& position, std::uint64_t seed)
      : options_(options), rng_(seed) {
    root_.position = position;
  }

  void iterate() {
    Node* node = &root_;
    while (!node->position.outcome().finished()) {
      std::uint32_t unexpanded = 0;
      for (const game::Column c : game::kAllColumns) {
        const auto i = static_cast<std::size_t>(c.index());
        if (node->position.can_play(c) && !node->children.at(i)) unexpanded |= 1U << i;
      }
      if (unexpanded != 0) {
        const game::Column c(pick(unexpanded));
        auto child = std::make_unique<Node>();
        child->position = node->position.after(c);
        child->parent = node;
        Node* added = child.get();
        node->children.at(static_cast<std::size_t>(c.index())) = std::move(child);
        node = added;
        break;
      }
      node = uct_select(*node);
    }
    update(node, simulate(node->position));
  }

  [[nodiscard]] const Node& root() const { return root_; }

 private:
  int pick(std::uint32_t set) {
    std::uint32_t n =
        std::popcount(set) == 1 ? 0 : rng_.below(static_cast<std::uint32_t>(std::popcount(set)));
    for (int i = 0;; ++i) {
      if ((set >> i & 1U) != 0 && n-- == 0) return i;
    }
  }

  Node* uct_select(Node& node) {
    const double visits = options_.visits_of == VisitsOf::kRoot ? root_.visits : node.visits;
    const double scale = options_.rewards == Rewards::kSigned ? 1 : 2;
    const float k =
        static_cast<float>(scale * options_.c) * sqrt_log_(static_cast<std::uint32_t>(visits));
    float best = -1;
    std::array<float, 7> values{};
    for (std::size_t i = 0; i < 7; ++i) {
      const Node* child = node.children.at(i).get();
      if (child == nullptr) continue;
      const auto n = static_cast<float>(child->visits);
      const auto points = static_cast<float>(
          options_.rewards == Rewards::kSigned ? child->wins + child->visits : 2 * child->wins);
      values.at(i) = (points + k * std::sqrt(n)) / n;
      best = std::max(best, values.at(i));
    }
    std::uint32_t equals = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      if (node.children.at(i) && values.at(i) == best) equals |= 1U << i;
    }
    return node.children.at(static_cast<std::size_t>(pick(equals))).get();
  }

  /// Half points of the side to move.
  int simulate(const game::Position& position) {
    const game::Outcome outcome = position.outcome();
    if (outcome.finished()) return outcome.result == game::GameResult::kDraw ? 1 : 0;
    playout::JobDraws draws(rng_());
    return playout::play_out(options_.playout, position, draws).points;
  }

  void update(Node* node, int points_of_mover) {
    int points = 2 - points_of_mover;
    for (; node != nullptr; node = node->parent) {
      node->visits += 1;
      switch (options_.rewards) {
        case Rewards::kSigned:
          node->wins += points - 1;
          break;
        case Rewards::kHalf:
          node->wins += points / 2.0;
          break;
        case Rewards::kWins:
          node->wins += points == 2 ? 1 : 0;
          break;
      }
      points = 2 - points;
    }
  }

  Options options_;
  Rng rng_;
  SqrtLog sqrt_log_;
  Node root_;
};

}  // namespace rowbot::agents::mcts::testing
