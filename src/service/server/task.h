// Coroutines of the loop's thread, and how they wait.
//
//   Task<int> answer(Clock::time_point when) {
//     co_await sleep_until(io, when);
//     co_return 42;
//   }
//   spawn(print_answer());  // a Task<void> that nobody waits for
//
// Not asio::awaitable: Boost 1.74 begins an operation in a noexcept function, where a lack of
// memory ends the program. Here it is an exception at the co_await, and nothing has begun.
//
// Whoever would have resumed a coroutine and is destroyed instead (a queue that is forgotten, an
// io_context) destroys the coroutine with all of its callers.
//
// Arguments of a call in a co_await expression must be named variables, taken by reference: GCC 12
// destroys temporaries of such an expression twice.
// Thread safety: the loop's thread only, but for what from_thread() hands out.
#pragma once

#include <chrono>
#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
// Asio 1.74 forgets <utility>.
#include <utility>

#include "boost/asio/io_context.hpp"
#include "boost/asio/steady_timer.hpp"
#include "boost/intrusive/list.hpp"
#include "service/server/loop.h"

namespace rowbot::server {

struct TaskPromiseBase {
  std::coroutine_handle<> caller;  ///< resumed at the end
  std::coroutine_handle<> root;    ///< destroying it destroys all that it waits for
};

template <class T>
struct TaskPromiseValue : TaskPromiseBase {
  std::optional<T> value;
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
};
template <>
struct TaskPromiseValue<void> : TaskPromiseBase {
  void return_void() {}
};

/// Begins when it is awaited, and is awaited once.
template <class T>
class [[nodiscard]] Task {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): the language asks for this name
  struct promise_type : TaskPromiseValue<T> {
    struct Final {
      static bool await_ready() noexcept { return false; }
      static std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> done) noexcept {
        return done.promise().caller;
      }
      static void await_resume() noexcept {}
    };

    std::exception_ptr error;

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static Final final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept { error = std::current_exception(); }
  };

  Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (coroutine_) coroutine_.destroy();
  }

  [[nodiscard]] static bool await_ready() noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) noexcept {
    coroutine_.promise().caller = caller;
    coroutine_.promise().root = caller.promise().root;
    return coroutine_;
  }
  T await_resume() {
    auto& promise = coroutine_.promise();
    if (promise.error) std::rethrow_exception(promise.error);
    if constexpr (!std::is_void_v<T>) return *std::move(promise.value);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

struct Detached {
  // NOLINTNEXTLINE(readability-identifier-naming): the language asks for this name
  struct promise_type : TaskPromiseBase {
    Detached get_return_object() {
      root = std::coroutine_handle<promise_type>::from_promise(*this);
      return {};
    }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() {}
    static void unhandled_exception() noexcept {}
  };
};

/// Runs the task up to its first wait; the rest follows by itself. An exception ends the task and
/// goes no further: what must be told is told by its destructors.
inline Detached spawn(Task<void> task) { co_await task; }

/// Resumes a coroutine with the value that it waits for; or destroys it, if it is destroyed itself.
template <class Value>
class Completion {
 public:
  struct Slot {
    std::optional<Value> value;
    std::coroutine_handle<> coroutine;
    std::coroutine_handle<> root;
    bool started = false;  // the operation has the coroutine now
  };

  explicit Completion(Slot& slot) : slot_(&slot) {}
  Completion(Completion&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;
  Completion& operator=(Completion&&) = delete;
  ~Completion() {
    if (slot_ != nullptr && slot_->started) slot_->root.destroy();
  }

  template <class... Results>
  void operator()(Results&&... results) {
    put(std::forward<Results>(results)...);
    resume();
  }
  template <class... Results>
  void put(Results&&... results) {
    slot_->value.emplace(Value{std::forward<Results>(results)...});
  }
  void resume() { std::exchange(slot_, nullptr)->coroutine.resume(); }

 private:
  Slot* slot_;
};

/// An operation that is begun with a Completion as its handler, which must not be called before the
/// beginning returns.
template <class Value, class Start>
class [[nodiscard]] Operation {
 public:
  explicit Operation(Start start) : start_(std::move(start)) {}

  [[nodiscard]] static bool await_ready() noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> coroutine) {
    slot_.coroutine = coroutine;
    slot_.root = coroutine.promise().root;
    start_(Completion<Value>(slot_));
    slot_.started = true;
  }
  Value await_resume() { return *std::move(slot_.value); }

 private:
  Start start_;
  typename Completion<Value>::Slot slot_;
};

template <class Value, class Start>
auto operation(Start start) {
  return Operation<Value, Start>(std::move(start));
}

/// Waits for another thread: `start` is given a function that any thread may call once.
template <class Value, class Start>
auto from_thread(Loop& loop, Start start) {
  return operation<Value>([&loop, start = std::move(start)](Completion<Value> completion) {
    const auto shared = std::make_shared<Completion<Value>>(std::move(completion));
    // Made here, so that a thread short of memory can still report what it has.
    std::function<void()> resume = [shared] { shared->resume(); };
    start(std::function<void(Value)>(
        [&loop, shared, resume = std::move(resume)](Value value) mutable {
          shared->put(std::move(value));
          loop.post(std::move(resume));
        }));
  });
}

/// Calls a function, which must not fail, at the end of its scope: also when the coroutine is
/// destroyed in the middle.
template <class Function>
class Finally {
 public:
  explicit Finally(Function function) : function_(std::move(function)) {}
  Finally(const Finally&) = delete;
  Finally& operator=(const Finally&) = delete;
  Finally(Finally&&) = delete;
  Finally& operator=(Finally&&) = delete;
  ~Finally() { function_(); }

 private:
  Function function_;
};

/// Something that coroutines wait for; each looks by itself whether it has come.
class Event {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Event(boost::asio::io_context& io) : io_(io) {}

  /// Until the next notify_all(), or until this moment.
  Task<void> wait_until(Clock::time_point limit) {
    Waiter waiter(io_, limit);
    waiters_.push_back(waiter);
    auto wait = operation<boost::system::error_code>(
        [&waiter](auto done) { waiter.timer.async_wait(std::move(done)); });
    co_await wait;
  }
  Task<void> wait() { return wait_until(Clock::time_point::max()); }

  /// Never fails, so that whoever waits is always told.
  void notify_all() noexcept {
    for (Waiter& waiter : waiters_) waiter.timer.cancel();
  }
  [[nodiscard]] bool awaited() const { return !waiters_.empty(); }

 private:
  using Hook =
      boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
  struct Waiter : Hook {
    Waiter(boost::asio::io_context& io, Clock::time_point limit) : timer(io, limit) {}
    boost::asio::steady_timer timer;
  };

  boost::asio::io_context& io_;
  boost::intrusive::list<Waiter, boost::intrusive::constant_time_size<false>> waiters_;
};

inline Task<void> sleep_until(boost::asio::io_context& io, Event::Clock::time_point when) {
  Event never(io);
  co_await never.wait_until(when);
}

}  // namespace rowbot::server
