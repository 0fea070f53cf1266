#include "service/server/read_pool.h"

namespace rowbot::server {

ReadPool::ReadPool(Loop& loop, const ReadPoolOptions& options) : loop_(loop), most_(options.queue) {
  for (int i = 0; i < options.threads; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

ReadPool::~ReadPool() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

bool ReadPool::full() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size() >= most_;
}

void ReadPool::submit(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  filled_.notify_one();
}

void ReadPool::work(const std::stop_token& stop) {
  while (true) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      filled_.wait(lock, stop, [this] { return !jobs_.empty(); });
      if (stop.stop_requested()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

}  // namespace rowbot::server
