/* The binding for Python: methods that call functions of the API, by Python's stable ABI.

   generated/methods.c has a method for each function. An object stands for the robot, a device (by its tag),
   or what the supervisor sees (by its reference). Calls are made with the interpreter's lock, which only
   waits release. */
#ifndef BINDING_H
#define BINDING_H

#define PY_SSIZE_T_CLEAN
#ifdef __EMSCRIPTEN__ /* Python of a page is newer, and lends the memory of objects */
#define Py_LIMITED_API 0x030B0000
#else
#define Py_LIMITED_API 0x030A0000
#endif
#include <Python.h>
#include <stdbool.h>
#include <webots/types.h>

#define MOST_PARAMETERS 8
#define MOST_NUMBERS 6

typedef enum { IS_DOUBLE, IS_INT, IS_BOOL, IS_TEXT, IS_NUMBERS, IS_REFERENCE, IS_ANY } ParameterKind;

/* What a parameter takes, and its value if it is left out. */
typedef struct {
  const char *name;
  ParameterKind kind;
  int size; /* of an array; or the Class of a reference */
  bool optional;
  int whole;
  const char *text;
} Parameter;

/* A value for the API. */
typedef struct {
  double number;
  int whole;
  const char *text;
  void *reference;
  PyObject *object; /* borrowed; NULL if left out */
  double *numbers;  /* NULL for None */
  double room[MOST_NUMBERS];
} Argument;

/* Classes of objects that calls return. Python programs replace the types by classes derived from them. */
typedef enum { NODE, FIELD, PROTO, IMAGE, MOTION, CLASSES } Class;

/* A robot, as long as objects refer to it. */
typedef struct {
  struct Robot *robot; /* NULL: it is gone, and the objects are of no use */
  PyObject *objects;   /* of its nodes, fields and PROTOs, by address */
  PyObject *window;    /* calls a function of the plugin of its window; NULL: there is none */
  PyObject *adder;     /* of the relay to another library: returns commands */
  PyObject *taker;     /* of the relay: takes answers */
  bool is_hosted;      /* a simulator in this process runs its controller */
  int users;
} Life;

typedef struct {
  PyObject_HEAD Life *life; /* NULL: there was no robot */
  int tag;
  void *reference;
} Object;

/* A type, in generated/methods.c. */
typedef struct {
  const char *name;
  PyMethodDef *methods;
  bool is_device;
  PyGetSetDef *properties;
} TypeEntry;

extern const TypeEntry type_entries[];

/* life.c: the robot on which the API acts; NULL: there is none. */
extern Life *current_life;
void begin_life(bool is_hosted); /* of the library's current robot */
void end_life(void);
bool enter_life(Life *life); /* make its robot the current one; false, with an exception, if it is gone */
Life *use_life(Life *life);
void leave_life(Life *life);
bool refuse_call(const Life *life);

/* session.c */
extern bool has_trouble;   /* the program ends, or a signal has raised an exception */
extern PyObject *no_robot; /* an exception of wbridge.hal.client.errors */
PyObject *failed(PyObject *result);
void begin_turn(void);
void end_turn(void);

/* hosted.c */
PyObject *attach(PyObject *self, PyObject *args);
PyObject *allow_steps(PyObject *self, PyObject *args);

/* True if an object's robot is there; else false, with an exception. `asks`: the call may wait for the
 * simulator. */
static inline __attribute__((always_inline)) bool begin_call(PyObject *self, bool asks) {
  Life *life = ((Object *)self)->life;
  if ((!current_life || life != current_life) && !enter_life(life)) return false;
  if (asks) begin_turn();
  return true;
}

/* The result of a call; NULL, with an exception, if the call has ended the program or was interrupted. */
static inline PyObject *end_call(PyObject *result, bool asks) {
  if (asks) end_turn();
  return has_trouble ? failed(result) : result;
}

