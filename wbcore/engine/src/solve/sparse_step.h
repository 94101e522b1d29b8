// One exact step of an island along its trees of bodies: the problem that ODE's exact solver solves with one
// dense matrix.
#pragma once

#include <cstdint>
#include <memory>

struct dxStepperProcessingCallContext;

namespace wb {

// What became of an island: solved; left alone, because ODE's dense matrix is as fast or nobody else can; or
// left alone because no solution was found. Bodies and joints are as before in the last two cases.
enum class SparseResult : uint8_t { solved, declined, failed };

struct SparseCounts {
  uint64_t islands = 0, solutions = 0, nodes_factored = 0, rows = 0, closing_rows = 0, first_tries = 0,
           phases = 0;
};

// Memory for one island at a time; a thread has one for all its worlds.
class SparseStep {
 public:
  SparseStep();
  ~SparseStep();
  SparseStep(const SparseStep &) = delete;
  SparseStep &operator=(const SparseStep &) = delete;

  // `smallest`: islands of fewer rows, of which those of contacts count threefold, are declined.
  SparseResult solve(const dxStepperProcessingCallContext &call, uint32_t smallest = kSmallest);

  const SparseCounts &counts() const { return counts_; }

  // Rows from which an island is worth its trees.
  static constexpr uint32_t kSmallest = 20;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  SparseCounts counts_;
};

}  // namespace wb
