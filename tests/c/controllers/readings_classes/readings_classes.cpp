// The controller of ../readings with the classes of C++: it prints the same lines.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>
#include <webots/Accelerometer.hpp>
#include <webots/Altimeter.hpp>
#include <webots/Compass.hpp>
#include <webots/DistanceSensor.hpp>
#include <webots/Emitter.hpp>
#include <webots/Field.hpp>
#include <webots/GPS.hpp>
#include <webots/Gyro.hpp>
#include <webots/InertialUnit.hpp>
#include <webots/LED.hpp>
#include <webots/LightSensor.hpp>
#include <webots/Motor.hpp>
#include <webots/Node.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Radar.hpp>
#include <webots/Receiver.hpp>
#include <webots/Supervisor.hpp>
#include <webots/TouchSensor.hpp>

using namespace webots;

static std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

static std::string numbers(const double *values, int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += (i ? ", " : "") + number(values[i]);
  return text + "]";
}

struct Sensor {
  std::string name;
  std::function<std::string()> reading;
};

class Observer : public Supervisor {
 public:
  Observer();
  void printHead();
  void act(int count);
  void printRow(int count);
  const int period;

 private:
  template <typename Kind>
  Kind *start(const std::string &name);
  template <typename Kind>
  void addScalar(const std::string &name);
  template <typename Kind>
  void addVector(const std::string &name);
  template <typename Kind>
  void addWithTable(const std::string &name);

  int started = 0;
  Motor *left, *right, *lift;
  std::vector<Sensor> scalars, vectors;
  std::vector<std::string> tables;
  GPS *gps;
  InertialUnit *imu;
  Radar *radar;
  LED *led;
  Emitter *emitter;
  Receiver *receiver;
  Node *ball;
  Field *place;
};

template <typename Kind>
Kind *Observer::start(const std::string &name) {
  Kind *device = dynamic_cast<Kind *>(getDevice(name));
  device->enable(period * (1 + started++ % 3));
  return device;
}

template <typename Kind>
void Observer::addScalar(const std::string &name) {
  Kind *device = start<Kind>(name);
  scalars.push_back({name, [device] { return number(device->getValue()); }});
}

template <typename Kind>
void Observer::addWithTable(const std::string &name) {
  Kind *device = start<Kind>(name);
  scalars.push_back({name, [device] { return number(device->getValue()); }});
  tables.push_back("\"" + name +
                   "\": " + numbers(device->getLookupTable(), 3 * device->getLookupTableSize()));
}

template <typename Kind>
void Observer::addVector(const std::string &name) {
  Kind *device = start<Kind>(name);
  vectors.push_back({name, [device] { return numbers(device->getValues(), 3); }});
}

Observer::Observer() : period(static_cast<int>(getBasicTimeStep())) {
  left = getMotor("left motor");
  right = getMotor("right motor");
  lift = getMotor("lift");
  for (Motor *wheel : {left, right}) {
    wheel->setPosition(INFINITY);
    wheel->setVelocity(0);
    wheel->enableTorqueFeedback(period);
  }
  lift->enableForceFeedback(2 * period);
  addScalar<PositionSensor>("left encoder");
  addScalar<PositionSensor>("right encoder");
  addScalar<PositionSensor>("lift position");
  addWithTable<DistanceSensor>("generic");
  addScalar<DistanceSensor>("sonar");
  addScalar<DistanceSensor>("laser");
  addWithTable<DistanceSensor>("infra-red");
  addWithTable<LightSensor>("light");
  addScalar<TouchSensor>("bumper");
  addScalar<Altimeter>("altimeter");
  addVector<GPS>("gps");
  addVector<Gyro>("gyro");
  addVector<Accelerometer>("accelerometer");
  addVector<Compass>("compass");
  addVector<TouchSensor>("force");
  gps = getGPS("gps");
  led = getLED("led");
  emitter = getEmitter("emitter");
  imu = start<InertialUnit>("inertial unit");
  radar = start<Radar>("radar");
  receiver = start<Receiver>("receiver");
  batterySensorEnable(period);
}

