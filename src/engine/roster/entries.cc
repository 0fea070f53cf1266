#include "engine/roster/entries.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "engine/agents/lookahead/expectimax.h"
#include "engine/agents/lookahead/minimax.h"
#include "engine/agents/mcs.h"
#include "engine/agents/mcts/agent.h"
#include "engine/agents/perfect.h"
#include "engine/agents/random_agent.h"
#include "engine/agents/weakened.h"
#include "engine/learn/q_agent.h"
#include "engine/learn/q_mcts_agent.h"
#include "engine/roster/levels.h"

namespace rowbot::roster {
namespace {

using agents::Weakness;

/// Who names one limit means that one: what the agent would have had for the other is not a second
/// one. Rules that want both keep both.
void settle_limits(agents::Budget& budget, std::span<const OptionValue> values) {
  const auto named = [values](std::string_view key) {
    return std::ranges::any_of(values, [key](const OptionValue& v) { return v.key == key; });
  };
  if (budget.rule == agents::Budget::Rule::kAllReached) return;
  if (named("sims") && !named("time")) budget.time.reset();
  if (named("time") && !named("sims")) budget.simulations.reset();
}

/// Options may be those of a search and something around it.
template <class Options>
auto& core(Options& options) {
  if constexpr (requires { options.search; }) {
    return options.search;
  } else {
    return options;
  }
}

/// An agent that learns must make the moves it chooses; all others can be told to play worse.
template <class Options>
void bind_weakness(OptionTable& table, Options& options, Weakness& weakness) {
  if constexpr (!requires { options.learn; }) {
    table.number("blunders", weakness.blunders, 0, 1, "share of moves made without thinking");
    table.number("error", weakness.error, 0, 1,
                 "share of moves that are natural, but not the best it knows");
  }
}

template <class Agent, class Options>
AgentSpec::Made make(Options options, const Weakness& weakness, const Resources& resources) {
  if constexpr (requires { core(options).resources; }) core(options).resources = resources;
  std::unique_ptr<agents::Agent> agent;
  if constexpr (requires { Agent::make(options); }) {
    auto made = Agent::make(options);  // an agent that needs a file may fail
    if (!made) return made.error();
    agent = *std::move(made);
  } else {
    agent = std::make_unique<Agent>(options);
  }
  return agents::weakened(std::move(agent), weakness, core(options).seed);
}

/// The two functions of an Entry, made from an options struct and the function that binds it.
template <class Agent, class Options, void (*kBind)(OptionTable&, Options&)>
constexpr Entry entry(std::string_view name, std::string_view help) {
  return {.name = name,
          .help = help,
          .describe =
              [] {
                Options options;
                Weakness weakness;
                OptionTable table;
                kBind(table, options);
                bind_weakness(table, options, weakness);
                return table.describe();
              },
          .read = [](std::vector<OptionValue> values) -> Result<ReadOptions> {
            Options options;
            Weakness weakness;
            OptionTable table;
            kBind(table, options);
            bind_weakness(table, options, weakness);
            if (table.has("level")) {
              if (auto spelled = spell_out_level(values); !spelled) return spelled.error();
            }
            if (auto assigned = table.assign(values); !assigned) return assigned.error();
            ReadOptions read{.options = table.canonical(values)};
            if constexpr (requires { core(options).budget; }) {
              settle_limits(core(options).budget, values);
              read.budget = core(options).budget;
            }
            read.make = [options, weakness](const Resources& resources) {
              return make<Agent>(options, weakness, resources);
            };
            return read;
          }};
}

void bind_random(OptionTable& table, agents::RandomOptions& options) {
  table.count("seed", options.seed, "where its randomness begins");
}

void bind_budget(OptionTable& table, agents::Budget& budget) {
  static constexpr std::array<OptionTable::Name<agents::Budget::Rule>, 2> kRules{
      {{"first", agents::Budget::Rule::kFirstReached}, {"all", agents::Budget::Rule::kAllReached}}};
  table.time("time", budget.time, "thinking time for a move");
  table.count("sims", budget.simulations, "simulations (nodes, where there are none) for a move");
  table.choice<agents::Budget::Rule>("until", budget.rule, kRules,
                                     "stop at the first limit, or only when all are reached");
}

void bind_playout(OptionTable& table, agents::playout::Policy& policy) {
  using agents::playout::Policy;
  static constexpr std::array<OptionTable::Name<Policy>, 4> kPolicies{
      {{"uniform", Policy::kUniform},
       {"win", Policy::kWin},
       {"win-block", Policy::kWinBlock},
       {"careful", Policy::kCareful}}};
  table.choice<Policy>("playout", policy, kPolicies,
                       "moves of a playout: any; a win at once; also a block; also no gift");
}

void bind_mcs(OptionTable& table, agents::McsOptions& options) {
  bind_budget(table, options.budget);
  bind_playout(table, options.playout);
  table.count("seed", options.seed, "where its randomness begins");
}

/// The options of every agent that looks a number of plies ahead.
template <class Options>
void bind_lookahead(OptionTable& table, Options& options) {
  using agents::lookahead::Ties;
  static constexpr std::array<OptionTable::Name<Ties>, 3> kTies{
      {{"left", Ties::kLeft}, {"centre", Ties::kCentre}, {"random", Ties::kRandom}}};
  table.integer("depth", options.depth, 1, game::kCells, "plies to look ahead");
  table.choice<Ties>("ties", options.ties, kTies, "which of several equal moves it plays");
  bind_budget(table, options.budget);
  table.count("seed", options.seed, "where its randomness begins");
}

void bind_mcts(OptionTable& table, agents::mcts::Options& options) {
  using agents::mcts::Final;
  using agents::mcts::Rewards;
  using agents::mcts::Sharing;
  using agents::mcts::VisitsOf;
  static constexpr std::array<OptionTable::Name<Rewards>, 3> kRewards{
      {{"signed", Rewards::kSigned}, {"half", Rewards::kHalf}, {"wins", Rewards::kWins}}};
  static constexpr std::array<OptionTable::Name<VisitsOf>, 2> kVisitsOf{
      {{"parent", VisitsOf::kParent}, {"root", VisitsOf::kRoot}}};
  static constexpr std::array<OptionTable::Name<Final>, 5> kFinals{{{"mean", Final::kMean},
                                                                    {"max", Final::kMax},
                                                                    {"robust", Final::kRobust},
                                                                    {"mix", Final::kMix},
                                                                    {"secure", Final::kSecure}}};
  static constexpr std::array<OptionTable::Name<Sharing>, 2> kSharings{
      {{"tree", Sharing::kTree}, {"root", Sharing::kRoot}}};
  const auto become = [&options](agents::mcts::Options (*preset)()) {
    return [&options, preset] { options = preset(); };
  };
  table.preset("preset",
               {{"carlo", become(agents::mcts::carlo_preset)},
                {"boehm", become(agents::mcts::boehm_preset)},
                {"dublin", become(agents::mcts::dublin_preset)},
                {"plain", become(agents::mcts::plain_preset)},
                {"hybrid", become(agents::mcts::hybrid_preset)}},
               "the settings of a paper; plain UCT; with the solver");
  table.spelled_out("level", level_words(),
                    "how strong: stands for limits and blunders; docs/agents.md explains them");
  bind_budget(table, options.budget);
  table.bytes("memory", options.budget.memory_bytes, "most memory for the tree");
  table.number("c", options.c, 0, 100, "exploration constant of the UCT formula");
  table.choice<Rewards>("rewards", options.rewards, kRewards,
                        "win/draw/loss: 1/0/-1, 1/0.5/0 or 1/0/0");
  table.choice<VisitsOf>("visits", options.visits_of, kVisitsOf,
                         "whose visits are under the logarithm");
  bind_playout(table, options.playout);
  table.choice<Final>("final", options.final_choice, kFinals, "which child is played in the end");
  table.number("secure", options.secure_a, 0, 100, "A of the secure child, w/v - A/sqrt(v)");
  table.toggle("proofs", options.proofs, "keep wins, losses and draws as facts");
  table.toggle("bounds", options.bounds,
               "judge a new leaf by threats and parity where they decide");
  table.integer("leaf", options.leaf_depth, 0, 12, "plies of minimax at a new leaf");
  table.integer("expand", options.expand_depth, 0, 12, "plies of minimax when a leaf is expanded");
  table.count("solver", options.solver_nodes, "nodes of the solver before the search; 0 none");
  table.count("leaf-solver", options.leaf_solver_nodes, "nodes of the solver at a new leaf");
  table.toggle("keep", options.keep_tree, "keep the tree from move to move");
  table.integer("batch", options.batch, 1, 1024, "leaves whose playouts are made side by side");
  table.integer("threads", options.threads, 1, 256, "threads that search");
  table.choice<Sharing>("sharing", options.sharing, kSharings,
                        "one tree for all threads, or a tree for each");
  table.count("seed", options.seed, "where its randomness begins");
}

void bind_perfect(OptionTable& table, agents::PerfectOptions& options) {
  bind_budget(table, options.budget);
  table.integer("threads", options.threads, 1, 256, "threads that search");
  table.count("seed", options.seed, "where its randomness begins");
}

void bind_rewards(OptionTable& table, learn::Rewards& rewards) {
  table.number("win", rewards.win, -1e6, 1e6, "reward of a win");
  table.number("draw", rewards.draw, -1e6, 1e6, "reward of a draw");
  table.number("loss", rewards.loss, -1e6, 1e6, "reward of a loss");
}

void bind_q(OptionTable& table, learn::QAgentOptions& options) {
  learn::QOptions& q = options.learner;
  table.text("experience", options.experience, "file of what it knows; rowbot train q makes one");
  table.toggle("learn", options.learn, "go on learning, and write it to the file");
  table.number("alpha", q.alpha, 0, 1e12, "learning rate; alpha0 if it is dynamic");
  table.toggle("dynamic-alpha", q.dynamic_alpha, "alpha0 / (alpha0 + episodes)");
  table.number("gamma", q.gamma, 0, 1, "discount of what comes later");
  table.number("epsilon", q.epsilon, 0, 1, "share of moves made to explore");
  table.toggle("centre", q.centre_opening, "open in the centre when it moves first");
  bind_rewards(table, q.rewards);
  table.count("seed", options.seed, "where its randomness begins");
}

void bind_q_mcts(OptionTable& table, learn::QMctsOptions& options) {
  table.text("experience", options.experience, "file of what it knows; rowbot train q makes one");
  table.count("prior", options.most_visits, "most visits a learned value counts for");
  table.integer("prior-depth", options.depth, 0, 4, "plies below the root that are looked up");
  bind_rewards(table, options.rewards);
  bind_mcts(table, options.search);
}

constexpr std::array kEntries{
    entry<agents::RandomAgent, agents::RandomOptions, bind_random>(
        "random", "plays any legal move, each as likely as the others"),
    entry<agents::ForwardAgent, agents::RandomOptions, bind_random>(
        "forward",
        "looks one move ahead: wins, else blocks, else avoids giving a win, else random"),
    entry<agents::lookahead::RhodesAgent, agents::lookahead::RhodesOptions, bind_lookahead>(
        "rhodes", "minimax of 1993: six plies, stacked winning holes, weighted squares"),
    entry<agents::lookahead::MinimaxAgent, agents::lookahead::MinimaxOptions, bind_lookahead>(
        "minimax", "minimax with alpha-beta and the window evaluation"),
    entry<agents::lookahead::ExpectimaxAgent, agents::lookahead::ExpectimaxOptions, bind_lookahead>(
        "expectimax", "the mean over the opponent's moves, as textbooks define it"),
    entry<agents::lookahead::DublinExpectimaxAgent, agents::lookahead::ExpectimaxOptions,
          bind_lookahead>("expectimax-dublin", "what Dublin 2020's listing of expectimax computes"),
    entry<agents::McsAgent, agents::McsOptions, bind_mcs>(
        "mcs", "Monte Carlo Search: playouts split evenly over the legal moves"),
    entry<agents::mcts::MctsAgent, agents::mcts::Options, bind_mcts>(
        "mcts", "Monte Carlo Tree Search: UCT, playouts, proofs; the papers' settings as presets"),
    entry<learn::QAgent, learn::QAgentOptions, bind_q>(
        "q", "Q-learning: plays what it has learned, and may go on learning"),
    entry<learn::QMctsAgent, learn::QMctsOptions, bind_q_mcts>(
        "q-mcts", "tree search that begins with what Q-learning knows"),
    entry<agents::PerfectAgent, agents::PerfectOptions, bind_perfect>(
        "perfect", "never errs: quickest win, longest defence; error=0.1 for a weaker one"),
};

}  // namespace

std::span<const Entry> entries() { return kEntries; }

}  // namespace rowbot::roster
