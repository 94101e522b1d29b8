#include "awake_list.h"

#include "config.h"
#include "objects.h"

namespace wb {
namespace {

dBodyID next_of(dBodyID body) { return static_cast<dBodyID>(body->next); }

}  // namespace

void AwakeList::update(dWorldID world, uint64_t version) {
  if (version_ == version) return;
  version_ = version;
  first_ = world->firstbody;
  places_.clear();
  for (dBodyID b = first_; b; b = next_of(b))
    if (!(b->flags & dxBodyDisabled) || b->invMass == 0) places_.push_back({b, next_of(b)});
}

// ODE walks along `next` only; what its functions for adding and removing need besides keeps its value.
AwakeList::Scope::Scope(dWorldID world, const AwakeList *list) : world_(world), list_(list) {
  if (!list_) return;
  dBodyID next = nullptr;
  for (auto at = list_->places_.rbegin(); at != list_->places_.rend(); ++at) {
    at->body->next = next;
    next = at->body;
  }
  world_->firstbody = next;
}

AwakeList::Scope::~Scope() {
  if (!list_) return;
  for (const Place &at : list_->places_) at.body->next = at.next;
  world_->firstbody = list_->first_;
}

}  // namespace wb
