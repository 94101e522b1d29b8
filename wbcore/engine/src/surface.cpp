// Contact properties of material pairs, and the ODE surface parameters derived from them.
#include "surface.h"

#include <algorithm>

#include "errors.h"
#include "geom.h"

namespace wb {
namespace {

// ODE skips rows with coefficient 0 in one place but counts them in another; this value is practically 0 in
// both.
constexpr double kAlmostNoRolling = 1e-12;

double friction_value(double v) { return v == -1 ? dInfinity : v; }

uint64_t key(uint32_t a, uint32_t b) { return static_cast<uint64_t>(std::min(a, b)) << 32 | std::max(a, b); }

dSurfaceParameters base_of(const ContactProperties &p) {
  dSurfaceParameters s{};
  // Friction pyramid (ODE manual, dContactApprox1): the tangential force is bounded by mu times the normal
  // one.
  s.mode = dContactApprox1 | dContactSoftCFM | dContactSoftERP;
  s.soft_cfm = p.soft_cfm;
  s.soft_erp = p.soft_erp;
  s.mu = s.mu2 = friction_value(p.coulomb_friction[0]);
  if (p.bounce != 0) {
    s.mode |= dContactBounce;
    s.bounce = p.bounce;
    s.bounce_vel = p.bounce_velocity;
  }
  if (p.force_dependent_slip[0] > 0) {
    // Slip velocity per tangential force, in both friction directions (ODE manual, slip1 and slip2).
    s.mode |= dContactSlip1 | dContactSlip2;
    s.slip1 = s.slip2 = p.force_dependent_slip[0];
  }
  Vec3 r = p.rolling_friction;
  for (double &value : r) value = friction_value(value);
  if (r[0] > 0 || r[1] > 0 || r[2] > 0) {
    s.mode |= dContactRolling;
    if (r[1] > 0 || r[2] > 0) s.mode |= dContactAxisDep;
    s.rho = std::max(r[0], kAlmostNoRolling);
    s.rho2 = std::max(r[1], kAlmostNoRolling);
    s.rhoN = std::max(r[2], kAlmostNoRolling);
  }
  return s;
}

// Axes of the shape's own frame in the world. ODE stores none for a plane, and rotates a shape along y.
Mat3 own_axes(const Geom &g) {
  if (g.shape.kind == ShapeKind::plane) return g.plane_axes;
  const dReal *r = dGeomGetRotation(g.ode.id());
  const Mat3 ode{r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]};
  return ode * transposed(g.shape.ode_frame().rotation);
}

bool has_directions(const Geom &g) {
  return g.shape.kind == ShapeKind::box || g.shape.kind == ShapeKind::cylinder ||
         g.shape.kind == ShapeKind::plane;
}

// The first friction direction of a geom for a contact with this normal, in the world.
Vec3 first_direction(const Geom &g, const Vec3 &normal, double angle) {
  const bool old = g.shape.up == UpAxis::y;
  const Mat3 axes = own_axes(g);
  const Vec3 n = unrotate(axes, normal);
  const int up = old ? 1 : 2;
  const bool mostly_up = g.shape.kind == ShapeKind::plane || (std::fabs(n[up]) >= std::fabs(n[0]) &&
                                                              std::fabs(n[up]) >= std::fabs(n[old ? 2 : 1]));
  const int axis = mostly_up ? (old ? 2 : 0) : up;
  const Vec3 d = column(axes, axis);
  return angle == 0 ? d : rotation(normal, -angle) * d;
}

// Combines up to four values of two partners whose directions make an angle of cosine c and sine s.
struct Pairing {
  double c, s;

  std::array<double, 2> combine(const std::vector<double> &m) const {
    switch (m.size()) {
      case 1: return {m[0], m[0]};
      case 2: return {m[0] + m[0] * c + m[1] * s, m[1] + m[0] * s + m[1] * c};
      case 3: return {m[0] + m[2], m[1] + m[2]};
      default: return {m[0] + m[2] * c + m[3] * s, m[1] + m[2] * s + m[3] * c};
    }
  }
};

// A large number replaces infinity in the sums, because 0 times infinity is not a number.
std::array<double, 2> combine_friction(const Pairing &pairing, std::vector<double> m) {
  constexpr double huge = 1e30;
  for (double &v : m) v = v == -1 ? huge : v;
  auto r = pairing.combine(m);
  for (double &v : r)
    if (v >= 1e20) v = dInfinity;
  return r;
}

std::array<double, 2> combine_slip(const Pairing &pairing, const std::vector<double> &m) {
  if (m.size() == 2 && (m[0] == 0 || m[1] == 0)) return {m[0], m[1]};
  return pairing.combine(m);
}

}  // namespace

