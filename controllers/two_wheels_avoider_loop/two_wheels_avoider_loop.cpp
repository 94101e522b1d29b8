// Explores an arena with the robot of worlds/two_wheels.wbt, as two_wheels_avoider.c does, in the style of
// Arduino: setup() runs once, loop() in each basic time step. The same file runs in simulation and as
// firmware.
#include <cmath>
#include <webots/DistanceSensor.hpp>
#include <webots/LED.hpp>
#include <webots/Motor.hpp>
#include <webots/Robot.hpp>
#include <webots/Sketch.hpp>

using namespace webots;

static const double SPEED = 6.0;   // rad/s of the wheels
static const double TURN = 3.0;    // rad/s
static const double NEAR = 600.0;  // readings are higher if a white obstacle is nearer than 32 cm
static const double FREE = 300.0;  // readings are lower if no white obstacle is nearer than 56 cm
static const int LONGER = 400;     // ms to keep turning when the way is clear

static Robot robot;
static Motor *left, *right;
static DistanceSensor *front;
static LED *status;
static int turns;  // remaining steps to turn

static void drive(double leftSpeed, double rightSpeed) {
  left->setVelocity(leftSpeed);
  right->setVelocity(rightSpeed);
}

void setup() {
  left = robot.getMotor("left wheel motor");
  right = robot.getMotor("right wheel motor");
  front = robot.getDistanceSensor("front");
  status = robot.getLED("status");
  left->setPosition(INFINITY);
  right->setPosition(INFINITY);
  front->enable(static_cast<int>(robot.getBasicTimeStep()));
  drive(0, 0);
}

void loop() {
  const double near = front->getValue();
  if (near > (turns > 0 ? FREE : NEAR))
    turns = LONGER / static_cast<int>(robot.getBasicTimeStep());
  else if (turns > 0)
    turns--;
  status->set(turns > 0);
  if (turns > 0)
    drive(-TURN, TURN);
  else
    drive(SPEED, SPEED);
}
