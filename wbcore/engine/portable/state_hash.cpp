// Prints state hashes of a world after numbers of steps, without Python: the same on every system.
//
//   state_hash FILE STEPS EVERY    the step and the hash after each EVERY steps
//   state_hash FILE STEPS values   all numbers that the hash is of, after STEPS steps, bit by bit
//   state_hash FILE STEPS seconds  "ready"; then for each line of standard input the processor time of STEPS
//                                  steps, for which a number on the line is the target of all joints' motors
//
// FILE has what World.physics() returns.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>

#include "../src/physics_file.h"

namespace {

std::vector<char> bytes_of(const char *file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(std::string("cannot open ") + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void print_row(const char *what, uint32_t slot, const double *values, int count) {
  std::printf("%s %" PRIu32, what, slot);
  for (int i = 0; i < count; ++i) {
    uint64_t bits;
    std::memcpy(&bits, values + i, sizeof bits);
    std::printf(" %016" PRIx64, bits);
  }
  std::printf("\n");
}

void print_values(wb::World &world) {
  wb::Columns &columns = world.columns;
  for (uint32_t slot : world.bodies.live()) {
    print_row("position", slot, columns.positions.row(slot), 3);
    print_row("orientation", slot, columns.quaternions.row(slot), 4);
    print_row("velocity", slot, columns.linear_velocities.row(slot), 3);
    print_row("spin", slot, columns.angular_velocities.row(slot), 3);
  }
  for (uint32_t slot : world.joints.live()) {
    const wb::Joint &joint = world.joints[slot];
    if (joint.axis_count() == 0) continue;
    print_row("joint_position", slot, columns.joint_positions.row(joint.row), joint.axis_count());
    print_row("joint_velocity", slot, columns.joint_velocities.row(joint.row), joint.axis_count());
  }
}

void print_hashes(wb::World &world, uint64_t steps, uint64_t every) {
  for (uint64_t left = steps; left > 0;) {
    const uint64_t now = std::min(left, every);
    world.step(now);
    left -= now;
    std::printf("%" PRIu64 " %016" PRIx64 "\n", world.steps, world.hash());
  }
}

void set_targets(wb::World &world, double target) {
  for (uint32_t slot : world.joints.live()) {
    wb::Joint &joint = world.joints[slot];
    for (int axis = 0; axis < joint.axis_count(); ++axis)
      if (joint.axes[axis].motorized) joint.axes[axis].motor.set_position(target);
  }
}

void print_seconds(wb::World &world, uint64_t steps) {
  std::printf("ready\n");  // FILE may go now
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty()) set_targets(world, std::strtod(line.c_str(), nullptr));
    const std::clock_t start = std::clock();
    world.step(steps);
    std::printf("%.9f\n", double(std::clock() - start) / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char **arguments) try {
  if (count != 4) throw std::runtime_error("usage: state_hash FILE STEPS EVERY|values|seconds");
  const std::vector<char> bytes = bytes_of(arguments[1]);
  const std::unique_ptr<wb::World> world = wb::read_physics(bytes.data(), bytes.size());
  const uint64_t steps = std::strtoull(arguments[2], nullptr, 10);
  if (std::strcmp(arguments[3], "values") == 0) {
    if (steps > 0) world->step(steps);
    print_values(*world);
  } else if (std::strcmp(arguments[3], "seconds") == 0) {
    print_seconds(*world, steps);
  } else {
    print_hashes(*world, steps, std::max<uint64_t>(std::strtoull(arguments[3], nullptr, 10), 1));
  }
  return 0;
} catch (const std::exception &problem) {
  std::fprintf(stderr, "state_hash: %s\n", problem.what());
  return 1;
}
