// A world's settings and the sequence of one step.
#include "world.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace wb {
namespace {

// Smaller steps take too little time for threads, so their islands are not examined.
constexpr uint32_t kRowsForThreads = 100;

bool finite(const Vec3 &v) { return std::isfinite(v[0] + v[1] + v[2]); }

// Upper bound of the constraint rows of a contact.
uint32_t contact_rows(const dSurfaceParameters &s) {
  return 1 + (s.mu > 0 ? 2 : 0) + (s.mode & dContactRolling ? 3 : 0);
}

void check_threads(uint32_t threads) {
  require(threads >= 1 && threads <= 256, "threads", "in 1 to 256", threads);
}

void check(const WorldSettings &s) {
  require_positive("dt", s.dt);
  require_finite("gravity", s.gravity);
  require(s.erp >= 0 && s.erp <= 1, "ERP", "in 0 to 1", s.erp);
  require_not_negative("CFM", s.cfm);
  require(s.capacity >= 1 && s.capacity <= (1u << 24), "capacity", "in 1 to 16777216", s.capacity);
  require(s.quick_iterations >= 1, "quick iterations", "1 or more", s.quick_iterations);
  require(s.max_speed > 0, "max speed", "positive", s.max_speed);
  require(s.max_distance > 0, "max distance", "positive", s.max_distance);
  check_threads(s.threads);
  if (s.contacts == ContactLaw::precise && !kHasOwnOde)
    throw std::invalid_argument(
        "contacts: this build is linked with the installed ODE and has only 'webots'");
}

}  // namespace

Columns::Columns(size_t rows)
    : positions(rows),
      linear_velocities(rows),
      angular_velocities(rows),
      quaternions(rows),
      joint_positions(rows),
      joint_velocities(rows) {}

World::World(const WorldSettings &settings)
    : bodies("body", (check(settings), settings.capacity)),
      geoms("geom"),
      joints("joint"),
      rays("ray set"),
      fluids("fluid"),
      immersions("immersion"),
      propellers("propeller"),
      tracks("track"),
      columns(settings.capacity),
      settings_(settings) {
  enter_ode();
  ode_ = dWorldCreate();
  islands_.emplace(ode_);
  working_memory_.emplace(ode_);
  contact_group_ = dJointGroupCreate(0);
  dWorldSetAutoDisableFlag(ode_, 0);
  dWorldSetMaxAngularSpeed(ode_, dInfinity);
  set_gravity(settings.gravity);
  set_erp_cfm(settings.erp, settings.cfm);
  set_solver(settings.exact, settings.quick_iterations);
  set_seed(settings.seed);
  use_sparse_solver(settings.sparse);
}

World::~World() {
  MessageScope scope(enter_ode(), nullptr);
  attach_plugin(nullptr);
  for (uint32_t j : std::vector(joints.live())) destroy_ode_joints(joints[j]);
  for (uint32_t g : std::vector(geoms.live())) geoms[g].ode = OdeGeom();
  dJointGroupDestroy(contact_group_);
  working_memory_.reset();
  dWorldDestroy(ode_);
}

void World::check_access() const {
  const std::thread::id owner = stepping_thread_.load(std::memory_order_relaxed);
  if (owner != std::thread::id{} && owner != std::this_thread::get_id())
    throw EngineError("another thread is stepping this world");
}

void World::check_change() const {
  if (walking_) throw EngineError("objects cannot be added or removed during a pair callback");
}

void World::set_dt(double dt) {
  require_positive("dt", dt);
  settings_.dt = dt;
  for (uint32_t b : bodies.live())
    if (bodies[b].ode) apply_damping(bodies[b]);
  for (uint32_t j : std::vector(joints.live())) configure_joint(j);
}

void World::set_gravity(const Vec3 &gravity) {
  require_finite("gravity", gravity);
  settings_.gravity = gravity;
  dWorldSetGravity(ode_, gravity[0], gravity[1], gravity[2]);
  for (uint32_t b : bodies.live()) set_awake(b, true);
}

void World::set_erp_cfm(double erp, double cfm) {
  require(erp >= 0 && erp <= 1, "ERP", "in 0 to 1", erp);
  require_not_negative("CFM", cfm);
  settings_.erp = erp;
  settings_.cfm = cfm;
  dWorldSetERP(ode_, erp);
  dWorldSetCFM(ode_, cfm);
  for (uint32_t j : std::vector(joints.live())) configure_joint(j);
}

void World::set_solver(const ExactLimits &exact, uint32_t quick_iterations) {
  require(quick_iterations >= 1, "quick iterations", "1 or more", quick_iterations);
  settings_.exact = exact;
  settings_.quick_iterations = quick_iterations;
  dWorldSetQuickStepNumIterations(ode_, static_cast<int>(quick_iterations));
}

