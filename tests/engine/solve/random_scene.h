// Random mechanisms of ODE bodies and joints, the same for the same seed.
#pragma once

#include <ode/ode.h>

#include <cstdint>
#include <random>
#include <vector>

struct Random {
  explicit Random(uint64_t seed) : engine(seed) {}
  double uniform(double low, double high) { return low + (high - low) * (double)(engine() >> 11) * 0x1p-53; }
  int below(int n) { return (int)(engine() % (uint64_t)n); }
  bool chance(double share) { return uniform(0, 1) < share; }
  std::mt19937_64 engine;
};

// What scenes may have.
struct SceneKind {
  int most_bodies = 24;
  double mass_ratio = 1e3, loops = 0.3, contacts = 0.7;
  bool kinematic = true;
};

class Scene {
 public:
  Scene(uint64_t seed, const SceneKind &kind);
  ~Scene();
  Scene(const Scene &) = delete;

  // Before each step: contacts of this step and forces on some bodies.
  void prepare();

  dWorldID world;
  dJointGroupID contacts;
  std::vector<dBodyID> bodies;
  double h;

 private:
  void add_body();
  void add_joint(int child, int parent);
  void configure(dJointID joint, void (*set)(dJointID, int, dReal), int axes);
  void add_motor(int child, int parent);
  void add_contact(int body, int other);
  dSurfaceParameters surface();
  void random_axis(double *axis);

  Random random_;
  SceneKind kind_;
  std::vector<dJointFeedback *> feedbacks_;
};
