// A text that is read off the network's thread, once for all who ask at about the same time.
// Thread safety: the loop's thread only; the reading itself runs in the ReadPool, one at a time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "service/server/read_pool.h"
#include "service/server/task.h"

namespace rowbot::server {

class SharedRead {
 public:
  using Clock = std::chrono::steady_clock;

  /// What was read is given again for the time `fresh`. The pool must outlive this.
  SharedRead(boost::asio::io_context& io, ReadPool& pool, Clock::duration fresh,
             std::function<Result<std::string>()> read)
      : pool_(pool), fresh_(fresh), read_(std::move(read)), ended_(io) {}

  Task<Result<std::string>> get() {
    while (true) {
      if (value_ && Clock::now() - when_ < fresh_) co_return *value_;
      if (const auto reading = reading_) {
        while (!reading->ended) co_await ended_.wait();
        if (reading->result && !reading->outdated) co_return *reading->result;
        continue;
      }
      const auto reading = std::make_shared<Reading>();
      reading_ = reading;
      const Finally ended([this, &reading] {
        reading->ended = true;
        reading_.reset();
        ended_.notify_all();
      });
      reading->result = co_await pool_.read<std::string>(read_);
      if (reading->outdated) continue;
      if (*reading->result) {
        value_ = **reading->result;
        when_ = Clock::now();
      }
      co_return *reading->result;
    }
  }

  /// What is read from now on may differ.
  void expire() {
    value_.reset();
    if (reading_) reading_->outdated = true;
  }

 private:
  struct Reading {
    std::optional<Result<std::string>> result;
    bool ended = false;
    bool outdated = false;  // something changed since it began
  };

  ReadPool& pool_;
  Clock::duration fresh_;
  std::function<Result<std::string>()> read_;
  std::optional<std::string> value_;
  Clock::time_point when_{};
  std::shared_ptr<Reading> reading_;
  Event ended_;
};

}  // namespace rowbot::server
