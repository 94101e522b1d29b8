// The memory in which ODE solves a step: one block for each thread instead of one for each world.
#include "working_memory.h"

#include <memory>
#include <mutex>
#include <vector>

#include "errors.h"
#include "island_threads.h"

namespace wb {
namespace {

std::mutex changes;

// An empty world whose block the worlds of a thread share. ODE allocates the locks of a block by the world
// that uses it first, so the lender makes a step at once and outlives its borrowers.
struct Lender {
  Lender() : world(dWorldCreate()), threads(world) {
    if (!threads.prepare()) throw EngineError("ODE has no memory for a step");
  }
  dWorldID world;
  IslandThreads threads;
};

// Lenders of threads that have ended serve later threads. They are never destroyed, because worlds may still
// refer to their blocks when the process ends.
std::vector<Lender *> &unused_lenders() {
  static auto *unused = new std::vector<Lender *>;
  return *unused;
}

struct Loan {
  Loan() {
    std::lock_guard lock(changes);
    if (unused_lenders().empty()) {
      lender = new Lender;
      return;
    }
    lender = unused_lenders().back();
    unused_lenders().pop_back();
  }
  ~Loan() {
    std::lock_guard lock(changes);
    unused_lenders().push_back(lender);
  }
  Lender *lender;
};

}  // namespace

void WorkingMemory::share() {
  static thread_local Loan loan;
  if (lender_ != loan.lender->world) use(loan.lender->world);
}

void WorkingMemory::use(dWorldID lender) {
  if (lender_ == lender) return;
  std::lock_guard lock(changes);
  dWorldUseSharedWorkingMemory(world_, nullptr);
  if (lender) dWorldUseSharedWorkingMemory(world_, lender);
  lender_ = lender;
}

}  // namespace wb