void World::use_sparse_solver(bool on) {
  settings_.sparse = on;
  islands_->use_sparse_solver(on);
}

void World::set_seed(uint32_t seed) {
  settings_.seed = seed;
  random.seed(seed);
  ode_seed_ = seed;
}

void World::set_threads(uint32_t threads) {
  check_threads(threads);
  settings_.threads = threads;
}

// Rejects calls from other threads during its lifetime.
struct World::Stepping {
  explicit Stepping(World &world) : world(world) {
    world.check_access();
    if (world.stepping_thread_.load(std::memory_order_relaxed) != std::thread::id{})
      throw EngineError("a step cannot be started from within a step");
    world.stepping_thread_.store(std::this_thread::get_id(), std::memory_order_release);
  }
  ~Stepping() { world.stepping_thread_.store(std::thread::id{}, std::memory_order_release); }
  World &world;
};

void World::step(uint64_t count) {
  Stepping stepping(*this);
  thread_ = &enter_ode();
  MessageScope scope(*thread_, &messages);
  settings_.threads > 1 ? working_memory_->own() : working_memory_->share();
  for (uint64_t i = 0; i < count; ++i) step_once();
}

void World::step_once() {
  if (!broken_.empty()) throw EngineError("this world cannot be stepped any more: " + broken_);
  // A step uses the contacts found at the end of the step before, unless there is none, or something was
  // placed, changed or woken since.
  if (!collided_) collide();
  for (uint32_t j : joints.live())
    if (joints[j].driven && joints[j].enabled) control_joint(joints[j]);
  drive();
  if (before_solve) before_solve();
  if (plugin_) begin_plugin_step();
  if (is_precise()) find_contacts_ahead();
  if (kept_of_ != awake_changes_) join_sleepers();
  doze();
  if (!sleepers_joined_ && may_wake_sleepers()) join_sleepers();
  problems.clear();
  solve();
  if (sleepers_joined_) restart_countdowns();
  ++steps;
  time += settings_.dt;
  complete_turns();
  measure();
  update_all_bounds();
  stop_fast_bodies();
  cast_due();
  is_precise() ? keep_bearing_contacts() : find_contacts();
  if (after_step) after_step();
  if (plugin_) end_plugin_step();
  if (!problems.empty()) throw_problems();
}

// Small worlds go to the exact solver at once; in others, each island is examined.
void World::solve() {
  statistics = {};
  uint32_t rows = 0;
  for (const Contact &c : contacts) rows += contact_rows(c.ode.surface);
  if (sleepers_joined_)
    for (const Contact &c : kept_contacts) rows += contact_rows(c.ode.surface);
  const bool no_heap = rows <= settings_.exact.heap_rows;
  for (uint32_t j : joints.live()) rows += joints[j].rows;
  statistics.rows = rows;
  statistics.contacts = static_cast<uint32_t>(contacts.size() + kept_contacts.size());
  // A plugin may have connected any bodies.
  islands_->use_awake(!plugin_ && !sleepers_joined_ && !awake_ones().all, awake_changes_);
  try {
    const unsigned long failures = thread_->exact_failures, sparse_failures = thread_->sparse_failures;
    bool ok;
    const bool on_threads = settings_.threads > 1 && rows >= kRowsForThreads;
    if (is_precise()) {
      islands_->use(1);
      ok = islands_->step_precisely(settings_.dt, statistics.fallbacks, statistics.yielded);
    } else if (plugin_) {
      // it may have made bodies and joints, which the world cannot assign to islands
      islands_->use(1);
      ok = solve_exactly();
    } else if (no_heap && rows <= settings_.exact.rows && !on_threads) {
      // without contacts the solver has never failed: spare small robots the cost of remembering the state
      islands_->use(1);
      ok = contacts.empty() ? islands_->step_exactly(settings_.dt) : solve_exactly();
    } else {
      ok = solve_islands();
    }
    if (thread_->exact_failures != failures && !statistics.fallbacks)
      messages.push_back("the exact solver failed in a step; the forces are invalid");
    if (thread_->sparse_failures != sparse_failures && !statistics.fallbacks) ++statistics.fallbacks;
    fallbacks += statistics.fallbacks > 0;
    yielded += statistics.yielded > 0;
    if (!ok) throw EngineError("ODE has no memory for this step");
    if (settings_.sparse) take_places();
  } catch (const EngineError &failure) {
    recover(failure);
  }
}

// ODE failed in the middle of a step, usually because of values that are not finite. The bodies return to
// their previous poses; those that caused the failure sleep there.
void World::recover(const EngineError &failure) {
  constexpr double mad = 1e50;
  for (uint32_t slot : bodies.live()) {
    Body &b = bodies[slot];
    if (!b.awake()) continue;
    const Vec3 v = vec(b.velocity), w = vec(b.spin);
    const bool sane = norm(v) < mad && norm(w) < mad;
    if (!sane) problems.push_back({slot, "not finite", vec(b.position), v, w});
    const Vec3 old_v = vec(columns.linear_velocities.row(slot)),
               old_w = vec(columns.angular_velocities.row(slot));
    put_back(slot);
    if (sane)
      set_body_velocity(slot, &old_v, &old_w);
    else
      set_awake(slot, false);
  }
  if (!problems.empty()) return;
  broken_ = failure.what();
  throw failure;
}

