// Bindings of the steps of inline controllers, and of what the process keeps for each of them.
#include "collected.h"
#include "inline/direct_round.h"

namespace wb {
namespace {

void bind_process_fields(nb::module_ &m) {
  nb::class_<ProcessFields>(
      m, "ProcessFields",
      "What Python keeps once per process, for an inline controller; None: the controller "
      "has none of its own.",
      nb::type_slots(Collected<ProcessFields>::slots))
      .def(nb::init<nb::object, nb::object, nb::object, nb::object, nb::object>(), "main"_a.none(),
           "argv"_a.none(), "path"_a.none(), "stdout"_a.none(), "stderr"_a.none())
      .def("exchange", &ProcessFields::exchange, "Exchanges the fields with those of the process.")
      .def("hand_over", &ProcessFields::hand_over, "next"_a,
           "Gives the process from this controller to another one. False, without any effect, if that needs "
           "more than these fields.")
      .def("count_modules", &ProcessFields::count_modules,
           "Notes the number of loaded modules, for `has_imported`.")
      .def_prop_ro("has_imported", &ProcessFields::has_imported,
                   "True if modules were loaded or removed since `count_modules`.")
      .def("set_light", &ProcessFields::set_light, "folder"_a, "environment"_a, "values"_a,
           "Allows `hand_over`. folder: the current one; environment: variables of the controller's own, as "
           "pairs of bytes, the same object for equal ones; values: all variables of the process.")
      .def("set_heavy", &ProcessFields::set_heavy, "Forbids `hand_over`.");
}

void bind_round(nb::module_ &m) {
  nb::class_<DirectRound>(m, "DirectRound",
                          "Direct steps of several inline controllers, without the scheduler between them.",
                          nb::type_slots(Collected<DirectRound>::slots))
      .def(nb::init<nb::typed<nb::object, PyWorld>, DirectRound::Space, nb::object, nb::object, nb::object>(),
           "world"_a, "space"_a, "holder"_a, "enter"_a, "to_hub"_a,
           "space: where the API keeps the active robot and connection, as _robot and _connect; holder: its "
           "attribute `active` is the state that has the process; enter: gives the process to a state; "
           "to_hub: switches to the scheduler.")
      .def("add", &DirectRound::add, "stepper"_a, "resume"_a, "deliver"_a, "process"_a, "state"_a, "robot"_a,
           "connection"_a,
           "Adds a controller. resume: switches to it; deliver: informs it that its values were told, if it "
           "does not wait in a direct step; process, state: those of its process state; robot, connection: "
           "of the API.")
      .def(
          "open",
          [](nb::handle_t<DirectRound> self, double before, uint64_t since, double dt,
             const std::vector<std::optional<double>> &asked) {
            nb::cast<DirectRound &>(self).open(nb::borrow(self), {before, since, dt}, asked);
          },
          "before"_a, "since"_a, "dt"_a, "asked"_a,
          "All controllers are about to go on. The clock is at `before` (s) at step `since`. asked: times "
          "(ms) of their last requests.")
      .def("run", &DirectRound::run, "steps"_a, "seconds"_a,
           "Runs the controllers, and makes up to `steps` basic steps within `seconds` of real time. Returns "
           "when one needs the scheduler, or when all wait for the end of a step.")
      .def_prop_ro("running", &DirectRound::running,
                   "The number of the controller that needs the scheduler; -1 if all wait.")
      .def_prop_ro("made", &DirectRound::made, "The number of basic steps since `open`.")
      .def_prop_ro("is_broken_off", &DirectRound::is_broken_off,
                   "True if the last step failed, or if some sensors were not sampled after it.")
      .def(
          "close", &DirectRound::close,
          "Ends the direct steps. Returns for each controller the times (ms) of its last request, of the end "
          "of its step unless that has ended, and of the last values it got, or None.")
      .def("raise_failure", &DirectRound::raise_failure, "Raises the error of the last step, if it failed.");
}

using Changes = std::vector<std::tuple<int64_t, double>>;
using Sample = std::tuple<unsigned, unsigned, std::vector<double>>;

int step_of(DirectStepper &stepper, int duration, const Changes &changes) {
  std::vector<HostedChange> all;
  for (const auto &[key, number] : changes) all.push_back({key, number});
  return stepper.step(duration, all.data(), all.size());
}

std::tuple<double, std::vector<Sample>> answer_of(const DirectStepper &stepper) {
  const HostedAnswer &answer = stepper.answer();
  std::vector<Sample> samples;
  for (size_t i = 0; i < answer.count; ++i) {
    const HostedSample &one = answer.samples[i];
    samples.emplace_back(one.tag, one.code, std::vector<double>(one.numbers, one.numbers + one.count));
  }
  return {answer.time, samples};
}

}  // namespace

void bind_direct_stepper(nb::module_ &m) {
  nb::class_<DirectStepper>(m, "DirectStepper", "Steps of a robot whose controller runs in the same thread.",
                            nb::type_slots(Collected<DirectStepper>::slots))
      .def(nb::init<nb::typed<nb::object, PyWorld>>(), "world"_a)
      .def("add_target", &DirectStepper::add_target, "key"_a, "motor"_a, "is_velocity"_a,
           "Adds a motor's command with its key, which has the tag above 16 bits with the code. Add commands "
           "in the order of their keys.")
      .def("add_switch", &DirectStepper::add_switch, "key"_a, "execute"_a,
           "Adds a command with an integer that `execute` carries out when it changes. It returns whether "
           "further direct steps are possible; if not, a packet repeats the commands.")
      .def("set_sensors", &DirectStepper::set_sensors, "sensors"_a, "Sets the pass over all enabled sensors.")
      .def_prop_ro("calls", &DirectStepper::calls,
                   "A capsule with the calls for the client: step and answer.")
      .def("step", &step_of, "duration"_a, "changes"_a,
           "Applies commands, given by key, and simulates `duration` ms. Returns 1 if the step is done; 0 if "
           "the "
           "request needs a packet, without any effect; -1 if the step has begun and others finish it.")
      .def_prop_ro("answer", &answer_of,
                   "What the last step has brought: the time (s), and tag, code and numbers of each sensor.")
      .def("share", &DirectStepper::share, "before"_a, "since"_a, "dt"_a, "asked"_a.none(),
           "Allows the client to begin steps that others make; `tell` ends them. The clock is at `before` "
           "(s) at step `since`. `asked`: time (ms) of the last "
           "request.")
      .def(
          "begun", &DirectStepper::begun,
          "The times (ms) of the last request and of its end, once after a shared step has begun; else None.")
      .def("tell", &DirectStepper::tell, "Prepares the answer with the time and the values that wait.");
  bind_process_fields(m);
  bind_round(m);
}

}  // namespace wb
