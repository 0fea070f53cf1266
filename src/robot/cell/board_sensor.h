// The port to whatever sees the whole board: a camera with eyes, or a board that feels its discs.
#pragma once

#include "base/result.h"
#include "robot/cell/board_reading.h"

namespace rowbot::cell {

/// Thread safety: none; one thread owns a sensor.
class BoardSensor {
 public:
  BoardSensor() = default;
  BoardSensor(const BoardSensor&) = delete;
  BoardSensor& operator=(const BoardSensor&) = delete;
  BoardSensor(BoardSensor&&) = delete;
  BoardSensor& operator=(BoardSensor&&) = delete;
  virtual ~BoardSensor() = default;

  /// Looks until the board is clear and still, or patience ends; the reading's sight says which.
  /// Its corners stay the same, to the bit, until the board has surely moved. An error means that
  /// no reading will come any more. Blocks for a second at most.
  [[nodiscard]] virtual Result<BoardReading> look() = 0;
};

}  // namespace rowbot::cell
