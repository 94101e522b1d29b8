// A world of bodies, geoms, joints and rays, and the order in which one step of it happens.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "body.h"
#include "column.h"
#include "contacts.h"
#include "drives.h"
#include "fluid.h"
#include "geom.h"
#include "island_threads.h"
#include "joint.h"
#include "ode_runtime.h"
#include "pairs.h"
#include "plugin/plugin_spaces.h"
#include "plugin/step_plugin.h"
#include "random.h"
#include "ray_probe.h"
#include "rays.h"
#include "solver.h"
#include "surface.h"
#include "working_memory.h"

namespace wb {

// How contacts act: as in Webots (pyramids of friction along the axes of the world, found one step before),
// or with round cones, in the step in which they are found. Only an engine with its own ODE has the second.
enum class ContactLaw : uint8_t { webots, precise };

struct WorldSettings {
  double dt = 0.032;
  Vec3 gravity{0, 0, -9.81};
  double erp = 0.2, cfm = 1e-5;
  uint32_t seed = 0;
  uint32_t capacity = 65536;  // maximum number of bodies, and of joint axes
  ExactLimits exact{400, 125};
  uint32_t quick_iterations = 20;
  double max_speed = 1e6, max_distance = 1e9;  // beyond: reported as a problem
  uint32_t threads = 1;                        // maximum number of threads of a step
  ContactLaw contacts = ContactLaw::webots;
  bool sparse = true;  // exact steps take the sparse solver where it pays
};

struct JointSpec {
  JointKind kind;
  bool kinematic;
  uint32_t parent, child;
  Vec3 anchor;
  Vec3 axes[3];
  double positions[3];
  Suspension suspension;
  double stop_erp, stop_cfm;
};

// Views for Python: one row per body slot or per joint axis.
struct Columns {
  explicit Columns(size_t rows);
  Column<3> positions, linear_velocities, angular_velocities;
  Column<4> quaternions;
  Column<1> joint_positions, joint_velocities;
};

class World {
 public:
  explicit World(const WorldSettings &settings);
  ~World();
  World(const World &) = delete;
  World &operator=(const World &) = delete;

  // Throws if another thread is stepping this world. Every public call begins with it.
  void check_access() const;
  // The same for calls that add or remove objects, which must not happen during a pair callback.
  void check_change() const;

  // Settings. A new step length takes effect with the next step.
  const WorldSettings &settings() const { return settings_; }
  void set_dt(double dt);
  void set_gravity(const Vec3 &gravity);
  void set_erp_cfm(double erp, double cfm);
  void set_solver(const ExactLimits &exact, uint32_t quick_iterations);
  void set_seed(uint32_t seed);
  void set_threads(uint32_t threads);
  void use_sparse_solver(bool on);

  // Stepping. A step is: motors, springs and fluids; `before_solve`; constraints with the contacts found
  // before; poses, joints; rays; contacts at the new poses; `after_step`.
  void step(uint64_t count);
  // Whether a step takes only microseconds.
  bool small() const { return statistics.rows <= 100 && bodies.size() <= 32 && geoms.size() <= 64; }
  void collide();  // finds the contacts at the current poses
  bool active(uint32_t body) const { return body != kNone && bodies[body].awake(); }
  bool active(const Contact &c) const { return active(c.body_a) || active(c.body_b); }
  // Contacts of sleeping bodies with each other and with static geoms. They have no effect, so they are
  // searched only on request, and kept until one of their geoms moves or wakes.
  const std::vector<Contact> &resting_contacts();
  double time = 0;
  uint64_t steps = 0;
  uint64_t fallbacks = 0;  // steps in which the sparse or the exact solver failed
  uint64_t yielded = 0;    // steps in which contacts yielded, since their equations had no solution
  std::function<void()> before_solve, after_step;
  // Called for each pair of geoms that may touch; true means: handled, make no contacts.
  std::function<bool(uint32_t, uint32_t)> on_pair;

  // The physics plugin (world_plugin.cpp). With one, a step has the order of Webots: motors, springs and
  // fluids; the plugin's step; constraints, all by the exact solver; contacts, of which the plugin may make
  // some; the plugin's end of the step. Null: none, which also forgets its spaces and contacts.
  void attach_plugin(std::shared_ptr<StepPlugin> plugin);
  bool has_plugin() const { return plugin_ != nullptr; }
  // What the plugin gets as arguments of its start.
  dWorldID ode_world() const { return ode_; }
  dSpaceID plugin_space() const { return plugin_spaces_ ? plugin_spaces_->all() : nullptr; }
  dJointGroupID plugin_contacts() const { return plugin_contacts_; }
  // The geom, or the space of geoms, of a solid of a body; null if it has none.
  dGeomID geom_of_solid(uint32_t body, int32_t solid);
  uint32_t slot_of_geom(dGeomID geom) const { return plugin_spaces_ ? plugin_spaces_->slot(geom) : kNone; }
  // Reads poses and sleep of all bodies, which the plugin may have changed outside of a step.
  void take_changes_of_plugin();

