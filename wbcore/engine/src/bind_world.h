// The Python object of a world: the world and the Python functions that it calls.
#pragma once

#include "contact_list.h"

namespace wb {

struct Hooks {
  nb::object before_solve, after_step, on_pair;
};

struct PyWorld {
  explicit PyWorld(std::shared_ptr<World> w) : world(std::move(w)) {}
  // Handles may keep the world alive after this object; it must not call removed functions.
  ~PyWorld() { forget_hooks(); }
  PyWorld(const PyWorld &) = delete;
  PyWorld &operator=(const PyWorld &) = delete;

  void forget_hooks() {
    world->before_solve = world->after_step = nullptr;
    world->on_pair = nullptr;
    *hooks = Hooks{};
  }

  std::shared_ptr<World> world;
  std::unique_ptr<Hooks> hooks = std::make_unique<Hooks>();
};

// The world, if this thread may use it now.
inline World &checked(const PyWorld &w) {
  w.world->check_access();
  return *w.world;
}

void bind_world_makers(nb::class_<PyWorld> &c);
void bind_world_drives(nb::class_<PyWorld> &c);
void bind_world_views(nb::class_<PyWorld> &c);
void bind_world_plugin(nb::class_<PyWorld> &c);

}  // namespace wb
