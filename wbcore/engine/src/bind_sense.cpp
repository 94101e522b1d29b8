// Bindings of measurements and of the pass over the due sensors of a robot.
#include <numeric>

#include "bind.h"
#include "sense/position_source.h"
#include "sense/ray_sources.h"
#include "sense/sample_pass.h"

namespace wb {
namespace {

using namespace nb::literals;

Distances distances(const std::vector<double> &weights, double range, double scale,
                    const Response &response) {
  require(!weights.empty(), "number of weights", "1 or more", 0);
  require_positive("scale", scale);
  return {weights, range, scale, response};
}

void check_count(size_t rays, size_t weights) {
  require(rays == weights, "number of rays", "that of the weights", static_cast<double>(rays));
}

nb::typed<nb::tuple, nb::any, nb::ellipsis> measured(Source &source, double elapsed) {
  if (!source.is_usable()) throw HandleError("this measures an object that was removed or has changed");
  const std::vector<int> parts = source.parts();
  std::vector<double> numbers(std::accumulate(parts.begin(), parts.end(), size_t{0}));
  source.measure(elapsed, numbers.data());
  return nb::borrow<nb::typed<nb::tuple, nb::any, nb::ellipsis>>(values_of(parts, numbers.data()));
}

template <class T>
void bind_distance(nb::module_ &m, const char *name, const char *doc) {
  nb::class_<T, Source>(m, name, doc)
      .def(
          "__init__",
          [](T *made, const RaysHandle &rays, const std::vector<double> &weights, double range, double scale,
             const Response &response) {
            check_count(rays.get().lengths.size(), weights.size());
            new (made) T(rays, distances(weights, range, scale, response));
          },
          "rays"_a, "weights"_a, "range"_a, "scale"_a, "response"_a);
}

void bind_response(nb::module_ &m) {
  nb::class_<Response>(m, "Response", "A lookup table with noise, and a resolution.")
      .def(
          nb::init<std::vector<std::array<double, 3>>, double>(), "rows"_a, "resolution"_a,
          "rows: input, output, relative standard deviation of the noise; without rows the output equals the "
          "input. resolution: step between values, 0 or less for none.")
      .def_prop_ro("rows", &Response::rows, "The rows, inputs ascending.")
      .def_prop_ro("resolution", &Response::resolution)
      .def(
          "look_up",
          [](const Response &r, double value) {
            const Response::Found found = r.look_up(value);
            return std::make_tuple(found.output, found.noise);
          },
          "value"_a, "Output and noise, interpolated between rows; outside, those of the first or last row.");
  m.def("rounded", &rounded, "value"_a, "resolution"_a,
        "The nearest multiple of a resolution (0 or less: the value itself). As in Webots, halves and "
        "fractions "
        "of negative values are rounded up.");
}

void bind_sources(nb::module_ &m) {
  nb::class_<Source>(
      m, "Source",
      "What a sensor measures. Distance sources have a weight for each ray, the range of rays that "
      "hit nothing (m), the scale of the sensor's frame, and a response.")
      .def_prop_ro("is_usable", &Source::is_usable,
                   "False if what it measures was removed, or has changes that it does not know.")
      .def("measure", &measured, "elapsed"_a,
           "The values of a message. `elapsed`: seconds since the last measurement, infinite after a reset.");
  bind_distance<MeanDistance>(m, "MeanDistance", "The weighted mean of the distances that rays measure.");
  bind_distance<Echo>(m, "Echo", "The distance of the nearest surface that faces its ray.");
  nb::class_<Reflection, Source>(
      m, "Reflection",
      "The weighted distance of visible surfaces, increased by the share of red light "
      "that they do not reflect.")
      .def(
          "__init__",
          [](Reflection *made, std::shared_ptr<SceneRays> rays, const std::vector<double> &weights,
             double range, double scale, const Response &response, double sensitivity) {
            check_count(rays->directions.size(), weights.size());
            new (made) Reflection(std::move(rays), distances(weights, range, scale, response), sensitivity);
          },
          "rays"_a, "weights"_a, "range"_a, "scale"_a, "response"_a, "sensitivity"_a);
  nb::class_<JointPosition, Source>(m, "JointPosition",
                                    "The position of a joint's axis or a track (rad or m).")
      .def(nb::init<AxisHandle, double, double>(), "measured"_a, "noise"_a, "resolution"_a)
      .def(nb::init<TrackHandle, double, double>(), "measured"_a, "noise"_a, "resolution"_a,
           "measured: an axis or a track; noise: standard deviation; resolution: -1 for none.");
}

std::string text(const nb::bytes &bytes) { return {bytes.c_str(), bytes.size()}; }

nb::bytes packet(SamplePass &pass, double seconds) {
  const std::string made = pass.packet(seconds);
  return nb::bytes(made.data(), made.size());
}

using SampleRow = nb::typed<nb::tuple, int, nb::typed<nb::tuple, nb::any, nb::ellipsis>>;

nb::typed<nb::list, SampleRow> values(SamplePass &pass, bool only_waiting) {
  nb::list found;
  for (size_t i = 0; i < pass.entries().size(); ++i) {
    SamplePass::Entry &one = pass.entries()[i];
    if (!(only_waiting ? one.waits : one.has_values)) continue;
    if (only_waiting) one.waits = false;
    found.append(nb::make_tuple(i, pass.values(one)));
  }
  return nb::borrow<nb::typed<nb::list, SampleRow>>(found);
}

std::vector<double> lasts(SamplePass &pass) {
  std::vector<double> found;
  for (const SamplePass::Entry &one : pass.entries()) found.push_back(one.last);
  return found;
}

int traverse_sources(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    for (SamplePass::Entry &one : nb::inst_ptr<SamplePass>(self)->entries()) Py_VISIT(one.owner.ptr());
  return 0;
}

int clear_sources(PyObject *self) {
  nb::inst_ptr<SamplePass>(self)->clear();
  return 0;
}

PyType_Slot source_slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse_sources)},
                              {Py_tp_clear, reinterpret_cast<void *>(clear_sources)},
                              {0, nullptr}};

}  // namespace

