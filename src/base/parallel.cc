#include "base/parallel.h"

#ifndef ROWBOT_WITHOUT_THREADS
#include <thread>
#include <vector>
#endif

namespace rowbot {

void run_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
#ifdef ROWBOT_WITHOUT_THREADS
  for (std::size_t i = 0; i < count; ++i) work(i);
#else
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < count; ++i) others.emplace_back(work, i);
  if (count > 0) work(0);
#endif
}

}  // namespace rowbot
