// Inverse kinematics: positions of joints that bring a point of a link to a place.
#include "reach.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "../errors.h"

namespace wb {
namespace {

using SixRows = std::array<double, 6>;
using SixBySix = std::array<SixRows, 6>;

// Added to the diagonal of J J^T, whatever the error.
constexpr double kLeastDamping = 1e-10;
// The most by which a joint moves in an iteration (rad or m).
constexpr double kLongestMove = 0.5;
// Improvements of the error below this share are none; so many in a row end an attempt.
constexpr double kProgress = 0.99;
constexpr int kPatience = 12;

// The seed of an attempt's random positions, which are the same in every call.
double next_share(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(state >> 11) / 9007199254740992.0;
}

// The rotation vector from one orientation to another, in the world's axes.
Vec3 turn_between(const Mat3 &from, const Mat3 &to) {
  const AxisAngle turn = to_axis_angle(to_quat(to * transposed(from)));
  return turn.axis * turn.angle;
}

// Solves a x = b for a symmetric positive definite matrix; `size` rows. b becomes x.
void solve_positive(SixBySix &a, SixRows &b, size_t size) {
  for (size_t j = 0; j < size; ++j) {
    for (size_t k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = std::sqrt(std::max(a[j][j], kLeastDamping));
    for (size_t i = j + 1; i < size; ++i) {
      for (size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  for (size_t i = 0; i < size; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (size_t i = size; i-- > 0;) {
    for (size_t k = i + 1; k < size; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
}

class Attempt {
 public:
  Attempt(Chain &chain, const Pose &base, const Goal &goal, const ReachLimits &limits)
      : chain_(chain),
        base_(base),
        goal_(goal),
        limits_(limits),
        joints_(chain.path(goal.link)),
        jacobian_(6 * chain.freedoms()) {}

  Reached run(std::vector<double> positions) {
    for (size_t j = 0; j < positions.size(); ++j)
      positions[j] = std::clamp(positions[j], chain_.low(j), chain_.high(j));
    Reached best = measured(positions);
    double least = cost();
    int lame = 0;
    for (int i = 0; i < limits_.iterations && !best.is_reached && lame < kPatience; ++i) {
      move(positions);
      Reached now = measured(positions);
      lame = cost() < kProgress * least ? 0 : lame + 1;
      if (cost() < least) {
        least = cost();
        best = std::move(now);
      }
      best.iterations = i + 1;
    }
    return best;
  }

  std::vector<double> random_positions(const std::vector<double> &start, uint64_t &seed) const {
    std::vector<double> made = start;
    for (const size_t j : joints_) {
      const double low = std::isfinite(chain_.low(j)) ? chain_.low(j) : start[j] - std::numbers::pi;
      const double high = std::isfinite(chain_.high(j)) ? chain_.high(j) : start[j] + std::numbers::pi;
      made[j] = low + next_share(seed) * (high - low);
    }
    return made;
  }

 private:
  size_t rows() const { return goal_.orientation ? 6 : 3; }
  double cost() const {
    double sum = 0;
    for (size_t k = 0; k < rows(); ++k) sum += error_[k] * error_[k];
    return sum;
  }

  Reached measured(const std::vector<double> &positions) {
    chain_.place(base_, positions);
    const Pose &pose = chain_.pose(goal_.link);
    const Vec3 gap = goal_.position - pose * goal_.point;
    const Vec3 turn = goal_.orientation ? turn_between(pose.rotation, *goal_.orientation) : kZero;
    for (size_t k = 0; k < 3; ++k) error_[k] = gap[k], error_[k + 3] = turn[k];
    Reached made{positions, norm(gap), norm(turn), 0, false};
    made.is_reached = made.distance <= limits_.distance && made.angle <= limits_.angle;
    return made;
  }

  // Moves; joints that would leave their limits stay there, and the others take over.
  void move(std::vector<double> &positions) {
    chain_.jacobian(goal_.link, chain_.pose(goal_.link) * goal_.point, jacobian_);
    std::vector<size_t> free = joints_;
    for (size_t left = joints_.size(); left > 0; --left) {
      const std::vector<double> step = step_of(free);
      std::vector<size_t> inside;
      for (size_t i = 0; i < free.size(); ++i) {
        const double at = positions[free[i]];
        const bool leaves =
            (step[i] > 0 && at >= chain_.high(free[i])) || (step[i] < 0 && at <= chain_.low(free[i]));
        if (!leaves) inside.push_back(free[i]);
      }
      if (inside.size() == free.size()) {
        take(positions, free, step);
        return;
      }
      free = std::move(inside);
    }
  }

  std::vector<double> step_of(const std::vector<size_t> &free) const {
    const size_t count = rows(), width = chain_.freedoms(), first = chain_.first();
    SixBySix square{};
    SixRows right = error_;
    const double damping = cost() / 2 + kLeastDamping;
    for (size_t a = 0; a < count; ++a) {
      for (size_t b = 0; b <= a; ++b)
        for (const size_t j : free)
          square[a][b] += jacobian_[a * width + first + j] * jacobian_[b * width + first + j];
      square[a][a] += damping;
    }
    solve_positive(square, right, count);
    std::vector<double> step;
    for (const size_t j : free) {
      double sum = 0;
      for (size_t a = 0; a < count; ++a) sum += jacobian_[a * width + first + j] * right[a];
      step.push_back(sum);
    }
    return step;
  }

  void take(std::vector<double> &positions, const std::vector<size_t> &free,
            const std::vector<double> &step) const {
    double longest = 0;
    for (const double one : step) longest = std::max(longest, std::fabs(one));
    const double share = longest > kLongestMove ? kLongestMove / longest : 1;
    for (size_t i = 0; i < free.size(); ++i)
      positions[free[i]] =
          std::clamp(positions[free[i]] + share * step[i], chain_.low(free[i]), chain_.high(free[i]));
  }

  Chain &chain_;
  const Pose &base_;
  const Goal &goal_;
  const ReachLimits &limits_;
  std::vector<size_t> joints_;
  std::vector<double> jacobian_;
  SixRows error_{};
};

}  // namespace

Reached reach(Chain &chain, const Pose &base, const std::vector<double> &start, const Goal &goal,
              const ReachLimits &limits) {
  require(goal.link >= 0 && goal.link < static_cast<int>(chain.links()), "link", "a link's number",
          goal.link);
  require(start.size() == chain.joints(), "number of positions", "that of the joints",
          static_cast<double>(start.size()));
  require_finite("position", goal.position);
  require_finite("start", start);
  Attempt attempt(chain, base, goal, limits);
  Reached best = attempt.run(start);
  uint64_t seed = 1;
  int iterations = best.iterations;
  for (int i = 1; i < limits.attempts && !best.is_reached; ++i) {
    Reached next = attempt.run(attempt.random_positions(start, seed));
    iterations += next.iterations;
    if (next.is_reached || next.distance + next.angle < best.distance + best.angle) best = std::move(next);
  }
  best.iterations = iterations;
  return best;
}

}  // namespace wb
