/* The robot behind the API: devices, time, steps, and the exchange of packets with the simulator. */
#ifndef ROBOT_H
#define ROBOT_H

#include <webots/mouse_state.h>

#include "connection.h"
#include "device.h"
#include "hosted_calls.h"
#include "node_types.h"
#include "report.h"

#define KEPT_KEYS 255

#define BATTERY_PERIOD 31 /* the command that sets the battery's sampling period */
#define NEW_DEVICES 15    /* the message that appends devices */

struct Car;
struct Driver;
struct Scene;
struct WindowPlugin;
struct WbMotionInternal;

typedef struct {
  int period;
  int32_t keys[KEPT_KEYS];
  int next, count;
} Keyboard;

typedef struct {
  int period;
  bool with_position;
  WbMouseState state;
} Mouse;

/* Values of a joystick. */
typedef struct {
  int32_t *items;
  int count;
} Numbers;

typedef struct {
  int period, number_of_axes, number_of_buttons, number_of_povs;
  char *model;
  Numbers buttons, axes, povs;
  int next_button;
} Joystick;

/* A message from the robot window. */
typedef struct WindowMessage {
  struct WindowMessage *next;
  size_t size;
  char text[];
} WindowMessage;

typedef struct {
  WindowMessage *received, *last, *read; /* `read`: last message returned to the controller */
} Window;

/* A supervisor's own node. */
typedef struct {
  bool expected, known, is_proto, in_proto;
  uint32_t id, parent;
  char *model, *def_name;
} Own;

/* A library in this process that has a copy of the robot: adds its commands to requests, takes answers. */
typedef struct {
  void (*add)(Buffer *request);
  void (*take)(const unsigned char *data, size_t size);
} Relay;

typedef struct Robot {
  Connection *connection;
  Packet packet;
  Buffer request;
  Dialect dialect;
  /* Handles a message from the simulator to the robot itself; false if the code is unknown. */
  bool (*take)(struct Robot *robot, unsigned code, Reader *in);
  Device self;   /* commands of the robot node */
  Buffer queued; /* queued commands of the robot node, in the order of the calls */
  Device **devices;
  uint64_t *busy;   /* bits of the tags of devices with something for the next packet */
  int device_count; /* including the robot, which has tag 0 */
  char *name, *version, *project_path, *world_path, *model, *window_library, *remote_library, *controller;
  char *custom_data, *urdf;
  char *arguments; /* NULL: not asked for yet */
  double time, basic_time_step;
  bool supervisor, synchronization, shows_window;
  int simulation_mode, duration, events;
  int mode;             /* simulation or remote control */
  bool has_gateway;     /* remote control was used: the connection leads to the gateway */
  Buffer configuration; /* the messages with all devices, for the gateway */
  bool has_event;
  Own own;
  bool holds_images; /* until the step has ended */
  bool has_hearers;  /* devices that want to know when an answer was taken */
  bool stepping, quitting, told, closed, leaving;
  bool is_left; /* by a signal, the program no longer waits for the step; it goes on with the next call */
  Keyboard keyboard;
  Mouse mouse;
  Joystick joystick;
  Window window;
  double battery;
  int battery_period;
  double wheel_speeds[2], wheel_offsets[2]; /* of a DifferentialWheels: left, right */
  int owner;                                /* the process that cleans up, by system_process; 0: none */
  Reported reported;                        /* messages */
  struct WindowPlugin *window_plugin;       /* NULL: none */
  Relay relay;                              /* NULL: none */
  struct Scene *scene;
  struct WbMotionInternal *motions;
  struct Car *car; /* of the vehicle library, once initialized */
  struct Driver *driver;
} Robot;

/* current.c: the robot of this program; ends the program with an error message if there is none. */
Robot *robot_current(void);
bool robot_is_there(void);
void robot_make_current(Robot *robot);

/* session.c */
Robot *robot_new(Connection *connection);
void robot_free(Robot *robot);

/* Begin the conversation over an open connection; the robot becomes the current one. False if that failed. */
bool robot_begin(Connection *connection);

/* commands.c: a command of the robot node for the next packet: replacing one with the same code, or
 * appended to the queue. */
Buffer *robot_command(Robot *robot, int code);
Buffer *robot_queue(Robot *robot, int code);

/* Pending commands as numbers, in the order of their keys. */
typedef struct {
  HostedChange *items;
  size_t count, room;
} Changes;

/* Take all pending commands, which then no longer wait. False, without any effect, if others than commands
   with one number are pending. */
bool changes_take(Changes *changes, Robot *robot);

/* Let the commands wait again. */
void changes_return(const Changes *changes, Robot *robot);

/* Whether a device has something for the next packet, and the first tag of such devices, from one on;
   device_count: there is none. */
void robot_set_busy(Robot *robot, int tag, bool is_busy);
int robot_busy_from(const Robot *robot, int tag);

/* Make room for the bits of tags below `count`; those from `first` on are cleared. */
void robot_make_bits(Robot *robot, int first, int count);

/* Return false, and print a warning, during a step. */
bool robot_may_ask(const Robot *robot, const char *function);

/* True unless, after reporting an error, a mode cannot be set now. */
bool robot_may_set_mode(const Robot *robot, int mode);

/* Add all commands that set a lasting state to the next packet, after a change of mode. */
void robot_resend_lasting(Robot *robot);

/* exchange.c: build a request, send one, receive the answer, or both. */
void robot_pack(Robot *robot, int duration);
void robot_send(Robot *robot, int duration);
int robot_receive(Robot *robot);
bool robot_exchange(Robot *robot);
bool robot_is_over(const Robot *robot); /* no more requests but steps are possible */

/* True in a copy of the process made by fork(): packets of both would mix, so the connection is its parent's.
 */
bool robot_is_copy(const Robot *robot);
void robot_close(Robot *robot);

/* Handle the messages of an answer. Returns NULL or an error. */
const char *robot_take(Robot *robot, const unsigned char *data, size_t size);

/* Take what a step has brought. Returns NULL or an error. */
const char *robot_take_answer(Robot *robot, const HostedAnswer *answer);

/* messages.c: the time (s) of the newest values. */
void robot_take_time(Robot *robot, double time);

/* messages.c: handle a message to the robot node; false if the code is unknown. */
bool robot_take_message(Robot *robot, unsigned code, Reader *in);

/* configure.c: the messages that list devices. */
void robot_take_configure(Robot *robot, Reader *in);
void robot_take_new_devices(Robot *robot, Reader *in);
void robot_forget_devices(Robot *robot);

/* keyboard.c, mouse.c, joystick.c, window.c */
void keyboard_take(Keyboard *keyboard, Reader *in);
void mouse_start(Mouse *mouse);
void mouse_take(Mouse *mouse, Reader *in);
void joystick_start(Joystick *joystick);
void joystick_take(Joystick *joystick, Reader *in);
void joystick_take_state(Joystick *joystick, Reader *in);
void joystick_end(Joystick *joystick);
void window_take(Window *window, Reader *in);
void window_end(Window *window);
void input_enable(Robot *robot, int code, int *period, int wanted, const char *function);

/* Warn once if an input with a sampling period is read while it is disabled; `enable` is the function to
 * call. */
void input_check_enabled(int period, const char *enable, const char *function);

/* motion.c: set the motors of all playing motions, and advance them by a step in ms. */
void motions_play(Robot *robot, int duration);
void motions_end(Robot *robot);

#endif
