// The problem of ODE's exact step, from its joints' rows, solved with one dense matrix.
#include "reference.h"

#include <algorithm>
#include <cmath>

#include "config.h"
#include "joints/joint.h"
#include "matrix.h"
#include "objects.h"

namespace {

template <class Real>
Real magnitude(Real x) {
  return x < 0 ? -x : x;
}

// One step of Newton's method doubles the digits of the root in long double.
template <class Real>
Real root(Real x) {
  const Real near = std::sqrt((long double)x);
  return (near + x / near) / 2;
}

struct DenseRow {
  double j0[8], j1[8], pair[4];  // rhs, cfm, low, high
  int body0, body1, normal;
};

template <class Real>
struct Problem {
  std::vector<Real> a, b, low, high, x;  // A x - b = w
  std::vector<int> normal;
  size_t n = 0;
};

template <class Real>
struct Inverse {
  Real mass, inertia[9];
};

// ODE inverts the inertia in the body's frame.
template <class Real>
Inverse<Real> inverse_of(const dxBody *b) {
  Inverse<Real> inv{b->invMass, {}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          inv.inertia[i * 3 + j] += (Real)b->posr.R[i * 4 + k] * b->invI[k * 4 + l] * b->posr.R[j * 4 + l];
  return inv;
}

template <class Real>
void apply(const Inverse<Real> &inv, const Real *f, Real *a) {
  for (int i = 0; i < 3; ++i) a[i] = inv.mass * f[i];
  for (int i = 0; i < 3; ++i)
    a[3 + i] = inv.inertia[i * 3] * f[3] + inv.inertia[i * 3 + 1] * f[4] + inv.inertia[i * 3 + 2] * f[5];
}

template <class Real>
void gyroscopic(const dxBody *b, double h, Real *torque) {
  Real inertia[9] = {}, l[3] = {}, m[9], x[3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int q = 0; q < 3; ++q)
          inertia[i * 3 + j] += (Real)b->posr.R[i * 4 + k] * b->mass.I[k * 4 + q] * b->posr.R[j * 4 + q];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) l[i] += inertia[i * 3 + j] * b->avel[j];
  const Real cross[9] = {0, -l[2], l[1], l[2], 0, -l[0], -l[1], l[0], 0};
  for (int i = 0; i < 9; ++i) m[i] = inertia[i] - (Real)h * cross[i];
  const Real d = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                 m[2] * (m[3] * m[7] - m[4] * m[6]);
  if (d == 0) return;
  for (int c = 0; c < 3; ++c) {
    Real t[9];
    std::copy(m, m + 9, t);
    for (int i = 0; i < 3; ++i) t[i * 3 + c] = l[i];
    x[c] = (t[0] * (t[4] * t[8] - t[5] * t[7]) - t[1] * (t[3] * t[8] - t[5] * t[6]) +
            t[2] * (t[3] * t[7] - t[4] * t[6])) /
           d;
  }
  for (int i = 0; i < 3; ++i) {
    Real turned = 0;
    for (int j = 0; j < 3; ++j) turned += inertia[i * 3 + j] * x[j];
    torque[i] += (turned - l[i]) / h;
  }
}

enum { kFree, kLow, kHigh, kOut };

template <class Real>
bool solve_free(Problem<Real> &p, const std::vector<int> &place) {
  std::vector<size_t> f;
  for (size_t i = 0; i < p.n; ++i) {
    if (place[i] == kFree)
      f.push_back(i);
    else
      p.x[i] = place[i] == kLow ? p.low[i] : place[i] == kHigh ? p.high[i] : 0;
  }
  const size_t n = f.size();
  std::vector<Real> m(n * n), y(n);
  for (size_t i = 0; i < n; ++i) {
    y[i] = p.b[f[i]];
    for (size_t k = 0; k < p.n; ++k)
      if (place[k] != kFree) y[i] -= p.a[f[i] * p.n + k] * p.x[k];
    for (size_t j = 0; j <= i; ++j) {
      Real s = p.a[f[i] * p.n + f[j]];
      for (size_t k = 0; k < j; ++k) s -= m[i * n + k] * m[j * n + k];
      if (i != j) {
        m[i * n + j] = s / m[j * n + j];
        continue;
      }
      if (!(s > (Real)1e-14 * p.a[f[i] * p.n + f[i]])) return false;
      m[i * n + i] = root(s);
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) y[i] -= m[i * n + k] * y[k];
    y[i] /= m[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) y[i] -= m[k * n + i] * y[k];
    y[i] /= m[i * n + i];
    p.x[f[i]] = y[i];
  }
  return true;
}

// Principal pivoting: first all rows at once, then the first one out of order, which ends for positive
// matrices.
template <class Real>
bool pivot(Problem<Real> &p, std::vector<int> &place) {
  constexpr int kBlock = 30, kMost = 3000;
  for (int turn = 0; turn < kMost; ++turn) {
    if (!solve_free(p, place)) return false;
    Real strongest = 0;
    for (const Real x : p.x) strongest = std::max(strongest, magnitude(x));
    bool changed = false;
    for (size_t i = 0; i < p.n && !(changed && turn >= kBlock); ++i) {
      if (place[i] == kOut || p.low[i] == p.high[i]) continue;
      Real w = -p.b[i], size = magnitude(p.b[i]);
      for (size_t k = 0; k < p.n; ++k)
        w += p.a[i * p.n + k] * p.x[k], size += magnitude(p.a[i * p.n + k] * p.x[k]);
      const Real small = (Real)1e-16 * size, tiny = (Real)1e-16 * strongest;
      int to = place[i];
      if (to == kFree)
        to = p.x[i] < p.low[i] - tiny ? kLow : p.x[i] > p.high[i] + tiny ? kHigh : kFree;
      else if ((to == kLow && w < -small) || (to == kHigh && w > small))
        to = kFree;
      changed |= to != place[i];
      place[i] = to;
    }
    if (!changed) return true;
  }
  return false;
}

template <class Real>
bool solve_problem(Problem<Real> &p) {
  std::vector<int> place(p.n, kFree);
  bool friction = false;
  for (size_t i = 0; i < p.n; ++i)
    if (p.normal[i] >= 0)
      place[i] = kOut, friction = true;
    else if (p.low[i] == p.high[i])
      place[i] = kLow;
  p.x.assign(p.n, 0);
  if (!pivot(p, place)) return false;
  if (!friction) return true;
  const std::vector<Real> first = p.x;
  for (size_t i = 0; i < p.n; ++i) {
    if (p.normal[i] < 0) continue;
    const Real normal = first[(size_t)p.normal[i]];
    p.high[i] = normal == 0 ? 0 : magnitude(p.high[i] * normal);
    p.low[i] = -p.high[i];
    place[i] = p.high[i] == 0 ? kLow : kFree;
  }
  return pivot(p, place);
}

}  // namespace

