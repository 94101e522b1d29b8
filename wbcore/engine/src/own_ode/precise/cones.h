// Bounds and friction cones of a dense system: relaxation and a nonsmooth Newton method by turns.
//
// The Newton method solves the equations of Alart and Curnier (1991): each impulse is the projection of
// itself, corrected by the error of its row, onto what is allowed.
#pragma once

#include "elimination.h"
#include "relaxation.h"

namespace wb::precise {

class Cones {
 public:
  // The rows of `problem` from `unbounded` on, with the matrix that remains for them.
  Cones(const Problem &problem, Dense system);

  // Returns false if the result is not within the tolerance; then it is the best that was found.
  bool solve();

  // For the relaxation; rows are numbered from the first one with bounds.
  uint32_t size() const { return system_.size; }
  uint32_t of_joints() const { return of_joints_; }
  const std::vector<Contact> &contacts() const { return contacts_; }
  const Row &row(uint32_t i) const { return rows_[i]; }
  double impulse(uint32_t i) const { return impulses_[i]; }
  double error(uint32_t i) const { return errors_[i]; }
  void push(uint32_t i, double impulse);
  std::vector<double> &impulses() { return impulses_; }
  std::vector<double> &state() { return errors_; }

 private:
  // What the Newton method does with a row in an iteration.
  enum class Part : uint8_t { fixed, tight, sliding };

  void scale_discs();
  void update_errors();
  void project();
  double residual();
  bool keep_best();
  // All rows change their branches at once, or only the worst one: the former is fast, the latter does not
  // cycle where more contacts bear a body than it needs.
  enum class Change : uint8_t { all, worst };
  bool newton(Change change);
  void classify();
  void classify_worst();
  double violation(uint32_t row, Part next) const;
  double disc_violation(const Disc &disc, double radius) const;
  void list_active();
  void classify_contact(const Contact &c);
  void classify_disc(const Disc &disc, bool pressed, double radius);
  void assemble();
  void assemble_tight(uint32_t place);
  void assemble_sliding(const Contact &c, const Disc &disc);
  void set_derivative(uint32_t place, uint32_t row, double factor);
  bool solve_linear();
  bool apply();

  Dense system_;
  uint32_t of_joints_;
  bool heap_;  // without joints
  std::vector<Row> rows_;
  std::vector<Contact> contacts_;
  std::vector<double> impulses_, errors_, best_, steps_;
  std::vector<Part> parts_, former_;
  std::vector<uint32_t> active_, place_of_;
  Dense newton_;
  double tolerance_, best_residual_ = 0;
};

}  // namespace wb::precise
