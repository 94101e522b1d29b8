// Bounds and friction cones of a dense system.
#include "cones.h"

#include <numeric>

namespace wb::precise {
namespace {

constexpr int kSweepsFirst = 6, kSweepsBetween = 12, kSweepsLast = 300;
constexpr int kRounds = 8, kNewtonSteps = 8;
// Heaps of more rows get the fast rounds only: sweeps on the bodies are cheaper than the others.
constexpr uint32_t kSmallHeap = 60;
constexpr int kRoundsOfHeap = 2;
constexpr double kTolerance = 1e-11;  // of velocities, as a share of the typical speed
constexpr double kAcceptable = 1e-4;
constexpr uint32_t kNowhere = 0xffffffffu;

}  // namespace

Cones::Cones(const Problem &problem, Dense system)
    : system_(std::move(system)),
      of_joints_(problem.of_joints - problem.unbounded),
      heap_(problem.of_joints == 0),
      rows_(problem.rows.begin() + problem.unbounded, problem.rows.end()),
      contacts_(problem.contacts),
      impulses_(problem.impulses.begin() + problem.unbounded, problem.impulses.end()),
      errors_(system_.size, 0.0),
      tolerance_(kTolerance * problem.speed) {
  for (Contact &c : contacts_) {
    c.normal -= problem.unbounded;
    for (uint32_t d = 0; d < c.disc_count; ++d) c.discs[d].first -= problem.unbounded;
  }
  for (uint32_t i = 0; i < size(); ++i) rows_[i].diagonal = system_.row(i)[i];
  scale_discs();
  best_ = steps_ = impulses_;
  parts_.resize(size());
  place_of_.resize(size());
}

void Cones::scale_discs() {
  for (const Contact &c : contacts_)
    for (uint32_t d = 0; d < c.disc_count; ++d) {
      if (c.discs[d].size != 2) continue;
      const uint32_t i = c.discs[d].first, k = i + 1;
      const double scale = greatest_eigenvalue(system_.row(i)[i], system_.row(i)[k], system_.row(k)[k]);
      rows_[i].diagonal = rows_[k].diagonal = scale;
    }
}

void Cones::push(uint32_t i, double impulse) {
  impulses_[i] += impulse;
  const double *entries = system_.row(i);  // symmetric: its column
  for (uint32_t k = 0; k < size(); ++k) errors_[k] += entries[k] * impulse;
}

bool Cones::solve() {
  if (size() == 0) return true;
  update_errors();
  best_residual_ = HUGE_VAL;
  best_ = impulses_;
  Relaxation relaxation(*this);
  for (int i = 0; i < kSweepsFirst; ++i) relaxation.sweep();
  const bool heap = heap_ && size() > kSmallHeap;
  bool done = false;
  for (int round = 0; round < (heap ? kRoundsOfHeap : kRounds) && !done; ++round) {
    done = newton(round < 2 ? Change::all : Change::worst);
    if (done) break;
    impulses_ = best_;
    update_errors();
    for (int i = 0; i < kSweepsBetween << round / 2; ++i) relaxation.sweep();
    done = keep_best();
  }
  Acceleration acceleration(*this);
  for (int i = 0; i < kSweepsLast && !done && !heap; ++i) {
    acceleration.sweep();
    if (i % 20 == 19) done = keep_best();
  }
  impulses_ = best_;
  project();
  return best_residual_ <= kAcceptable / kTolerance * tolerance_;
}

void Cones::update_errors() {
  for (uint32_t i = 0; i < size(); ++i) {
    const double *entries = system_.row(i);
    double sum = -system_.right[i];
    for (uint32_t k = 0; k < size(); ++k) sum += entries[k] * impulses_[k];
    errors_[i] = sum;
  }
}

// Makes all impulses allowed.
void Cones::project() {
  for (uint32_t i = 0; i < of_joints_; ++i)
    impulses_[i] = std::clamp(impulses_[i], rows_[i].low, rows_[i].high);
  for (const Contact &c : contacts_) {
    double &normal = impulses_[c.normal];
    normal = std::max(normal, 0.0);
    for (uint32_t d = 0; d < c.disc_count; ++d) {
      double *s = &impulses_[c.discs[d].first];
      const double factor = within(normal, s, c.discs[d].size);
      for (uint32_t i = 0; i < c.discs[d].size; ++i) s[i] *= factor;
    }
  }
}

// The greatest difference between an impulse and what the relaxation would make of it, as a velocity.
double Cones::residual() {
  double greatest = 0;
  const auto note = [&](uint32_t i, double wanted) {
    greatest = greater(greatest, std::fabs(wanted - impulses_[i]) * rows_[i].diagonal);
  };
  const auto corrected = [&](uint32_t i) { return impulses_[i] - errors_[i] / rows_[i].diagonal; };
  for (uint32_t i = 0; i < of_joints_; ++i) note(i, std::clamp(corrected(i), rows_[i].low, rows_[i].high));
  for (const Contact &c : contacts_) {
    note(c.normal, std::max(corrected(c.normal), 0.0));
    const double normal = std::max(impulses_[c.normal], 0.0);
    for (uint32_t d = 0; d < c.disc_count; ++d) {
      double wanted[2];
      const Disc &disc = c.discs[d];
      for (uint32_t i = 0; i < disc.size; ++i) wanted[i] = corrected(disc.first + i);
      const double factor = within(normal, wanted, disc.size);
      for (uint32_t i = 0; i < disc.size; ++i) note(disc.first + i, factor * wanted[i]);
    }
  }
  return greatest;
}

// Remembers the current impulses if they are the best so far; true if they are good enough.
bool Cones::keep_best() {
  const double now = residual();
  if (now < best_residual_) {
    best_residual_ = now;
    best_ = impulses_;
  }
  return now <= tolerance_;
}

bool Cones::newton(Change change) {
  if (keep_best()) return true;
  const int most = change == Change::all ? kNewtonSteps : 2 * static_cast<int>(size());
  for (int step = 0; step < most; ++step) {
    change == Change::all || step == 0 ? classify() : classify_worst();
    list_active();
    assemble();
    if (!solve_linear() || !apply()) return false;
    update_errors();
    if (keep_best()) return true;
  }
  return false;
}

// Chooses for each row the branch of its projection. Rows that stay at a bound have a known step.
void Cones::classify() {
  for (uint32_t i = 0; i < of_joints_; ++i) {
    const double wanted = impulses_[i] - errors_[i] / rows_[i].diagonal;
    const double bound = std::clamp(wanted, rows_[i].low, rows_[i].high);
    parts_[i] = bound == wanted ? Part::tight : Part::fixed;
    steps_[i] = bound - impulses_[i];
  }
  for (const Contact &c : contacts_) classify_contact(c);
}

// How far a row is from being right in its former branch, as a velocity; 0 if it keeps it.
double Cones::violation(uint32_t row, Part next) const {
  if (former_[row] == next) return 0;
  const double corrected = errors_[row] / rows_[row].diagonal;
  const double amount = former_[row] == Part::fixed ? corrected : impulses_[row];
  return std::fabs(amount) * rows_[row].diagonal;
}

// As `classify`, but only the row or contact with the greatest violation changes.
void Cones::classify_worst() {
  former_ = parts_;
  classify();
  uint32_t first = kNowhere, count = 0;
  double greatest = 0;
  const auto note = [&](uint32_t row, uint32_t rows, double amount) {
    if (amount > greatest) greatest = amount, first = row, count = rows;
  };
  for (uint32_t i = 0; i < of_joints_; ++i) note(i, 1, violation(i, parts_[i]));
  for (const Contact &c : contacts_) {
    uint32_t rows = 1;
    for (uint32_t d = 0; d < c.disc_count; ++d) rows += c.discs[d].size;
    note(c.normal, rows, violation(c.normal, parts_[c.normal]));
    for (uint32_t d = 0; d < c.disc_count && parts_[c.normal] == former_[c.normal]; ++d)
      note(c.discs[d].first, c.discs[d].size, disc_violation(c.discs[d], impulses_[c.normal]));
  }
  std::swap(parts_, former_);
  for (uint32_t i = 0; i < of_joints_; ++i)
    if (parts_[i] == Part::fixed && former_[i] == Part::tight) steps_[i] = 0;  // it stays at its bound
  if (first != kNowhere) std::copy_n(former_.begin() + first, count, parts_.begin() + first);
}

// The same for a disc: how far its correction leads across its edge.
double Cones::disc_violation(const Disc &disc, double radius) const {
  if (former_[disc.first] == parts_[disc.first]) return 0;
  const bool slid = former_[disc.first] == Part::sliding;
  const std::vector<double> &values = slid ? errors_ : impulses_;
  double sum = 0;
  for (uint32_t i = 0; i < disc.size; ++i) sum += values[disc.first + i] * values[disc.first + i];
  return std::max(std::sqrt(sum) - (slid ? 0 : radius), 1e-300) * (slid ? 1 : rows_[disc.first].diagonal);
}

void Cones::list_active() {
  active_.clear();
  for (uint32_t i = 0; i < size(); ++i) {
    place_of_[i] = parts_[i] == Part::fixed ? kNowhere : static_cast<uint32_t>(active_.size());
    if (parts_[i] != Part::fixed) active_.push_back(i);
  }
}

void Cones::classify_contact(const Contact &c) {
  const double normal = impulses_[c.normal] - errors_[c.normal] / rows_[c.normal].diagonal;
  parts_[c.normal] = normal > 0 ? Part::tight : Part::fixed;
  steps_[c.normal] = -impulses_[c.normal];
  for (uint32_t d = 0; d < c.disc_count; ++d)
    classify_disc(c.discs[d], normal > 0, std::max(impulses_[c.normal], 0.0));
}

void Cones::classify_disc(const Disc &disc, bool pressed, double radius) {
  double wanted[2];
  for (uint32_t i = 0; i < disc.size; ++i) {
    const uint32_t r = disc.first + i;
    wanted[i] = impulses_[r] - errors_[r] / rows_[disc.first].diagonal;
    steps_[r] = -impulses_[r];
  }
  const bool slides = within(radius, wanted, disc.size) < 1;
  const Part part = !pressed ? Part::fixed : slides ? Part::sliding : Part::tight;
  for (uint32_t i = 0; i < disc.size; ++i) parts_[disc.first + i] = part;
}

// The linear system of an iteration: for tight rows, the error vanishes; for sliding ones, the impulse is
// that of the cone's edge.
void Cones::assemble() {
  newton_.size = static_cast<uint32_t>(active_.size());
  newton_.matrix.assign(static_cast<size_t>(newton_.size) * newton_.size, 0.0);
  newton_.right.assign(newton_.size, 0.0);
  for (uint32_t place = 0; place < newton_.size; ++place)
    if (parts_[active_[place]] == Part::tight) assemble_tight(place);
  for (const Contact &c : contacts_)
    for (uint32_t d = 0; d < c.disc_count; ++d)
      if (parts_[c.discs[d].first] == Part::sliding) assemble_sliding(c, c.discs[d]);
}

// Adds the derivative of a row's error, times a factor, to an equation.
void Cones::set_derivative(uint32_t place, uint32_t row, double factor) {
  const double *entries = system_.row(row);
  double *equation = newton_.row(place);
  for (uint32_t k = 0; k < newton_.size; ++k) equation[k] += factor * entries[active_[k]];
  double known = errors_[row];
  for (uint32_t k = 0; k < size(); ++k)
    if (parts_[k] == Part::fixed) known += entries[k] * steps_[k];
  newton_.right[place] -= factor * known;
}

void Cones::assemble_tight(uint32_t place) { set_derivative(place, active_[place], 1); }

// s = r y / |y| with y = s - error / diagonal and r the normal impulse:
// ds - (r / |y|) P (ds - d error / diagonal) - (y / |y|) dr = r y / |y| - s, where P takes off what is along
// y.
void Cones::assemble_sliding(const Contact &c, const Disc &disc) {
  double y[2] = {0, 0};
  const double diagonal = rows_[disc.first].diagonal, radius = impulses_[c.normal];
  for (uint32_t i = 0; i < disc.size; ++i)
    y[i] = impulses_[disc.first + i] - errors_[disc.first + i] / diagonal;
  const double length = std::sqrt(y[0] * y[0] + y[1] * y[1]), share = radius / length;
  const double along[2] = {y[0] / length, y[1] / length};
  for (uint32_t i = 0; i < disc.size; ++i) {
    const uint32_t place = place_of_[disc.first + i];
    newton_.right[place] += radius * along[i] - impulses_[disc.first + i];
    newton_.row(place)[place] += 1;
    newton_.row(place)[place_of_[c.normal]] -= along[i];
    for (uint32_t k = 0; k < disc.size && disc.size == 2; ++k) {
      const double across = share * ((i == k) - along[i] * along[k]);
      const uint32_t other = disc.first + k;
      newton_.row(place)[place_of_[other]] -= across;
      set_derivative(place, other, across / diagonal);
      // its error counts in y already
      newton_.right[place] += across / diagonal * errors_[other];
    }
  }
}

// Gaussian elimination with the greatest pivot of each column.
bool Cones::solve_linear() {
  const uint32_t n = newton_.size;
  std::vector<double> &b = newton_.right;
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t greatest = k;
    for (uint32_t i = k + 1; i < n; ++i)
      if (std::fabs(newton_.row(i)[k]) > std::fabs(newton_.row(greatest)[k])) greatest = i;
    if (newton_.row(greatest)[k] == 0) return false;
    if (greatest != k) {
      std::swap_ranges(newton_.row(k), newton_.row(k) + n, newton_.row(greatest));
      std::swap(b[k], b[greatest]);
    }
    const double *pivot = newton_.row(k);
    for (uint32_t i = k + 1; i < n; ++i) {
      double *row = newton_.row(i);
      if (row[k] == 0) continue;
      const double factor = row[k] / pivot[k];
      for (uint32_t j = k + 1; j < n; ++j) row[j] -= factor * pivot[j];
      b[i] -= factor * b[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    const double *row = newton_.row(k);
    for (uint32_t j = k + 1; j < n; ++j) b[k] -= row[j] * b[j];
    b[k] /= row[k];
  }
  return true;
}

bool Cones::apply() {
  for (uint32_t place = 0; place < newton_.size; ++place) {
    if (!std::isfinite(newton_.right[place])) return false;
    steps_[active_[place]] = newton_.right[place];
  }
  for (uint32_t i = 0; i < size(); ++i) impulses_[i] += steps_[i];
  return true;
}

}  // namespace wb::precise
