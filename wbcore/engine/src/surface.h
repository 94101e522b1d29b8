// Contact properties of material pairs, and the ODE surface parameters derived from them.
#pragma once

#include <ode/ode.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vec.h"

namespace wb {

struct Geom;

// Fields of a ContactProperties node; -1 means infinite friction.
struct ContactProperties {
  std::vector<double> coulomb_friction{1};  // 1 to 4
  std::array<double, 2> friction_rotation{0, 0};
  std::vector<double> force_dependent_slip{0};  // 1 to 4
  Vec3 rolling_friction{0, 0, 0};
  double bounce = 0.5, bounce_velocity = 0.01;
  double soft_erp = 0.2, soft_cfm = 0.001;
  uint32_t max_contacts = 10;
  uint32_t material1 = 0, material2 = 0;

  void check() const;
};

class Surfaces {
 public:
  Surfaces();
  void set(uint32_t material1, uint32_t material2, ContactProperties properties);
  void remove(uint32_t material1, uint32_t material2);
  // Index of the properties of a pair, in either order; 0 is the default.
  uint32_t find(uint32_t material1, uint32_t material2) const;
  // Those that were set, in the order of their indices.
  std::vector<ContactProperties> all() const;
  const ContactProperties &operator[](uint32_t index) const { return list_[index].properties; }
  // ODE parameters shared by all contacts of the pair.
  const dSurfaceParameters &base(uint32_t index) const { return list_[index].base; }
  bool asymmetric(uint32_t index) const { return list_[index].asymmetric; }
  // Sets direction-dependent friction if the properties and the shapes require it.
  void fill_asymmetric(uint32_t index, const Geom &first, const Geom &second, dContact &contact) const;

 private:
  struct Entry {
    ContactProperties properties;
    dSurfaceParameters base;
    bool asymmetric;
  };
  std::vector<Entry> list_;
  std::vector<uint32_t> free_;
  std::unordered_map<uint64_t, uint32_t> index_;
};

}  // namespace wb