template <class Real>
bool reference_step(dWorldID world, const std::vector<dBodyID> &bodies, double h,
                    std::vector<Real> &velocities) {
  const size_t count = bodies.size();
  std::vector<DenseRow> rows;
  std::vector<dVector3> before(count * 2);
  for (size_t i = 0; i < count; ++i) {
    bodies[i]->tag = (int)i;
    std::copy_n(bodies[i]->facc, 4, before[i * 2]), std::copy_n(bodies[i]->tacc, 4, before[i * 2 + 1]);
  }
  for (dxJoint *j = world->firstjoint; j; j = (dxJoint *)j->next) {
    dxJoint::Info1 info;
    if (!j->isEnabled()) continue;
    j->getInfo1(&info);
    const size_t begin = rows.size();
    int findex[6] = {-1, -1, -1, -1, -1, -1};
    if (!info.m) continue;
    rows.resize(begin + info.m, DenseRow{});
    for (size_t i = begin; i < rows.size(); ++i)
      rows[i].pair[1] = world->global_cfm, rows[i].pair[2] = -dInfinity, rows[i].pair[3] = dInfinity;
    constexpr int skip = sizeof(DenseRow) / sizeof(double);
    j->getInfo2(1 / h, world->global_erp, skip, rows[begin].j0, rows[begin].j1, skip, rows[begin].pair,
                rows[begin].pair + 2, findex);
    for (size_t i = begin; i < rows.size(); ++i) {
      rows[i].body0 = j->node[0].body->tag, rows[i].body1 = j->node[1].body ? j->node[1].body->tag : -1;
      rows[i].normal = findex[i - begin] < 0 ? -1 : (int)begin + findex[i - begin];
    }
  }
  std::vector<Inverse<Real>> inverse;
  std::vector<Real> free(count * 6);
  for (size_t i = 0; i < count; ++i) {
    const dxBody *b = bodies[i];
    inverse.push_back(inverse_of<Real>(b));
    Real f[6];
    for (int k = 0; k < 3; ++k) {
      f[k] = b->facc[k] + (b->flags & dxBodyNoGravity ? 0 : (Real)b->mass.mass * world->gravity[k]);
      f[3 + k] = b->tacc[k];
    }
    if ((b->flags & dxBodyGyroscopic) && b->invMass > 0) gyroscopic(b, h, f + 3);
    apply(inverse[i], f, &free[i * 6]);
    for (int k = 0; k < 3; ++k)
      free[i * 6 + k] += b->lvel[k] / (Real)h, free[i * 6 + 3 + k] += b->avel[k] / (Real)h;
    std::copy_n(before[i * 2], 4, bodies[i]->facc), std::copy_n(before[i * 2 + 1], 4, bodies[i]->tacc);
  }
  Problem<Real> p;
  p.n = rows.size();
  std::vector<Real> gain(p.n * 12);
  for (size_t i = 0; i < p.n; ++i) {
    const DenseRow &r = rows[i];
    Real j[12];
    for (int k = 0; k < 6; ++k) j[k] = r.j0[k], j[6 + k] = r.body1 < 0 ? 0 : r.j1[k];
    apply(inverse[(size_t)r.body0], j, &gain[i * 12]);
    if (r.body1 >= 0) apply(inverse[(size_t)r.body1], j + 6, &gain[i * 12 + 6]);
    Real b = r.pair[0] / (Real)h;
    for (int k = 0; k < 6; ++k) {
      b -= j[k] * free[(size_t)r.body0 * 6 + (size_t)k];
      if (r.body1 >= 0) b -= j[6 + k] * free[(size_t)r.body1 * 6 + (size_t)k];
    }
    p.b.push_back(b), p.low.push_back(r.pair[2]), p.high.push_back(r.pair[3]), p.normal.push_back(r.normal);
  }
  p.a.assign(p.n * p.n, 0);
  for (size_t i = 0; i < p.n; ++i)
    for (size_t k = 0; k < p.n; ++k) {
      Real s = i == k ? rows[i].pair[1] / (Real)h : 0;
      for (int side = 0; side < 4; ++side) {
        const int mine = side & 1 ? rows[i].body1 : rows[i].body0,
                  theirs = side & 2 ? rows[k].body1 : rows[k].body0;
        if (mine < 0 || mine != theirs) continue;
        const double *j = side & 2 ? rows[k].j1 : rows[k].j0;
        for (int q = 0; q < 6; ++q) s += gain[i * 12 + (side & 1 ? 6 : 0) + (size_t)q] * j[q];
      }
      p.a[i * p.n + k] = s;
    }
  if (p.n && !solve_problem(p)) return false;
  velocities.resize(count * 6);
  for (size_t i = 0; i < count * 6; ++i) velocities[i] = free[i] * h;
  for (size_t i = 0; i < p.n; ++i)
    for (size_t k = 0; k < 6; ++k) {
      velocities[(size_t)rows[i].body0 * 6 + k] += h * gain[i * 12 + k] * p.x[i];
      if (rows[i].body1 >= 0) velocities[(size_t)rows[i].body1 * 6 + k] += h * gain[i * 12 + 6 + k] * p.x[i];
    }
  return true;
}

template bool reference_step(dWorldID, const std::vector<dBodyID> &, double, std::vector<Long> &);
#if defined(__SIZEOF_FLOAT128__)
template bool reference_step(dWorldID, const std::vector<dBodyID> &, double, std::vector<Longest> &);
#endif