/* arguments.c: false, with an exception, if arguments do not fit. */
bool read_arguments(const char *method, const Parameter *parameters, int parameter_count,
                    PyObject *const *args, Py_ssize_t count, PyObject *names, Argument *values);
bool read_int(PyObject *object, int *whole);

/* results.c */
static inline PyObject *none(void) { return Py_NewRef(Py_None); }
PyObject *text(const char *text);   /* None for NULL */
PyObject *string(const char *text); /* "" for NULL */
PyObject *numbers(const double *numbers, int count);
PyObject *numbers_or_none(const double *numbers, int count);
/* A lookup table, whose number of rows is asked only if there is one. */
PyObject *table(const double *first, WbDeviceTag tag, int rows(WbDeviceTag tag));
PyObject *bytes_or_none(const void *data, Py_ssize_t size);

/* objects.c */
bool binding_add_types(PyObject *module);
PyObject *object_of(Class class, void *reference);
PyObject *use_classes(PyObject *self, PyObject *classes);
PyObject *use_mapper(PyObject *self, PyObject *function);
bool reference_of(Class class, const char *name, PyObject *given, void **reference);

#define TAG ((WbDeviceTag)((Object *)self)->tag)
#define REFERENCE (((Object *)self)->reference)

/* Parameters. */
#define DOUBLE(n, ...) {.name = n, .kind = IS_DOUBLE, __VA_ARGS__}
#define INT(n, ...) {.name = n, .kind = IS_INT, __VA_ARGS__}
#define BOOL(n, ...) {.name = n, .kind = IS_BOOL, __VA_ARGS__}
#define TEXT(n, ...) {.name = n, .kind = IS_TEXT, __VA_ARGS__}
#define NUMBERS(n, s) {.name = (n), .kind = IS_NUMBERS, .size = (s)}
#define OBJECT(n, c, ...) {.name = n, .kind = IS_REFERENCE, .size = c, __VA_ARGS__}
#define ANY(n, ...) {.name = n, .kind = IS_ANY, __VA_ARGS__}
#define OPTIONAL .optional = true

#define PARAMETERS PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names

/* The only argument, if it is a float for a double: the most frequent call. */
static inline bool read_number(const Parameter *parameter, PyObject *const *args, Py_ssize_t count,
                               PyObject *names, Argument *value) {
  if (parameter->kind != IS_DOUBLE || count != 1 || names || !PyFloat_CheckExact(args[0])) return false;
  value->number = PyFloat_AsDouble(args[0]);
  return true;
}

/* A method without parameters, and one with parameters, whose values are v[0], v[1] ... */
#define GETTER(name, asks, result)                           \
  static PyObject *name(PyObject *self, PyObject *nothing) { \
    (void)nothing;                                           \
    if (!begin_call(self, asks)) return NULL;                \
    return end_call(result, asks);                           \
  }
#define METHOD(name, asks, result, ...)                                    \
  static PyObject *name(PARAMETERS) {                                      \
    static const Parameter parameters[] = {__VA_ARGS__};                   \
    enum { COUNT = sizeof parameters / sizeof *parameters };               \
    Argument v[COUNT];                                                     \
    if (!(COUNT == 1 && read_number(parameters, args, count, names, v)) && \
        !read_arguments(#name, parameters, COUNT, args, count, names, v))  \
      return NULL;                                                         \
    if (!begin_call(self, asks)) return NULL;                              \
    return end_call(result, asks);                                         \
  }
#define NONE(call) ((call), none())

/* Rows of a table of methods; those with help stand for methods of the API's objects. */
#define ROW_HELP(name, function, help) \
  {name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, help}
#define ROW_WITHOUT_HELP(name, function, help) {name, function, METH_NOARGS, help}
#define ROW(name, function) ROW_HELP(name, function, NULL)
#define ROW_WITHOUT(name, function) ROW_WITHOUT_HELP(name, function, NULL)

#endif