  // Bodies (world_bodies.cpp).
  uint32_t add_body(BodyKind kind, const Pose &pose, const Mass &mass);
  void remove_body(uint32_t slot);
  Pose body_pose(uint32_t slot) const;
  void set_body_pose(uint32_t slot, const Vec3 &position, const Quat &orientation);
  void set_body_mass(uint32_t slot, const Mass &mass);
  void set_body_damping(uint32_t slot, double linear, double angular);
  void set_body_velocity(uint32_t slot, const Vec3 *linear, const Vec3 *angular);
  Vec3 point_velocity(uint32_t slot, const Vec3 &world_point) const;
  void add_force(uint32_t slot, const Vec3 &force, const Vec3 *point, bool force_in_body, bool point_in_body);
  void add_torque(uint32_t slot, const Vec3 &torque, bool in_body);
  void set_auto_disable(uint32_t slot, double time, double linear, double angular);
  void set_awake(uint32_t slot, bool awake);
  // Call after the caller has moved a body or frame, or changed what touches it: wakes what it touched, and
  // has its contacts searched before the next step.
  void displaced(uint32_t slot);
  void reset_body(uint32_t slot);  // sets velocities and forces to 0
  void follow(uint32_t frame, uint32_t parent, const Pose &in_parent);

  // Geoms (world_geoms.cpp).
  uint32_t add_geom(const Shape &shape, uint32_t body, const Pose &offset);
  void remove_geom(uint32_t slot);
  void set_geom_offset(uint32_t slot, const Pose &offset);
  void replace_shape(uint32_t slot, const Shape &shape);
  Pose geom_pose(uint32_t slot) const;
  void rules_changed() { ++rules_version_; }
  // Call after a change that decides what a geom touches: wakes what it touched.
  void geom_changed(uint32_t slot);
  void set_contact_properties(uint32_t material1, uint32_t material2, const ContactProperties &properties);
  void remove_contact_properties(uint32_t material1, uint32_t material2);
  void set_self_collision(int32_t robot, bool on);
  bool self_collision(int32_t robot) const;

  // Joints (world_joints.cpp, joint_rows.cpp).
  uint32_t add_joint(const JointSpec &spec);
  void remove_joint(uint32_t slot);
  void configure_joint(uint32_t slot);  // after a change of stops, springs, friction or motor
  void set_joint_enabled(uint32_t slot, bool enabled);
  void set_joint_feedback(uint32_t slot, bool on);
  // Call after moving the bodies: counts turns from these positions on. A kinematic joint moves to them.
  void resync_joint(uint32_t slot, const double *positions);
  double motor_feedback(uint32_t slot, int axis) const;
  void add_joint_force(uint32_t slot, int axis, double force);
  void wake_joint(uint32_t slot);
  Pose joint_frame(const Joint &joint) const;  // pose of the child for the joint's positions

  // Rays (world_rays.cpp).
  uint32_t add_rays(RaySet set);
  void remove_rays(uint32_t slot);
  void cast(uint32_t slot);
  void cast_all();
  // Casts a set that is not one of the world's; call `update_all_bounds` before, once for all sets.
  void cast_set(RaySet &set);
  void update_all_bounds();

  // Fluids and drives (world_drives.cpp).
  uint32_t add_fluid(const Fluid &fluid);
  void remove_fluid(uint32_t slot);
  void wake_immersed(uint32_t fluid);  // after a change of the fluid
  uint32_t add_immersion(const Immersion &immersion);
  void remove_immersion(uint32_t slot);
  uint32_t add_propeller(const Propeller &propeller);
  uint32_t add_track(const Track &track);
  void remove_track(uint32_t slot);

  // State (state.cpp).
  std::vector<char> save();
  void restore(const char *data, size_t size);
  std::vector<char> save_body(uint32_t slot);
  void restore_body(uint32_t slot, const char *data, size_t size);
  uint64_t hash();

  Slots<Body> bodies;
  Slots<Geom> geoms;
  Slots<Joint> joints;
  Slots<RaySet> rays;
  Slots<Fluid> fluids;
  Slots<Immersion> immersions;
  Slots<Propeller> propellers;
  Slots<Track> tracks;
  Surfaces surfaces;
  Random random;
  Columns columns;
  uint32_t joint_rows = 0;  // rows of joint axes ever used