// Restores the last valid pose and clears velocity and forces.
void World::put_back(uint32_t slot) {
  const double *q = columns.quaternions.row(slot);
  place(bodies[slot], {vec(columns.positions.row(slot)), to_matrix({q[0], q[1], q[2], q[3]})});
  reset_body(slot);
}

StepContext World::step_context() {
  return {*thread_, *islands_, settings_.threads, settings_.sparse, settings_.dt, ode_seed_, statistics};
}

// Sleeping bodies take part if their contacts have joints.
const std::vector<uint32_t> &World::bodies_to_solve() {
  return sleepers_joined_ ? bodies.live() : awake_ones().bodies;
}

bool World::solve_exactly() {
  solver_.begin();
  for (uint32_t b : bodies_to_solve())
    if (bodies[b].ode) solver_.add_body(bodies[b]);
  return solver_.step_exact(step_context());
}

bool World::solve_islands() {
  std::vector<uint32_t> &number = solver_.numbers(bodies.extent());
  solver_.begin();
  for (uint32_t b : bodies_to_solve())
    if (bodies[b].ode) number[b] = solver_.add_body(bodies[b]);
  const auto of = [&](uint32_t body) {
    return stands(body) || (!sleepers_joined_ && !bodies[body].awake()) ? Solver::kWorld : number[body];
  };
  for (uint32_t j : joints.live())
    if (!joints[j].kinematic && joints[j].enabled)
      solver_.add_link({of(joints[j].child), of(joints[j].parent), joints[j].rows, false});
  const auto add_contact = [&](const Contact &c) {
    solver_.add_link({of(c.body_a), of(c.body_b), contact_rows(c.ode.surface), true});
  };
  if (sleepers_joined_) std::for_each(kept_contacts.begin(), kept_contacts.end(), add_contact);
  std::for_each(contacts.begin(), contacts.end(), add_contact);
  return solver_.step(step_context(), settings_.exact);
}

// Reads poses, velocities and joint positions, and checks them for invalid values.
void World::measure() {
  const double far2 = settings_.max_distance * settings_.max_distance;
  const double fast2 = settings_.max_speed * settings_.max_speed;
  const Awake &awake = awake_ones();
  statistics.awake = static_cast<uint32_t>(awake.bodies.size());
  for (uint32_t slot : awake.bodies) {
    const Body &b = bodies[slot];
    const auto square = [](const dReal *a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; };
    const double spin = b.spin[0] + b.spin[1] + b.spin[2];
    if (square(b.position) < far2 && square(b.velocity) < fast2 && std::isfinite(spin))
      refresh_row(slot);
    else
      check_problem(slot, vec(b.position), vec(b.velocity), vec(b.spin));
  }
  move_frames();
  for (uint32_t j : joints.live())
    if (!joints[j].kinematic && joints[j].axis_count() > 0) measure_joint(joints[j]);
}

// A body with values that are not finite returns to its last valid pose and sleeps there, so that neither the
// collision search nor the next step uses these values.
void World::check_problem(uint32_t slot, const Vec3 &p, const Vec3 &v, const Vec3 &w) {
  const bool numbers = finite(p) && finite(v) && finite(w);
  const char *kind = !numbers ? "not finite" : norm(v) >= settings_.max_speed ? "too fast" : "too far";
  problems.push_back({slot, kind, p, v, w});
  if (numbers) {
    refresh_row(slot);
    return;
  }
  put_back(slot);
  set_awake(slot, false);
}

void World::throw_problems() {
  std::string text = "after step " + std::to_string(steps) + " (t = " + std::to_string(time) + " s): ";
  for (size_t i = 0; i < problems.size() && i < 5; ++i) {
    const Problem &p = problems[i];
    char line[320];
    std::snprintf(line, sizeof line,
                  "%sbody %u is %s (position %.6g %.6g %.6g, velocity %.6g %.6g %.6g, spin %.6g %.6g %.6g)",
                  i ? "; " : "", p.body, p.kind, p.position[0], p.position[1], p.position[2],
                  p.linear_velocity[0], p.linear_velocity[1], p.linear_velocity[2], p.angular_velocity[0],
                  p.angular_velocity[1], p.angular_velocity[2]);
    text += line;
  }
  if (problems.size() > 5) text += "; and " + std::to_string(problems.size() - 5) + " more";
  throw PhysicsError(text, problems);
}

}  // namespace wb
