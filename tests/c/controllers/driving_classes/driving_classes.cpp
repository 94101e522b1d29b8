// The controller of tests/peers/driving.py with the classes of C++: it prints the same lines.
#include <cmath>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>
#include <webots/LED.hpp>
#include <webots/Motor.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/vehicle/Car.hpp>

using namespace webots;

enum { LEFT, RIGHT, OFF, SPEED };  // names of a user, which headers of classes leave alone

static const int STEPS = 600;
static const std::vector<std::string> SENSORS = {"right_front_sensor", "left_front_sensor",
                                                 "right_rear_sensor", "left_rear_sensor", "wiper_sensor"};
static const std::vector<std::string> LAMPS = {"right_indicators", "left_indicators", "front_lights",
                                               "rear_lights",      "brake_lights",    "backwards_lights",
                                               "antifog_lights"};
static const std::vector<std::string> MOTORS = {"right_wiper_motor",    "left_wiper_motor",
                                                "steering_wheel_motor", "rpm_needle_motor",
                                                "speed_needle_motor",   "indicator_lever_motor"};
static const std::vector<Car::WheelIndex> WHEELS = {Car::WHEEL_FRONT_RIGHT, Car::WHEEL_FRONT_LEFT,
                                                    Car::WHEEL_REAR_RIGHT, Car::WHEEL_REAR_LEFT};

static void command(Car &car, int count) {
  if (count == 5) {
    car.setCruisingSpeed(30);
    car.setHazardFlashers(true);
    car.setWiperMode(Driver::NORMAL);
  } else if (count == 60) {
    car.setHazardFlashers(false);
    car.setIndicatorPeriod(0.21);
    car.setIndicator(Driver::INDICATOR_RIGHT);
  } else if (count == 100) {
    car.setSteeringAngle(0.1);
  } else if (count == 150) {
    car.setSteeringAngle(0.2);
    car.setWiperMode(Driver::FAST);
  } else if (count == 190) {
    car.setSteeringAngle(0.05);
  } else if (count == 220) {
    car.setSteeringAngle(-0.05);
    car.setThrottle(0.6);
    car.setGear(1);
    car.setDippedBeams(true);
    car.setAntifogLights(true);
  } else if (count == 260) {
    car.enableIndicatorAutoDisabling(false);
    car.setIndicator(Driver::INDICATOR_LEFT);
    car.setSteeringAngle(-0.2);
    car.setWiperMode(Driver::SLOW);
  } else if (count == 300) {
    car.setGear(car.getGearNumber() - 1);
    car.setSteeringAngle(0);
    car.enableLimitedSlipDifferential(false);
  } else if (count == 350) {
    car.setThrottle(0);
    car.setBrakeIntensity(0.7);
    car.setIndicator(Driver::INDICATOR_OFF);
  } else if (count == 400) {
    car.setRightSteeringAngle(0.15);
    car.setLeftSteeringAngle(0.12);
    car.setWiperMode(Driver::DOWN);
  } else if (count == 480) {
    car.setBrakeIntensity(0);
    car.setGear(-1);
    car.setThrottle(0.4);
    car.setAntifogLights(false);
  } else if (count == 540) {
    car.setCruisingSpeed(-5);
  }
}

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return std::isnan(value) ? "NaN" : text;
}

static std::string truth(bool value) { return value ? "true" : "false"; }

static std::string list(const std::vector<std::string> &items) {
  std::string text;
  for (const std::string &one : items) text += (text.empty() ? "" : ", ") + one;
  return "[" + text + "]";
}

static std::string numbers(std::initializer_list<double> values) {
  std::vector<std::string> items;
  for (double one : values) items.push_back(number(one));
  return list(items);
}

template <typename Item>
static std::string each(const std::vector<Item> &items, std::function<double(Item)> value) {
  std::vector<std::string> made;
  for (Item one : items) made.push_back(number(value(one)));
  return list(made);
}

static void print(std::initializer_list<std::pair<std::string, std::string>> entries) {
  std::string text;
  for (const auto &one : entries)
    text += (text.empty() ? "" : ", ") + ("\"" + one.first + "\": ") + one.second;
  std::printf("{%s}\n", text.c_str());
}

static std::string mode(Driver &driver) {
  const Driver::ControlMode found = driver.getControlMode();
  return found == Driver::UNDEFINED_CONTROL_MODE ? "null" : number(found);
}

static void print_row(Car &car) {
  print({
      {"time", number(car.getTime())},
      {"speed", number(car.getCurrentSpeed())},
      {"angles", numbers({car.getSteeringAngle(), car.getRightSteeringAngle(), car.getLeftSteeringAngle()})},
      {"positions",
       each<std::string>(SENSORS, [&](std::string name) { return car.getPositionSensor(name)->getValue(); })},
      {"encoders",
       each<Car::WheelIndex>(WHEELS, [&](Car::WheelIndex wheel) { return car.getWheelEncoder(wheel); })},
      {"speeds",
       each<Car::WheelIndex>(WHEELS, [&](Car::WheelIndex wheel) { return car.getWheelSpeed(wheel); })},
      {"lamps", each<std::string>(LAMPS, [&](std::string name) { return car.getLED(name)->get(); })},
      {"motors",
       each<std::string>(MOTORS, [&](std::string name) { return car.getMotor(name)->getTargetPosition(); })},
      {"lights", list({truth(car.getBackwardsLights()), truth(car.getBrakeLights()),
                       truth(car.getDippedBeams()), truth(car.getAntifogLights())})},
      {"indicator",
       list({number(car.getIndicator()), truth(car.getHazardFlashers()), number(car.getIndicatorPeriod())})},
      {"mode", mode(car)},
      {"wipers", number(car.getWiperMode())},
      {"brake", number(car.getBrakeIntensity())},
      {"targets", numbers({car.getTargetCruisingSpeed(), car.getThrottle()})},
      {"engine",
       car.getControlMode() == Driver::TORQUE ? numbers({car.getRpm(), double(car.getGear())}) : "[]"},
  });
}

int main() {
  if (!Driver::isInitialisationPossible()) return 1;
  Car *car = new Car();
  for (const std::string &name : SENSORS) car->getPositionSensor(name)->enable(10);
  print({{"kind",
          numbers({double(car->getType()), double(car->getEngineType()), double(car->getGearNumber())})},
         {"lengths", numbers({car->getWheelbase(), car->getTrackFront(), car->getTrackRear()})},
         {"radii", numbers({car->getFrontWheelRadius(), car->getRearWheelRadius()})}});
  for (int count = 0; count < STEPS && car->step() != -1; ++count) {
    command(*car, count);
    print_row(*car);
  }
  delete car;
  return 0;
}
