/* The robot behind the API: devices, time, steps, and the exchange of packets with the simulator. */
#ifndef ROBOT_H
#define ROBOT_H

#include <webots/mouse_state.h>

#include "channel.h"
#include "device.h"
#include "node_types.h"

#define KEPT_KEYS 255

#define BATTERY_PERIOD 31 /* the command that sets the sampling period of the battery */
#define NEW_DEVICES 15    /* the message that appends devices */

struct Car;
struct Driver;
struct Scene;
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

/* Numbers of a joystick. */
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

/* A message of the robot's window. */
typedef struct WindowMessage {
  struct WindowMessage *next;
  size_t size;
  char text[];
} WindowMessage;

typedef struct {
  WindowMessage *received, *last, *read; /* `read` is the one that the controller has now */
} Window;

/* A supervisor's own node. */
typedef struct {
  bool expected, known, is_proto, in_proto;
  uint32_t id, parent;
  char *model, *def_name;
} Own;

typedef struct Robot {
  Channel *channel;
  Packet packet;
  Buffer request;
  Dialect dialect;
  /* Takes a message of the simulator for the robot itself; false: there is none with this code. */
  bool (*take)(struct Robot *robot, unsigned code, Reader *in);
  Device self;   /* commands of the robot itself */
  Buffer queued; /* more of them, in the order of the calls */
  Device **devices;
  int device_count; /* with the robot, which has tag 0 */
  char *name, *version, *project_path, *world_path, *model, *window_library, *remote_library, *controller;
  char *custom_data, *urdf;
  double time, basic_time_step;
  bool supervisor, synchronization;
  int simulation_mode, duration, events;
  int mode;             /* what stands behind the API */
  bool has_gateway;     /* remote control was begun: the channel leads to the gateway */
  Buffer configuration; /* the messages with all devices, for the gateway */
  bool has_event;
  Own own;
  bool stepping, quitting, told, closed, leaving;
  Keyboard keyboard;
  Mouse mouse;
  Joystick joystick;
  Window window;
  double battery;
  int battery_period;
  double wheel_speeds[2], wheel_offsets[2]; /* of a DifferentialWheels: left, right */
  struct Scene *scene;
  struct WbMotionInternal *motions;
  struct Car *car; /* of the vehicle library, once it was begun */
  struct Driver *driver;
} Robot;

/* current.c: the robot of this program; without one the program ends with a message. */
Robot *robot_current(void);
bool robot_is_there(void);
void robot_make_current(Robot *robot);

/* session.c */
Robot *robot_new(Channel *channel);
void robot_free(Robot *robot);

/* commands.c: a command of the robot itself for the next packet: in place of one with the same code, or
 * behind all others. */
Buffer *robot_command(Robot *robot, int code);
Buffer *robot_queue(Robot *robot, int code);

/* False, with a warning, while a step is under way. */
bool robot_may_ask(const Robot *robot, const char *function);

/* What lasts waits for the next packet: whoever stands behind the API now has not heard it. */
void robot_resend_lasting(Robot *robot);

/* exchange.c: write and read packets; the two ends of an exchange, or both. */
void robot_send(Robot *robot, int duration);
int robot_receive(Robot *robot);
bool robot_exchange(Robot *robot);
void robot_close(Robot *robot);

/* Take the messages of an answer. NULL, or what is wrong with them. */
const char *robot_take(Robot *robot, const unsigned char *data, size_t size);

/* messages.c: one message of the robot itself; false: there is none with this code. */
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

/* motion.c: give the motors of all motions that play their positions, and go on by a step in ms. */
void motions_play(Robot *robot, int duration);
void motions_end(Robot *robot);

#endif
