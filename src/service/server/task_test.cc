#include "service/server/task.h"

#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "boost/asio/post.hpp"
#include "gtest/gtest.h"

namespace rowbot::server {
namespace {

using Clock = Event::Clock;
using std::chrono::milliseconds;

class PostingLoop final : public Loop {
 public:
  explicit PostingLoop(boost::asio::io_context& io) : io_(io) {}
  void post(std::function<void()> work) override { boost::asio::post(io_, std::move(work)); }
  void after(std::chrono::nanoseconds /*time*/, std::function<void()> work) override {
    post(std::move(work));
  }

 private:
  boost::asio::io_context& io_;
};

/// Counts the coroutines that hold one.
struct Held {
  explicit Held(int& the_count) : count(the_count) { ++count; }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Held(Held&&) = delete;
  Held& operator=(Held&&) = delete;
  ~Held() { --count; }
  int& count;
};

Task<int> doubled(const int& number) { co_return 2 * number; }

Task<int> failing() {
  throw std::runtime_error("no");
  co_return 1;
}

Task<void> note(const std::string& text, std::vector<std::string>& notes) {
  const int one = 1;
  const int two = co_await doubled(one);
  notes.push_back(text + std::to_string(two));
  try {
    static_cast<void>(co_await failing());
  } catch (const std::runtime_error& error) {
    notes.emplace_back(error.what());
  }
}

Task<void> wait_for(Event& event, Clock::time_point limit, int& held, std::vector<int>& order,
                    int number) {
  const Held hold(held);
  co_await event.wait_until(limit);
  order.push_back(number);
}

TEST(Task, GivesValuesAndExceptionsToItsCaller) {
  const std::string text = "value ";
  std::vector<std::string> notes;
  spawn(note(text, notes));
  EXPECT_EQ(notes, (std::vector<std::string>{"value 2", "no"}));
}

TEST(Task, WaitersAreResumedInTheirOrderByTheEventOrByTheirTime) {
  boost::asio::io_context io;
  Event event(io);
  int held = 0;
  std::vector<int> order;
  spawn(wait_for(event, Clock::time_point::max(), held, order, 1));
  spawn(wait_for(event, Clock::time_point::max(), held, order, 2));
  spawn(wait_for(event, Clock::now() + milliseconds(5), held, order, 3));
  EXPECT_EQ(held, 3);
  while (order.empty()) io.run_one();
  EXPECT_EQ(order, (std::vector<int>{3}));
  event.notify_all();
  event.notify_all();
  EXPECT_TRUE(event.awaited()) << "until they have run";
  io.run();
  EXPECT_EQ(order, (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(held, 0);
  EXPECT_FALSE(event.awaited());
}

TEST(Task, IsDestroyedWithTheLoopThatWouldHaveResumedIt) {
  int held = 0;
  std::vector<int> order;
  {
    auto io = std::make_unique<boost::asio::io_context>();
    Event event(*io);
    spawn(wait_for(event, Clock::time_point::max(), held, order, 1));
    event.notify_all();
    spawn(wait_for(event, Clock::time_point::max(), held, order, 2));
    EXPECT_EQ(held, 2);
    io.reset();
    EXPECT_EQ(held, 0);
  }
  EXPECT_TRUE(order.empty());
}

Task<void> ask_thread(Loop& loop, std::jthread& thread, int& held, std::string& answer) {
  const Held hold(held);
  auto asked = from_thread<std::string>(loop, [&](std::function<void(std::string)> done) {
    thread = std::jthread([done = std::move(done)] { done("from a thread"); });
  });
  answer = co_await asked;
}

TEST(Task, WaitsForAThread) {
  boost::asio::io_context io;
  PostingLoop loop(io);
  const auto guard = boost::asio::make_work_guard(io);
  std::jthread thread;
  int held = 0;
  std::string answer;
  spawn(ask_thread(loop, thread, held, answer));
  while (held > 0) io.run_one();
  EXPECT_EQ(answer, "from a thread");
}

Task<void> begin_in_vain(int& held, bool& caught) {
  const Held hold(held);
  auto refused = operation<int>([](Completion<int> /*done*/) { throw std::bad_alloc(); });
  try {
    static_cast<void>(co_await refused);
  } catch (const std::bad_alloc&) {
    caught = true;
  }
}

TEST(Task, AnOperationThatCannotBeginIsAnExceptionAtTheWait) {
  int held = 0;
  bool caught = false;
  spawn(begin_in_vain(held, caught));
  EXPECT_TRUE(caught);
  EXPECT_EQ(held, 0) << "destroyed once, by its end";
}

}  // namespace
}  // namespace rowbot::server
