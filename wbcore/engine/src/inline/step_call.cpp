// The call by which an inline controller makes a step, in native code as long as nothing needs a packet.
#include "step_call.h"

#include "direct_stepper.h"
#include "replaced.h"

namespace wb {
namespace {

struct StepCall {
  PyObject_HEAD vectorcallfunc call;
  PyObject *slow;       // the method that this replaces
  PyObject *reasons;    // a tuple of containers: if one of them is not empty, the step needs a packet
  PyObject *numbers;    // commands with one number
  PyObject *refused;    // makes a step with a packet
  PyObject *await_end;  // waits for the end of a step that has begun
  PyObject *stepper;    // a DirectStepper, while direct steps are possible; else None
};

constexpr std::array<PyObject * StepCall::*, 5> kParts = {
    &StepCall::reasons, &StepCall::numbers, &StepCall::refused, &StepCall::await_end, &StepCall::stepper};

bool has_reason(PyObject *reasons) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(reasons); ++i)
    if (PyObject_Size(PyTuple_GetItem(reasons, i)) != 0) return true;
  return false;
}

PyObject *call_step(PyObject *self, PyObject *const *args, size_t count, PyObject *names) {
  auto *own = reinterpret_cast<StepCall *>(self);
  const bool is_usual = PyVectorcall_NARGS(count) == 1 && !names && PyLong_CheckExact(args[0]);
  if (!is_usual || own->stepper == Py_None || has_reason(own->reasons))
    return PyObject_Vectorcall(own->slow, args, count, names);
  nb::object stepper = nb::borrow(own->stepper);  // it may be replaced while others run
  int done;
  try {
    done = nb::inst_ptr<DirectStepper>(stepper)->step(nb::borrow<nb::typed<nb::object, int>>(args[0]),
                                                      nb::borrow<Numbers>(own->numbers));
  } catch (nb::python_error &error) {
    error.restore();
    return nullptr;
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
  if (done == 1) return PyLong_FromLong(0);
  return PyObject_Vectorcall(done ? own->await_end : own->refused, args, 1, nullptr);
}

PyObject *make_call(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *slow, *reasons, *numbers, *refused, *await_end;
  if (!PyArg_ParseTuple(args, "OO!O!OO", &slow, &PyTuple_Type, &reasons, &PyDict_Type, &numbers, &refused,
                        &await_end))
    return nullptr;
  auto *made = reinterpret_cast<StepCall *>(PyType_GenericAlloc(type, 0));
  if (!made) return nullptr;
  made->call = call_step;
  made->slow = Py_NewRef(slow);
  made->reasons = Py_NewRef(reasons);
  made->numbers = Py_NewRef(numbers);
  made->refused = Py_NewRef(refused);
  made->await_end = Py_NewRef(await_end);
  made->stepper = Py_NewRef(Py_None);
  return reinterpret_cast<PyObject *>(made);
}

int traverse(PyObject *self, visitproc visit, void *arg) {
  for (const auto part : kParts) Py_VISIT(reinterpret_cast<StepCall *>(self)->*part);
  return Replaced<StepCall>::traverse(self, visit, arg);
}

int clear(PyObject *self) {
  auto *own = reinterpret_cast<StepCall *>(self);
  PyObject *stepper = std::exchange(own->stepper, Py_NewRef(Py_None));
  Py_XDECREF(stepper);
  return Replaced<StepCall>::clear(self);
}

void release(PyObject *self) {
  PyObject_GC_UnTrack(self);
  for (const auto part : kParts) Py_XDECREF(reinterpret_cast<StepCall *>(self)->*part);
  Replaced<StepCall>::release(self);
}

PyObject *get_stepper(PyObject *self, void *) {
  return Py_NewRef(reinterpret_cast<StepCall *>(self)->stepper);
}

int set_stepper(PyObject *self, PyObject *value, void *) {
  if (!value || (value != Py_None && !nb::isinstance<DirectStepper>(value))) {
    PyErr_SetString(PyExc_TypeError, "stepper must be a DirectStepper or None");
    return -1;
  }
  PyObject *former = std::exchange(reinterpret_cast<StepCall *>(self)->stepper, Py_NewRef(value));
  Py_XDECREF(former);
  return 0;
}

PyGetSetDef attributes[] = {
    {"__wrapped__", Replaced<StepCall>::wrapped, nullptr, nullptr, nullptr},
    {"stepper", get_stepper, set_stepper, "Makes direct steps; None while that is not possible.", nullptr},
    {}};
PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(StepCall, call), READONLY, nullptr},
                         {}};

}  // namespace

void bind_step_call(nb::module_ &m) {
  make_type(m, "wbridge.wbcore.engine._engine.StepCall", sizeof(StepCall), kCallable,
            {{Py_tp_new, slot(make_call)},
             {Py_tp_call, slot(PyVectorcall_Call)},
             {Py_tp_dealloc, slot(release)},
             {Py_tp_traverse, slot(traverse)},
             {Py_tp_clear, slot(clear)},
             {Py_tp_getattro, slot(Replaced<StepCall>::attribute)},
             {Py_tp_doc, doc("Makes a step by a call.")},
             {Py_tp_getset, attributes},
             {Py_tp_members, members}});
}

}  // namespace wb
