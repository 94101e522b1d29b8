// Bindings of packets that set targets of motors.
#include "bind.h"
#include "packets.h"

namespace wb {

namespace {

using namespace nb::literals;

void require_count(const char *what, size_t count, size_t wanted) {
  require(count == wanted, what, "as many as places", static_cast<double>(count));
}

Frame frame_of(nb::bytes frame, const std::vector<size_t> &places) {
  return Frame(std::string(frame.c_str(), frame.size()), places);
}

// Commands that set positions and velocities.
class MotorPacket {
 public:
  MotorPacket(nb::bytes frame, const std::vector<size_t> &places, const std::vector<MotorHandle> &motors,
              const std::vector<bool> &velocities)
      : frame_(frame_of(frame, places)), velocities_(velocities), motors_(motors) {
    require_count("number of motors", motors.size(), places.size());
    require_count("number of flags", velocities.size(), places.size());
  }

  nb::object take(nb::bytes packet) const {
    const char *data = packet.c_str();
    if (!frame_.fits(data, packet.size())) return nb::none();
    for (size_t i = 0; i < motors_.size(); ++i) {
      const double value = frame_.number(data, i);
      if (velocities_[i] ? !std::isfinite(value) : std::isnan(value)) return nb::none();
    }
    std::vector<size_t> cut;
    for (size_t i = 0; i < motors_.size(); ++i) {
      const double value = frame_.number(data, i);
      Motor &motor = motors_[i].get();
      if (velocities_[i] ? motor.set_velocity(value) : motor.set_position(value)) cut.push_back(i);
      motors_[i].wake();
    }
    return cut.empty() ? nb::object(nb::tuple()) : nb::object(nb::tuple(nb::cast(cut)));
  }

 private:
  Frame frame_;
  std::vector<bool> velocities_;
  std::vector<MotorHandle> motors_;
};

}  // namespace

void bind_packets(nb::module_ &m) {
  nb::class_<MotorPacket>(m, "MotorPacket",
                          "Packets with targets of motors, which differ by their numbers (8 bytes, little "
                          "endian) only.")
      .def(nb::init<nb::bytes, const std::vector<size_t> &, const std::vector<MotorHandle> &,
                    const std::vector<bool> &>(),
           "frame"_a, "places"_a, "motors"_a, "velocities"_a,
           "frame: a packet; places: where its numbers stand; for each of them a motor, and whether it is a "
           "velocity (else a position).")
      .def("take", &MotorPacket::take, "packet"_a,
           "Sets all targets: the indices of those that were cut to limits. None, and nothing is set, if it "
           "is another packet, or a number is none that may be set.");
}

}  // namespace wb
