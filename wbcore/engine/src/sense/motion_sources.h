// Measurements of poses and rates: angular velocity, acceleration, directions, orientation, position.
#pragma once

#include <optional>

#include "drift.h"
#include "mount.h"
#include "response.h"
#include "source.h"

namespace wb {

// The response of a sensor with one value per axis; axes that are off show NaN.
struct AxesResponse {
  std::array<bool, 3> on;
  std::optional<Response> response;  // none: values are exact

  void write(const Vec3 &vector, Random &random, double *values) const;
};

// A vector in the axes of a sensor.
class AxesSource : public Source {
 public:
  AxesSource(std::shared_ptr<World> world, Mount mount, AxesResponse response)
      : world_(std::move(world)), mount_(std::move(mount)), response_(std::move(response)) {}
  std::vector<int> parts() const override { return {3}; }
  bool is_usable() const override { return mount_.is_usable(); }
  void measure(double elapsed, double *values) override {
    response_.write(vector(elapsed), world_->random, values);
  }

 protected:
  virtual Vec3 vector(double elapsed) = 0;

  std::shared_ptr<World> world_;
  Mount mount_;
  AxesResponse response_;
};

// Gyro: angular velocity (rad/s) of a body.
class AngularVelocity : public AxesSource {
 public:
  AngularVelocity(BodyHandle body, Mount mount, AxesResponse response)
      : AxesSource(body.world, std::move(mount), std::move(response)), body_(std::move(body)) {}
  bool is_usable() const override { return AxesSource::is_usable() && body_.valid(); }

 protected:
  Vec3 vector(double elapsed) override;

 private:
  BodyHandle body_;
};

// Accelerometer: change of velocity since the last sample, divided by the time, minus gravity (m/s^2).
class Acceleration : public AxesSource {
 public:
  Acceleration(BodyHandle body, Mount mount, AxesResponse response, const Vec3 &last)
      : AxesSource(body.world, std::move(mount), std::move(response)), last(last), body_(std::move(body)) {}
  bool is_usable() const override { return AxesSource::is_usable() && body_.valid(); }

  Vec3 last;  // velocity (m/s, world) at the last sample

 protected:
  Vec3 vector(double elapsed) override;

 private:
  BodyHandle body_;
};

// Compass: a direction of the world.
class Direction : public AxesSource {
 public:
  Direction(std::shared_ptr<World> world, Mount mount, AxesResponse response, const Vec3 &direction)
      : AxesSource(std::move(world), std::move(mount), std::move(response)), direction_(direction) {}

 protected:
  Vec3 vector(double elapsed) override;

 private:
  Vec3 direction_;
};

// InertialUnit: orientation in a frame of reference, as (x, y, z, w).
class Orientation : public Source {
 public:
  struct Accuracy {
    double noise;             // standard deviation about each axis, as a fraction of half a turn
    std::array<bool, 3> off;  // components of the rotation axis that are not measured
    double resolution;
  };
  // frame: the inverse rotation of the frame of reference; none: the world.
  Orientation(std::shared_ptr<World> world, Mount mount, std::optional<Quat> frame, const Accuracy &accuracy)
      : world_(std::move(world)), mount_(std::move(mount)), frame_(frame), accuracy_(accuracy) {}
  std::vector<int> parts() const override { return {4}; }
  bool is_usable() const override { return mount_.is_usable(); }
  void measure(double elapsed, double *values) override;

 private:
  Quat error() const;
  Quat without_axes(const Quat &turn) const;

  std::shared_ptr<World> world_;
  Mount mount_;
  std::optional<Quat> frame_;
  Accuracy accuracy_;
};

// GPS in meters: position, speed and velocity of a point. Without a body of its own the velocity is the mean
// since the last sample.
class Position : public Source {
 public:
  struct Accuracy {
    double resolution, speed_noise, speed_resolution;
  };
  struct Noise {
    std::shared_ptr<Drift> drift;  // of all receivers; null: positions are exact
    double deviation = 0;          // m
    double correlation = 0;        // per second, 0 to 1
  };
  Position(std::shared_ptr<World> world, std::optional<BodyHandle> body, Mount mount, const Vec3 &reference,
           const Accuracy &accuracy, Noise noise)
      : world_(std::move(world)),
        body_(std::move(body)),
        mount_(std::move(mount)),
        reference_(reference),
        accuracy_(accuracy),
        noise_(std::move(noise)) {}
  std::vector<int> parts() const override { return {3, 1, 3}; }
  bool is_usable() const override { return mount_.is_usable() && (!body_ || body_->valid()); }
  void measure(double elapsed, double *values) override;

  std::optional<Vec3>
      last;  // position (m, world) at the last sample, without a body; none: there was no sample

 private:
  Vec3 velocity(const Vec3 &at, double elapsed);

  std::shared_ptr<World> world_;
  std::optional<BodyHandle> body_;
  Mount mount_;
  Vec3 reference_;
  Accuracy accuracy_;
  Noise noise_;
};

}  // namespace wb
