// Solves one island of an ODE world under the law of contact "precise": the rows of joints are ODE's own,
// those of contacts are not.
#include "island.h"

#include <ode/ode.h>

#include "../../vec.h"
#include "config.h"
#include "contact_rows.h"
#include "dense.h"
#include "joints/contact.h"
#include "objects.h"
#include "restitution.h"
#include "sweeps.h"
#include "util.h"

namespace wb::precise {
namespace {

// More rows than these with bounds or cones, or altogether, are solved by sweeps; so are heaps, islands
// without joints, of more rows than the last.
constexpr uint32_t kMostCones = 240, kMostRows = 600, kMostOfHeap = 120;

// Sweeps go on from where the dense solver ends without a result.
bool solve_as_it_is(Problem &problem) {
  const uint32_t cones = problem.size() - problem.unbounded;
  const bool few = cones <= (problem.of_joints ? kMostCones : kMostOfHeap) && problem.size() <= kMostRows;
  return (few && solve_dense(problem)) || solve_by_sweeps(problem);
}

// Contacts that contradict each other, as of a body wedged between walls, have no solution: then they yield,
// by a share of the velocity that their impulse alone would cause.
constexpr double kYielding[] = {0.01, 0.1};

bool solve_island(Problem &problem) {
  if (solve_as_it_is(problem)) return true;
  problem.yields = true;
  for (double share : kYielding) {
    for (uint32_t r = problem.of_joints; r < problem.size(); ++r) {
      Row &row = problem.rows[r];
      const double softness = share * row.diagonal;
      row.softness += softness, row.diagonal += softness;
    }
    if (solve_as_it_is(problem)) return true;
  }
  return false;
}

class Island {
 public:
  explicit Island(const dxStepperProcessingCallContext &context)
      : c_(context), dt_(context.m_stepSize), world_(*context.m_world) {}

  Outcome step() {
    problem_.clear();
    for (unsigned i = 0; i < c_.m_islandBodiesCount; ++i) add_body(*c_.m_islandBodiesStart[i], i);
    number_joints();
    // ODE's joints at stops add forces while their rows are read
    for (unsigned i = 0; i < c_.m_islandBodiesCount; ++i)
      set_free(*c_.m_islandBodiesStart[i], problem_.movers[i]);
    problem_.of_joints = problem_.size();
    problem_.impulses.assign(problem_.size(), 0);
    add_contacts();
    set_speed();
    const bool converged = solve_with_restitution(problem_, solve_island);
    move();
    report();
    if (!converged) return Outcome::approximate;
    return problem_.yields ? Outcome::yielded : Outcome::solved;
  }

 private:
  // The rows of a joint: those without bounds come before all others.
  struct Part {
    dxJoint *joint;
    uint8_t rows;
    bool bounded;
  };
  // Where the impulses of a row are, for feedback.
  struct Source {
    dxJoint *joint;
    uint32_t row;
  };

  void add_body(dxBody &b, unsigned number) {
    b.tag = static_cast<int>(number);
    Mover &m = problem_.movers.emplace_back();
    m.inverse_mass = b.invMass;
    set_inertia(b, m);
    for (int i = 0; i < 3; ++i) m.before[i] = b.lvel[i], m.before[3 + i] = b.avel[i];
  }

  void set_free(const dxBody &b, Mover &m) {
    const bool falls = !(b.flags & dxBodyNoGravity) && b.invMass > 0;
    for (int i = 0; i < 3; ++i)
      m.free[i] = b.lvel[i] + dt_ * ((falls ? world_.gravity[i] : 0) + b.invMass * b.facc[i]);
    turn_freely(b, m);
  }

  void set_inertia(const dxBody &b, Mover &m) {
    dMatrix3 half, inverse;
    dMultiply2_333(half, b.invI, b.posr.R);
    dMultiply0_333(inverse, b.posr.R, half);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) m.inverse_inertia[3 * i + k] = inverse[4 * i + k];
  }

  // Free rotation, implicit in the spin w at the end of the step: (I - dt [L]) w = L + dt T with the momentum
  // L = I w0. It never adds energy, since w [L] w is 0.
  void turn_freely(const dxBody &b, Mover &m) {
    Vec3 spin{b.avel[0], b.avel[1], b.avel[2]};
    if (b.invMass == 0) {
      for (int i = 0; i < 3; ++i) m.free[3 + i] = spin[i];
      return;
    }
    dMatrix3 half, inertia;
    dMultiply2_333(half, b.mass.I, b.posr.R);
    dMultiply0_333(inertia, b.posr.R, half);
    Vec3 momentum, torque;
    for (int i = 0; i < 3; ++i) {
      momentum[i] = inertia[4 * i] * spin[0] + inertia[4 * i + 1] * spin[1] + inertia[4 * i + 2] * spin[2];
      torque[i] = b.tacc[i];
    }
    Mat3 matrix;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) matrix[3 * i + k] = inertia[4 * i + k];
    if (b.flags & dxBodyGyroscopic) {
      matrix[1] += dt_ * momentum[2], matrix[2] -= dt_ * momentum[1];
      matrix[3] -= dt_ * momentum[2], matrix[5] += dt_ * momentum[0];
      matrix[6] += dt_ * momentum[1], matrix[7] -= dt_ * momentum[0];
    }
    spin = solved(matrix, momentum + torque * dt_);
    for (int i = 0; i < 3; ++i) m.free[3 + i] = spin[i];
  }

  // Cramer's rule.
  static Vec3 solved(const Mat3 &m, const Vec3 &right) {
    const Vec3 x = column(m, 0), y = column(m, 1), z = column(m, 2);
    const double determinant = dot(x, cross(y, z));
    return {dot(right, cross(y, z)) / determinant, dot(x, cross(right, z)) / determinant,
            dot(x, cross(y, right)) / determinant};
  }