  std::vector<Contact> contacts;  // found by the last collision pass, used by the next step
  // Those of sleeping bodies, found when one was last awake. They are inactive, and not listed, until a body
  // wakes: it may wake in the next step, before the next search.
  std::vector<Contact> kept_contacts;
  std::vector<Contact> solved_contacts;  // used by the last step, with their forces if requested
  bool contact_feedback = false;
  std::vector<Problem> problems;      // of the last step
  std::vector<std::string> messages;  // ODE's messages
  StepStatistics statistics;

 private:
  friend struct StateAccess;
  friend struct PhysicsFile;
  struct Stepping;

  // One step (world.cpp).
  void step_once();
  void solve();
  bool is_precise() const { return settings_.contacts == ContactLaw::precise; }
  bool solve_exactly();
  bool solve_islands();
  StepContext step_context();
  const std::vector<uint32_t> &bodies_to_solve();
  void recover(const EngineError &failure);
  void put_back(uint32_t slot);
  void measure();
  void check_problem(uint32_t slot, const Vec3 &p, const Vec3 &v, const Vec3 &w);
  void throw_problems();
  void doze();

  // The contacts of a step under the law "precise" (world_ahead.cpp).
  void find_contacts_ahead();
  void keep_bearing_contacts();
  void inherit_forces();

  // The plugin.
  void begin_plugin_step();
  void end_plugin_step();
  void ask_plugin_about_pairs();
  void ask_plugin_about_its_geoms();
  bool taken_by_plugin(uint32_t pair) const { return plugin_ && plugin_took_[pair]; }

  // Bodies.
  void place(Body &body, const Pose &pose);
  void refresh_row(uint32_t slot);
  void move_frames();
  void advance_frame(uint32_t slot);
  const std::vector<uint32_t> &frames();
  void place_frame(uint32_t slot);
  void geoms_moved(const Body &body);
  void stir(uint32_t geom);
  void follow_frames();
  void place_followers(uint32_t slot);
  void apply_damping(Body &body);

  // Geoms and contacts (world_geoms.cpp, world_contacts.cpp).
  void place_geom(Geom &geom);
  void update_bounds(uint32_t slot);
  void mark_moved(uint32_t slot);
  std::vector<Pair> &list_pairs();
  bool in_robot(const Geom &a, const Geom &b) const;
  void judge(Pair &pair);
  bool chained(uint32_t body_a, uint32_t body_b) const;
  bool held_by_world(uint32_t body) const;
  bool stands(uint32_t body) const { return body == kNone || !bodies[body].ode; }
  bool is_immersed(uint32_t body) const;
  bool immovable(uint32_t body) const { return stands(body) || bodies[body].kind == BodyKind::kinematic; }
  void find_contacts();
  void keep_sleeping_contacts();
  void list_active_pairs();
  bool asleep(const Geom &a, const Geom &b) const {
    return !active(a.body) && !active(b.body) && !(stands(a.body) && stands(b.body));
  }
  bool collide_pair(const Pair &pair, std::vector<Contact> &list);
  bool may_touch(Pair &pair, Verdict verdict);
  void wake_beside_changed();
  void wake_beside(uint32_t geom);
  void wake_resting_on(const std::function<bool(uint32_t)> &geoms_of_interest);
  void keep_awake_on_moving();
  void settle_displaced();
  void immerse_pair(const Pair &pair);

  // Fast bodies (world_sweep.cpp).
  struct Mover;
  std::vector<Mover> fast_bodies();
  void stop_fast_bodies();
  bool may_hit(const Mover &mover, Pair &pair);
  bool stop_at_surface(const Mover &mover);
  void take_back_fall(uint32_t body, double share);
  void move_along(const Mover &mover, double share);
  bool hits(const Mover &mover, const Pair &pair, double share);

  void make_contact_joints(bool clear_feedback = true);
  void take_places();
  void inherit_places();
  void make_joints_of(std::vector<Contact> &list, bool clear_feedback);

  // Sleeping bodies (world_sleep.cpp).
  struct Awake {
    std::vector<uint32_t> bodies, geoms;  // ascending
    bool all;                             // no body with mass sleeps
  };
  const Awake &awake_ones();
  bool may_wake_sleepers();
  void join_sleepers();
  void restart_countdowns();
  uint64_t hash_of_sleepers();
  void forget_contacts_of_geom(uint32_t slot);
  void forget_contacts(const std::function<bool(uint32_t)> &of_geom);

  // Falling asleep (world_doze.cpp).
  void put_to_sleep();
  void link_islands();
  uint32_t island_of(uint32_t body);
  void link(uint32_t body_a, uint32_t body_b);
  void disturb(uint32_t body);
  void disturb_driven();
  bool may_sleep(const Body &body) const;
  bool is_driven(const Joint &joint) const;
  bool yields(const Joint &joint) const;