void Observer::printHead() {
  const double limits[] = {left->getMaxVelocity(), right->getMaxVelocity(), lift->getMaxVelocity(),
                           left->getMaxTorque(), lift->getMaxPosition()};
  std::string names, types, all;
  for (int i = 0; i < getNumberOfDevices(); ++i) {
    const int tag = getDeviceTagFromIndex(i);
    names += (i ? ", \"" : "\"") + getDeviceNameFromTag(tag) + "\"";
    types += (i ? ", " : "") + std::to_string(getDeviceTypeFromTag(tag));
  }
  for (const std::string &one : tables) all += (all.empty() ? "" : ", ") + one;
  std::printf(
      "{\"time step\": %.17g, \"devices\": [%s], \"types\": [%s], \"limits\": %s, \"tables\": {%s}, "
      "\"data\": \"%s\"}\n",
      getBasicTimeStep(), names.c_str(), types.c_str(), numbers(limits, 5).c_str(), all.c_str(),
      getCustomData().c_str());
  ball = getFromDef("BALL");
  place = ball->getField("translation");
}

void Observer::act(int count) {
  const double there[] = {0.1, 0.5, 0.4}, force[] = {0.0, 0.3, 0.0};
  left->setVelocity(4 * std::sin(count / 20.0));
  right->setVelocity(4 * std::sin(count / 25.0));
  lift->setPosition(0.05 + 0.04 * std::sin(count / 15.0));
  led->set(count % 3);
  const std::string message = "step " + std::to_string(count);
  emitter->send(message.c_str(), static_cast<int>(message.size()));
  if (count == 60) place->setSFVec3f(there);
  if (count == 80) ball->addForce(force, false);
  if (count == 90) {
    left->setAcceleration(10);
    setCustomData("ninety");
  }
}

static std::string named(const std::vector<Sensor> &sensors) {
  std::string text;
  for (const Sensor &one : sensors)
    text += (text.empty() ? "\"" : ", \"") + one.name + "\": " + one.reading();
  return text;
}

void Observer::printRow(int count) {
  const double torques[] = {left->getTorqueFeedback(), right->getTorqueFeedback(), lift->getForceFeedback()};
  std::string targets;
  const RadarTarget *seen = radar->getTargets();
  for (int i = 0; i < radar->getNumberOfTargets(); ++i) {
    const double target[] = {seen[i].distance, seen[i].received_power, seen[i].speed, seen[i].azimuth};
    targets += (i ? ", " : "") + numbers(target, 4);
  }
  std::printf("{\"time\": %.17g, \"scalars\": {%s}, \"vectors\": {%s}, \"angles\": %s, \"quaternion\": %s, ",
              getTime(), named(scalars).c_str(), named(vectors).c_str(),
              numbers(imu->getRollPitchYaw(), 3).c_str(),
              numbers(imu->getQuaternion(), count > 4 ? 4 : 0).c_str());
  std::printf("\"speed\": %s, \"torques\": %s, \"battery\": %s, \"targets\": [%s], \"queue\": %d, ",
              number(gps->getSpeed()).c_str(), numbers(torques, 3).c_str(),
              number(batterySensorGetValue()).c_str(), targets.c_str(), receiver->getQueueLength());
  std::printf("\"ball\": %s, \"field\": %s, \"velocity\": %s, \"data\": \"%s\"}\n",
              numbers(ball->getPosition(), 3).c_str(), numbers(place->getSFVec3f(), 3).c_str(),
              numbers(ball->getVelocity(), 6).c_str(), getCustomData().c_str());
}

int main(int argc, char **argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 200;
  Observer robot;
  robot.printHead();
  for (int count = 0; count < steps && robot.step(robot.period) != -1; ++count) {
    robot.act(count);
    robot.printRow(count);
  }
  return 0;
}