  void number_joints() {
    parts_.clear(), sources_.clear(), touches_.clear();
    for (unsigned i = 0; i < c_.m_islandJointsCount; ++i) {
      dxJoint *joint = c_.m_islandJointsStart[i];
      if (joint->type() == dJointTypeContact) {
        touches_.push_back(static_cast<dxJointContact *>(joint));
        continue;
      }
      dxJoint::Info1 info;
      joint->getInfo1(&info);
      if (info.m > 0) parts_.push_back({joint, info.m, info.nub < info.m});
    }
    read_rows();
  }

  // Reads the rows of all joints, and sorts those without bounds to the front.
  void read_rows() {
    bounded_.clear();
    for (const Part &part : parts_) read(part);
    problem_.unbounded = problem_.size();
    for (const auto &[source, row] : bounded_) {
      sources_.push_back({source.joint, problem_.size()});
      problem_.rows.push_back(row);
    }
  }

  void read(const Part &part) {
    constexpr int kSkip = dxJoint::GI2__J_MAX;
    dReal j[2 * 6 * kSkip] = {}, right[12], bounds[12];
    int index[6];
    for (int i = 0; i < 6; ++i) {
      right[2 * i] = 0, right[2 * i + 1] = world_.global_cfm;
      bounds[2 * i] = -dInfinity, bounds[2 * i + 1] = dInfinity;
      index[i] = -1;
    }
    part.joint->getInfo2(1 / dt_, world_.global_erp, kSkip, j, j + 6 * kSkip, 2, right, bounds, index);
    for (int i = 0; i < part.rows; ++i)
      add_row(*part.joint, j + i * kSkip, j + (6 + i) * kSkip, right + 2 * i, bounds + 2 * i);
  }

  void add_row(dxJoint &joint, const dReal *first, const dReal *second, const dReal *right,
               const dReal *bounds) {
    Row row;
    const dReal *parts[2] = {first, second};
    for (int side = 0; side < 2; ++side) {
      if (!joint.node[side].body) continue;
      row.bodies[side] = static_cast<uint32_t>(joint.node[side].body->tag);
      for (int i = 0; i < 3; ++i)
        row.j[side][i] = parts[side][dxJoint::GI2__JL_MIN + i],
        row.j[side][3 + i] = parts[side][dxJoint::GI2__JA_MIN + i];
    }
    row.target = right[dxJoint::GI2_RHS];
    row.softness = right[dxJoint::GI2_CFM] / dt_;
    row.low = bounds[dxJoint::GI2_LO] * dt_, row.high = bounds[dxJoint::GI2_HI] * dt_;
    problem_.complete(row);
    if (row.low == -dInfinity && row.high == dInfinity) {
      sources_.push_back({&joint, problem_.size()});
      problem_.rows.push_back(row);
    } else {
      bounded_.push_back({{&joint, 0}, row});
    }
  }

  void add_contacts() {
    for (dxJointContact *joint : touches_) {
      Touch touch{&joint->contact, {joint->node[0].body, joint->node[1].body}, {kWorld, kWorld}, {}, dt_, {}};
      const double sign = joint->flags & dJOINT_REVERSE ? -1 : 1;
      for (int i = 0; i < 3; ++i) touch.normal[i] = sign * joint->contact.geom.normal[i];
      for (int side = 0; side < 2; ++side)
        if (touch.bodies[side]) touch.movers[side] = static_cast<uint32_t>(touch.bodies[side]->tag);
      const uint32_t before = problem_.size();
      for (int i = 0; i < 3; ++i) touch.former[i] = joint->lambda[i] * dt_;
      add_contact(touch, problem_);
      for (uint32_t r = before; r < problem_.size(); ++r) sources_.push_back({joint, r});
    }
  }

  void set_speed() {
    double square = dt_ * dt_ * dCalcVectorLengthSquare3(world_.gravity);
    for (const Mover &m : problem_.movers)
      square = std::max(square, m.free[0] * m.free[0] + m.free[1] * m.free[1] + m.free[2] * m.free[2]);
    problem_.speed = std::sqrt(square) + 1e-9;
  }

  void move() {
    const std::vector<Six> velocities = problem_.velocities();
    for (unsigned i = 0; i < c_.m_islandBodiesCount; ++i) {
      dxBody &b = *c_.m_islandBodiesStart[i];
      for (int k = 0; k < 3; ++k) b.lvel[k] = velocities[i][k], b.avel[k] = velocities[i][3 + k];
      dxStepBody(&b, dt_);
      dSetZero(b.facc, 4), dSetZero(b.tacc, 4);
    }
  }

  // Forces on the bodies, for joints whose feedback is on.
  void report() {
    for (const Source &s : sources_)
      if (s.joint->feedback) *s.joint->feedback = {};
    for (const Source &s : sources_) {
      if (!s.joint->feedback) continue;
      const Row &row = problem_.rows[s.row];
      const double force = problem_.impulses[s.row] / dt_;
      dJointFeedback &f = *s.joint->feedback;
      for (int i = 0; i < 3; ++i) {
        f.f1[i] += row.j[0][i] * force, f.t1[i] += row.j[0][3 + i] * force;
        f.f2[i] += row.j[1][i] * force, f.t2[i] += row.j[1][3 + i] * force;
      }
    }
  }

  const dxStepperProcessingCallContext &c_;
  double dt_;
  dxWorld &world_;
  Problem problem_;
  std::vector<Part> parts_;
  std::vector<Source> sources_;
  std::vector<std::pair<Source, Row>> bounded_;
  std::vector<dxJointContact *> touches_;
};

}  // namespace

Outcome step_island(const dxStepperProcessingCallContext &context) { return Island(context).step(); }

}  // namespace wb::precise
