/* The types of the binding, and the objects of nodes, fields and other references. */
#include <string.h>
#include <webots/device.h>

#include "../src/node_types.h"
#include "../src/robot.h"
#include "binding.h"

static PyObject *classes[CLASSES];
static const char *const CLASS_NAMES[CLASSES] = {"Node", "Field", "Proto", "DisplayImage", "Motion"};

static PyObject *new_object(PyTypeObject *type, PyObject *args, PyObject *names) {
  (void)names;
  int tag = 0;
  if (args && PyTuple_Size(args) && !read_int(PyTuple_GetItem(args, 0), &tag)) return NULL;
  Object *object = (Object *)PyType_GenericAlloc(type, 0);
  if (object) {
    object->life = use_life(current_life);
    object->tag = tag < 0 || tag > UINT16_MAX ? UINT16_MAX : tag;
  }
  return (PyObject *)object;
}

static void free_object(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  leave_life(((Object *)self)->life);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/* Properties of devices. */

static PyObject *device_name(PyObject *self, void *closure) {
  (void)closure;
  return begin_call(self, false) ? end_call(text(wb_device_get_name(TAG)), false) : NULL;
}

static PyObject *device_model(PyObject *self, void *closure) {
  (void)closure;
  return begin_call(self, false) ? end_call(text(wb_device_get_model(TAG)), false) : NULL;
}

static PyObject *device_node_type(PyObject *self, void *closure) {
  (void)closure;
  return begin_call(self, false) ? end_call(text(node_type_name(wb_device_get_node_type(TAG))), false) : NULL;
}

static PyObject *device_tag(PyObject *self, void *closure) {
  (void)closure;
  return PyLong_FromLong(TAG);
}

static PyGetSetDef device_properties[] = {{"name", device_name, NULL, NULL, NULL},
                                          {"model", device_model, NULL, NULL, NULL},
                                          {"node_type", device_node_type, NULL, NULL, NULL},
                                          {"tag", device_tag, NULL, NULL, NULL},
                                          {NULL, NULL, NULL, NULL, NULL}};

static PyObject *make_type(PyObject *module, const char *name, PyMethodDef *methods, PyObject *base,
                           PyGetSetDef *properties) {
  char full[64];
  PyOS_snprintf(full, sizeof full, "wbridge.hal.client._native.%s", name);
  PyType_Slot slots[6] = {{Py_tp_new, (void *)new_object}, {Py_tp_dealloc, (void *)free_object}};
  int used = 2;
  if (methods) slots[used++] = (PyType_Slot){Py_tp_methods, methods};
  if (properties) slots[used++] = (PyType_Slot){Py_tp_getset, properties};
  PyType_Spec spec = {full, sizeof(Object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject *type = PyType_FromSpecWithBases(&spec, base);
  if (type && PyModule_AddObjectRef(module, name, type)) Py_CLEAR(type);
  return type;
}

static void use_class(int class, PyObject *type) {
  Py_INCREF(type);
  Py_XDECREF(classes[class]);
  classes[class] = type;
}

bool binding_add_types(PyObject *module) {
  PyObject *base = make_type(module, "Object", NULL, NULL, NULL);
  PyObject *device = base ? make_type(module, "Device", NULL, base, device_properties) : NULL;
  bool is_fine = device != NULL;
  for (const TypeEntry *entry = type_entries; is_fine && entry->name; ++entry) {
    PyObject *type =
        make_type(module, entry->name, entry->methods, entry->is_device ? device : base, entry->properties);
    is_fine = type != NULL;
    for (int i = 0; i < CLASSES; ++i) {
      if (is_fine && !strcmp(entry->name, CLASS_NAMES[i])) use_class(i, type);
    }
    Py_XDECREF(type);
  }
  Py_XDECREF(device);
  Py_XDECREF(base);
  return is_fine;
}

PyObject *use_classes(PyObject *self, PyObject *given) {
  (void)self;
  for (int i = 0; i < CLASSES; ++i) {
    PyObject *class = PyDict_GetItemString(given, CLASS_NAMES[i]);
    if (class) use_class(i, class);
  }
  return none();
}

static PyObject *new_reference(Class class, void *reference) {
  PyObject *object = PyObject_CallObject(classes[class], NULL);
  if (object) ((Object *)object)->reference = reference;
  return object;
}

/* The one object of a node, field or PROTO while the program has it. What it stands for lasts as long as the
   robot. */
static PyObject *kept_object(Class class, void *reference) {
  PyObject *objects = current_life->objects, *address = PyLong_FromVoidPtr(reference);
  PyObject *known = address ? PyDict_GetItem(objects, address) : NULL;
  /* A call of a weak reference gives the object, or None after its end; newer versions of Python have no
     function for it that older ones have, too. */
  PyObject *object = known ? PyObject_CallNoArgs(known) : NULL;
  if (object == Py_None) Py_CLEAR(object);
  if (!object && address && !PyErr_Occurred() && (object = new_reference(class, reference))) {
    PyObject *weak = PyWeakref_NewRef(object, NULL);
    if (!weak || PyDict_SetItem(objects, address, weak)) Py_CLEAR(object);
    Py_XDECREF(weak);
  }
  Py_XDECREF(address);
  return object;
}

PyObject *object_of(Class class, void *reference) {
  if (!reference) return none();
  return class <= PROTO ? kept_object(class, reference) : new_reference(class, reference);
}

bool reference_of(Class class, const char *name, PyObject *given, void **reference) {
  const int is_of_class = PyObject_IsInstance(given, classes[class]);
  if (is_of_class < 0) return false;
  if (!is_of_class) {
    PyErr_Format(PyExc_TypeError, "'%s' must be of type %s, not %R", name, CLASS_NAMES[class], given);
    return false;
  }
  if (((Object *)given)->life != current_life) return refuse_call(((Object *)given)->life);
  *reference = ((Object *)given)->reference;
  return true;
}
