// Bindings of packets: apply motor commands, and read and write numbers in bulk.
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

// A packet whose numbers come from a dictionary.
class NumberWriter {
 public:
  NumberWriter(nb::bytes frame, const std::vector<size_t> &places, const std::vector<int64_t> &keys)
      : frame_(frame_of(frame, places)) {
    require_count("number of keys", keys.size(), places.size());
    for (int64_t key : keys) keys_.push_back(nb::int_(key));
  }

  nb::object write(nb::typed<nb::dict, int, double> numbers) {
    if (numbers.size() != keys_.size()) return nb::none();
    for (size_t i = 0; i < keys_.size(); ++i) {
      PyObject *value = PyDict_GetItem(numbers.ptr(), keys_[i].ptr());
      if (!value || !PyFloat_Check(value)) return nb::none();
      frame_.set_number(i, PyFloat_AsDouble(value));
    }
    return nb::bytes(frame_.bytes().data(), frame_.bytes().size());
  }

 private:
  Frame frame_;
  std::vector<nb::int_> keys_;
};

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

// Returns the numbers of a packet; None, without side effects, if the packet is a different one.
nb::object read_numbers(const Frame &frame, nb::bytes packet) {
  if (!frame.fits(packet.c_str(), packet.size())) return nb::none();
  nb::object found = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(frame.count())));
  for (size_t i = 0; i < frame.count(); ++i)
    PyTuple_SetItem(found.ptr(), static_cast<Py_ssize_t>(i),
                    PyFloat_FromDouble(frame.number(packet.c_str(), i)));
  return found;
}

void bind_packets(nb::module_ &m) {
  nb::class_<Frame>(m, "NumberReader", "Packets that differ by their numbers (8 bytes, little endian) only.")
      .def(
          "__init__",
          [](Frame *f, nb::bytes frame, const std::vector<size_t> &places) {
            new (f) Frame(frame_of(frame, places));
          },
          "frame"_a, "places"_a, "frame: a packet; places: where its numbers stand.")
      .def("read", &read_numbers, "packet"_a, "The numbers; None if the packet is a different one.");
  nb::class_<NumberWriter>(m, "NumberWriter", "Makes packets that differ by their numbers only.")
      .def(nb::init<nb::bytes, const std::vector<size_t> &, const std::vector<int64_t> &>(), "frame"_a,
           "places"_a, "keys"_a, "frame: a packet; places: where its numbers stand; keys: of the numbers.")
      .def("write", &NumberWriter::write, "numbers"_a,
           "The packet with the numbers of a dictionary; None if its keys are others, or not all values are "
           "floats.");
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
