/* The driver of a car. */
#include <webots/vehicle/driver.h>

#include <webots/vehicle/Driver.hpp>

namespace webots {

Driver::Driver() { wbu_driver_init(); }

}  // namespace webots
