/* The controller's view of a device: constants, latest values, and pending commands. */
#ifndef DEVICE_H
#define DEVICE_H

#include <webots/types.h>

#include "bytes.h"
#include "report.h"

#define ENABLE 1    /* the command that sets a sampling period */
#define CONSTANTS 0 /* the message with the constants */
#define MAX_PERIOD 65535
#define LONGEST_TEXT 65534 /* maximum size of a string with a 16-bit length, in bytes */

struct Robot;
typedef struct Device Device;

/* The common properties of the devices of a kind; entries may be NULL. */
typedef struct {
  const char *class_name;
  size_t size;
  bool wide; /* commands have 16-bit codes */
  /* Functions of another kind that also accept this one, as in Webots 8; the last entry is NULL. */
  const char *const *former;
  /* Set initial values other than zero. */
  void (*start)(Device *device);
  /* Handle a message from the simulator; false if the code is unknown. */
  bool (*take)(Device *device, unsigned code, Reader *in);
  /* Take the pixels of a chunk; the device owns them. */
  void (*take_chunk)(Device *device, unsigned code, unsigned char *pixels, size_t size);
  /* Write the pending commands, if they are more than those of device_command. */
  void (*flush)(Device *device, Buffer *out);
  /* Called after all messages of an answer were handled. */
  void (*taken)(Device *device);
  /* See image_hold. */
  void (*hold_images)(Device *device, bool hold);
  /* Drop packets that were queued before the simulation was reset. */
  void (*drop_packets)(Device *device);
  void (*end)(Device *device);
  unsigned lasting; /* see Device; 0: only the sampling period */
} Kind;

typedef struct {
  int code;
  bool waits;
  bool counts;    /* false if it was canceled */
  bool is_number; /* `number` takes the place of the payload */
  double number;
  Buffer payload;
} Command;

/* What each step needs comes last, beside the values of the kind. */
struct Device {
  char *name, *model;
  double *table; /* the lookup table, rows of three */
  int rows;
  int node_type; /* numbered as since R2023b */
  struct Robot *robot;
  const Kind *kind;
  Command *commands; /* by code */
  int tag, command_count;
  unsigned lasting; /* bits of the codes of commands that set a lasting state */
  int period;
};

/* The kind of a node type, or NULL. */
const Kind *kind_of(int node_type);

/* The device with a tag; NULL, with an error message, if its kind does not match the function.
   kind NULL: any device. */
void *device_find(WbDeviceTag tag, const Kind *kind, const char *function);

/* Note that a device has something for the next packet. */
void device_wait(Device *device);

/* Add a command to the next packet, replacing one with the same code. Append its values to the
 * buffer. */
Buffer *device_command(Device *device, int code);

/* The same with one f64, a faster form. */
void device_command_number(Device *device, int code, double number);
/* Add a command without values that replaces another one. */
void device_replace(Device *device, int other, int code);
void device_flush(Device *device, Buffer *out);

/* See image_hold; for all devices of a robot. */
void devices_hold_images(struct Robot *robot, bool hold);

/* Add all commands that set a lasting state to the next packet. */
void device_resend_lasting(Device *device);

/* Send the pending commands and handle the answer; false if that is not possible now. */
bool device_exchange(Device *device);

/* Set a sampling period by a command. `function` is named in the error message if it is out of range. */
bool is_bad_period(const char *function, int period);
void device_enable(Device *device, int period, const char *function);

/* The C function of a device's method, for example "wb_gps_enable" for a GPS and "enable". */
void api_name(const Device *device, const char *method, char *name, size_t size);

/* Warn once that what the method `enable` switches on is off. */
void device_warn_disabled(const Device *device, const char *enable, const char *function);

/* Warn once if something is read that the method `enable` has not switched on. */
static inline void device_check_on(const Device *device, bool on, const char *enable, const char *function) {
  if (!on) device_warn_disabled(device, enable, function);
}

/* Warn once if a device is read while it is disabled. */
static inline void device_check_enabled(const Device *device, const char *function) {
  device_check_on(device, device->period > 0, "enable", function);
}

void device_read_table(Device *device, Reader *in);
void device_free(Device *device);

#endif
