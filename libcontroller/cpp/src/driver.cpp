/* The driver of a car, which is a robot that knows its car. */
#include <webots/vehicle/Driver.hpp>
#include <webots/vehicle/driver.h>

namespace webots {

Driver::Driver() {
  wbu_driver_init();
}

}
