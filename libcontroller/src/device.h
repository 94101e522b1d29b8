/* A device as its controller knows it: constants, the newest values, commands that wait. */
#ifndef DEVICE_H
#define DEVICE_H

#include <webots/types.h>

#include "bytes.h"
#include "report.h"

#define ENABLE 1    /* the command that sets a sampling period */
#define CONSTANTS 0 /* the message with the constants */
#define MAX_PERIOD 65535
#define LONGEST_TEXT 65534 /* bytes of a text behind a length of 16 bits */

struct Robot;
typedef struct Device Device;

/* What devices of one kind have in common; entries may be NULL. */
typedef struct {
  const char *class_name;
  size_t size;
  bool wide; /* commands have codes of 16 bits */
  /* Functions of another kind that are also for this one, as in Webots 8; the last entry is NULL. */
  const char *const *former;
  /* The first values, where they are not zeros. */
  void (*start)(Device *device);
  /* Take a message of the simulator; false: there is none with this code. */
  bool (*take)(Device *device, unsigned code, Reader *in);
  /* Pixels of a chunk; they become the device's. */
  void (*take_image)(Device *device, unsigned code, unsigned char *pixels, size_t size);
  /* Write the commands that wait, where that is more than those of device_command. */
  void (*flush)(Device *device, Buffer *out);
  /* An answer was taken as a whole. */
  void (*taken)(Device *device);
  void (*end)(Device *device);
  unsigned lasting; /* see Device; 0: the sampling period only */
} Kind;

typedef struct {
  int code;
  bool waits;
  bool counts; /* it was not cancelled */
  Buffer payload;
} Command;

struct Device {
  const Kind *kind;
  struct Robot *robot;
  int tag, node_type; /* the number as since R2023b */
  char *name, *model;
  Command *commands; /* by code */
  int command_count;
  bool busy;        /* something waits */
  unsigned lasting; /* bits of the codes of commands that say how the device shall be; the rest are orders */
  int period;
  double *table; /* the lookup table, rows of three */
  int rows;
};

/* The kind for devices of a node type; NULL: none. */
const Kind *kind_of(int node_type);

/* The device with a tag for a function that is made for one kind; NULL, with a message, for others.
   kind NULL: any device. */
void *device_find(WbDeviceTag tag, const Kind *kind, const char *function);

/* A command for the next packet, in place of one with the same code; its values are to be put into the
 * buffer. */
Buffer *device_command(Device *device, int code);
void device_cancel(Device *device, int code);
void device_flush(Device *device, Buffer *out);

/* Let all that was commanded to last wait for the next packet. */
void device_resend_lasting(Device *device);

/* Send what waits at once and take the answer; false when that is not possible now. */
bool device_exchange(Device *device);

/* Set a sampling period by a command. `function` is for the message when it is out of range. */
bool is_bad_period(const char *function, int period);
void device_enable(Device *device, int period, const char *function);

/* The C function of a method of the device, "wb_gps_enable" for a GPS and "enable". */
void api_name(const Device *device, const char *method, char *name, size_t size);

/* Tell, once, that a device is read while it is off. */
void device_check_enabled(const Device *device, const char *function);

void device_read_table(Device *device, Reader *in);
void device_free(Device *device);

#endif