  // Joints.
  void check_joint(const JointSpec &spec) const;
  void build_joint(Joint &joint);
  void align_joint(Joint &joint);
  void align_main(Joint &joint, const Vec3 &anchor, const Mat3 &parent_axes);
  void attach(dJointID ode, const Joint &joint);
  void destroy_ode_joints(Joint &joint);
  void configure_control(Joint &joint);
  void configure_springs(Joint &joint);
  void configure_suspension(Joint &joint);
  void control_joint(Joint &joint);
  void move_kinematic(Joint &joint);
  void place_kinematic_child(Joint &joint);
  void rest_at(Joint &joint, const Pose &in_parent) const;
  void drive_axis(Joint &joint, int axis);
  double velocity_at_stops(Joint &joint, int axis, double velocity);
  AtStop state_at_stops(const Joint &joint, int axis, int way_out) const;
  void turn_stops(Joint &joint);
  void control_rows(Joint &joint);
  void spring_rows(Joint &joint);
  void complete_turns();
  bool turns_child(uint32_t slot) const;
  void measure_joint(Joint &joint);
  void measure_hinge(Joint &joint);
  void measure_by_poses(Joint &joint);
  void store_positions(const Joint &joint);
  uint32_t constraint_rows(const Joint &joint) const;
  uint32_t take_rows(int count);
  Pose parent_pose(const Joint &joint) const;
  Vec3 relative_spin(const Joint &joint) const;
  Vec3 axis_in_world(const Joint &joint, int axis) const;

  // Rays, fluids, drives.
  void cast_due();
  bool look_around(const RaySet &set, const Pose &pose);
  void cast_ray(RaySet &set, size_t i, bool few);
  void look(const AimedRay &ray, double length, uint32_t slot, bool front_only, Nearest &nearest);
  bool ray_passes(const RaySet &set, const Geom &geom) const;
  void drive();
  void push_immersed(const Immersion &immersion, const Immersed &part);
  void drive_propeller(Propeller &propeller);
  void drive_track(Track &track);
  void run_belt(const Geom &geom, bool second, Contact &contact);

  WorldSettings settings_;
  dWorldID ode_;
  std::optional<IslandThreads> islands_;  // outlives ode_
  std::optional<WorkingMemory> working_memory_;
  OdeThread *thread_ = nullptr;  // the thread that steps
  dJointGroupID contact_group_;
  std::shared_ptr<StepPlugin> plugin_;
  std::optional<PluginSpaces> plugin_spaces_;
  dJointGroupID plugin_contacts_ = nullptr;
  std::vector<uint8_t> plugin_took_;  // by pair: the world makes no contacts
  std::vector<dContactGeom> found_;   // of the current pair
  RayProbe probe_;
  Solver solver_;
  Pairs pairs_;
  unsigned long ode_seed_ = 0;
  uint32_t next_order_ = 1, next_geom_order_ = 1;
  uint32_t rules_version_ = 0;
  bool collided_ = false, walking_ = false, frames_stale_ = false, dozing_ = false,
       fresh_ = false,     // some geom is
      displaced_ = false;  // some body is
  // Contacts of sleepers as last requested, and a number that identifies their pairs and places; 0: unknown.
  std::vector<Contact> resting_;
  uint64_t resting_of_ = 0;
  // The awake bodies with their geoms, and the pairs that are not asleep. The counter increases when a body
  // wakes or falls asleep and when a body or geom comes or goes; the others hold its value when they were
  // made.
  Awake awake_;
  std::vector<uint32_t> active_pairs_;
  uint64_t awake_changes_ = 1, awake_of_ = 0, kept_of_ = 0, active_pairs_of_ = 0, active_pairs_list_ = 0;
  uint32_t active_pairs_rules_ = 0;
  bool sleepers_joined_ = false;  // the kept contacts have joints, for one step
  std::vector<uint32_t> island_;  // of a body, while bodies fall asleep: another one of its island, or itself
  std::vector<uint8_t> restless_;  // by body: it keeps its island awake
  std::vector<uint32_t> moved_geoms_, stirred_geoms_;
  std::vector<uint32_t> frames_;
  std::string broken_;  // why it cannot be stepped any more
  std::vector<uint8_t> self_collision_;
  std::vector<std::pair<uint32_t, uint32_t>> immersed_;  // immersion, geom: forces of the next step
  // The rays being cast: their poses, and the geoms near them, those without bounds first.
  std::vector<AimedRay> aimed_;
  std::vector<uint32_t> in_reach_;
  size_t unbounded_in_reach_ = 0;
  std::vector<uint32_t> free_rows_[4];
  std::atomic<std::thread::id> stepping_thread_{};
};

}  // namespace wb