void bind_sense(nb::module_ &m) {
  bind_response(m);
  bind_sources(m);
  nb::class_<SamplePass>(m, "SamplePass", "Samples the due sensors of a robot in one call, in their order.",
                         nb::type_slots(source_slots))
      .def(nb::init<>())
      .def(
          "add",
          [](SamplePass &pass, nb::typed<nb::object, Source> source, const nb::bytes &head, double period,
             double last) { pass.add(source, nb::cast<Source *>(source), text(head), period, last); },
          "source"_a, "head"_a, "period"_a, "last"_a,
          "Adds a sensor: what it measures, the bytes before its numbers in an answer, its sampling period "
          "and "
          "the time of its last sample (ms).")
      .def(
          "set_time_head", [](SamplePass &pass, const nb::bytes &head) { pass.set_time_head(text(head)); },
          "head"_a, "The bytes before the time in an answer.")
      .def("sample", &SamplePass::sample, "now"_a,
           "Samples what is due (ms). False, without any effect, if a due source is not usable.")
      .def("sample_timed", &SamplePass::sample_timed, "now"_a,
           "As `sample`, for profiles: the durations (ns) by sensor, -1 if not due; None instead of False.")
      .def_prop_ro("waits", &SamplePass::waits, "True if values wait for the controller.")
      .def(
          "packet", &packet, "seconds"_a,
          "An answer for a local connection with the time and the waiting values, which then no longer wait.")
      .def(
          "take", [](SamplePass &pass) { return values(pass, true); },
          "The waiting values with their sensors' numbers; they no longer wait.")
      .def(
          "latest", [](SamplePass &pass) { return values(pass, false); },
          "The newest values, waiting or not, with their sensors' numbers.")
      .def_prop_ro("lasts", &lasts, "The times of the last samples (ms).");
}

}  // namespace wb