void ContactProperties::check() const {
  for (const auto *values : {&coulomb_friction, &force_dependent_slip})
    require(values->size() >= 1 && values->size() <= 4, "number of coefficients", "1 to 4",
            static_cast<double>(values->size()));
  const auto require_friction = [](const char *what, double v) {
    require(v == -1 || (v >= 0 && std::isfinite(v)), what, "-1 (infinite) or not negative", v);
  };
  for (double v : coulomb_friction) require_friction("coulomb friction", v);
  for (double v : force_dependent_slip) require_not_negative("force dependent slip", v);
  for (double v : rolling_friction) require_friction("rolling friction", v);
  require_finite("friction rotation", friction_rotation);
  require(bounce >= 0 && bounce <= 1, "bounce", "in 0 to 1", bounce);
  require_not_negative("bounce velocity", bounce_velocity);
  require(soft_erp >= 0 && soft_erp <= 1, "soft ERP", "in 0 to 1", soft_erp);
  require_not_negative("soft CFM", soft_cfm);
  require(max_contacts >= 1 && max_contacts <= 100, "contacts per pair", "in 1 to 100", max_contacts);
}

Surfaces::Surfaces() { list_.push_back({{}, base_of({}), false}); }

void Surfaces::set(uint32_t material1, uint32_t material2, ContactProperties properties) {
  properties.check();
  properties.material1 = material1;
  properties.material2 = material2;
  const bool asymmetric =
      properties.coulomb_friction.size() > 1 || properties.force_dependent_slip.size() > 1;
  Entry entry{properties, base_of(properties), asymmetric};
  const auto found = index_.find(key(material1, material2));
  if (found != index_.end()) {
    list_[found->second] = entry;
    return;
  }
  uint32_t slot = static_cast<uint32_t>(list_.size());
  if (free_.empty()) {
    list_.push_back(entry);
  } else {
    slot = free_.back();
    free_.pop_back();
    list_[slot] = entry;
  }
  index_[key(material1, material2)] = slot;
}

void Surfaces::remove(uint32_t material1, uint32_t material2) {
  const auto found = index_.find(key(material1, material2));
  if (found == index_.end())
    throw std::invalid_argument("no contact properties were set for these materials");
  free_.push_back(found->second);
  index_.erase(found);
}

uint32_t Surfaces::find(uint32_t material1, uint32_t material2) const {
  const auto found = index_.find(key(material1, material2));
  return found == index_.end() ? 0 : found->second;
}

std::vector<ContactProperties> Surfaces::all() const {
  std::vector<ContactProperties> set;
  for (uint32_t slot = 1; slot < list_.size(); ++slot)
    if (std::find(free_.begin(), free_.end(), slot) == free_.end()) set.push_back(list_[slot].properties);
  return set;
}

void Surfaces::fill_asymmetric(uint32_t index, const Geom &first, const Geom &second,
                               dContact &contact) const {
  const ContactProperties &p = list_[index].properties;
  // With equal materials, the second geom is material1.
  const bool first_leads = p.material1 != p.material2 && first.material == p.material1;
  const Geom &a = first_leads ? first : second, &b = first_leads ? second : first;
  if (!has_directions(a) || !has_directions(b)) return;  // the first values apply in all directions
  const Vec3 n{contact.geom.normal[0], contact.geom.normal[1], contact.geom.normal[2]};
  Vec3 d1 = first_direction(a, n, p.friction_rotation[0]);
  const double c = std::min(std::fabs(dot(d1, first_direction(b, n, p.friction_rotation[1]))), 1.0);
  const Pairing pairing{c, std::sqrt(1 - c * c)};
  // ODE requires a unit vector perpendicular to the normal.
  d1 = d1 - n * dot(d1, n);
  if (norm(d1) < 1e-6) return;
  d1 = normalized(d1);
  for (int i = 0; i < 3; ++i) contact.fdir1[i] = d1[i];
  dSurfaceParameters &s = contact.surface;
  s.mode |= dContactFDir1 | dContactMu2;
  const auto mu = combine_friction(pairing, p.coulomb_friction);
  s.mu = mu[0], s.mu2 = mu[1];
  const auto slip = combine_slip(pairing, p.force_dependent_slip);
  s.mode = slip[0] > 0 ? s.mode | dContactSlip1 : s.mode & ~dContactSlip1;
  s.mode = slip[1] > 0 ? s.mode | dContactSlip2 : s.mode & ~dContactSlip2;
  s.slip1 = slip[0], s.slip2 = slip[1];
}

}  // namespace wb
