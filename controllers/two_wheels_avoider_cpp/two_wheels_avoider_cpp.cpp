// Explores an arena with the robot of worlds/two_wheels.wbt, as two_wheels_avoider.c does: drives until an
// obstacle is near, then turns on the spot until the way is clear, and a little longer because a single ray
// misses obstacles on the sides. The same file runs in simulation and as firmware on a board.
#include <cmath>
#include <webots/DistanceSensor.hpp>
#include <webots/LED.hpp>
#include <webots/Motor.hpp>
#include <webots/Robot.hpp>

using namespace webots;

static const double SPEED = 6.0;   // rad/s of the wheels
static const double TURN = 3.0;    // rad/s
static const double NEAR = 600.0;  // readings are higher if a white obstacle is nearer than 32 cm
static const double FREE = 300.0;  // readings are lower if no white obstacle is nearer than 56 cm
static const int LONGER = 400;     // ms to keep turning when the way is clear

class Wheels {
 public:
  explicit Wheels(Robot *robot)
      : left(robot->getMotor("left wheel motor")), right(robot->getMotor("right wheel motor")) {
    left->setPosition(INFINITY);
    right->setPosition(INFINITY);
    drive(0, 0);
  }

  void drive(double leftSpeed, double rightSpeed) {
    left->setVelocity(leftSpeed);
    right->setVelocity(rightSpeed);
  }

 private:
  Motor *left, *right;
};

int main() {
  Robot *robot = new Robot();
  const int step = static_cast<int>(robot->getBasicTimeStep());
  Wheels wheels(robot);
  LED *status = robot->getLED("status");
  DistanceSensor *front = robot->getDistanceSensor("front");
  front->enable(step);

  int turns = 0;  // remaining steps to turn
  while (robot->step(step) != -1) {
    const double near = front->getValue();
    if (near > (turns > 0 ? FREE : NEAR))
      turns = LONGER / step;
    else if (turns > 0)
      turns--;
    status->set(turns > 0);
    if (turns > 0)
      wheels.drive(-TURN, TURN);
    else
      wheels.drive(SPEED, SPEED);
  }
  delete robot;
  return 0;
}
