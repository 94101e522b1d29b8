/* The wire over USB. While no program of the host has opened the port, or one does not read, nothing waits
 * for it: bytes of the robot link are lost, as its requests are sent again. What a controller prints is kept
 * until the buffers of the chip are full; the rest is lost. */
#include "usb_wire.h"

#include "board.h"
#include "config.h"
#include "robot.h"
#include "usb_device.h"
#include "usb_port.h"

#define PATIENCE 10 /* ms for a host that has opened the port, until it counts as not reading */

#define ROUND_BYTES 64 /* that a program takes before it is idle, as a host may never stop sending */

static uint8_t taken;        /* bytes in this round of the program */
static uint8_t filled;       /* bytes in the packet to the host */
static bool was_full, stuck; /* the last packet was full; the host does not read */

bool wire_has_byte(void) { return usb_was_closed() || usb_port_has_byte(); }

int16_t board_read_byte(void) {
  if (!usb_was_closed()) {
    if (taken == ROUND_BYTES || !usb_port_has_byte()) return BOARD_NO_BYTE;
    taken++;
    return usb_port_read();
  }
  usb_forget_closing();
  /* Of the program that has closed the port; no chip has buffers for more. */
  for (uint8_t k = 2 * USB_BULK_BYTES; k > 0 && usb_port_has_byte(); k--) usb_port_read();
  return BOARD_DISCONNECTED;
}

void board_disconnect(void) {}

/* Waits for room in the buffer, once for a host that does not read. Returns false if there is none. */
static bool has_room(void) {
  for (const uint32_t start = board_millis(); !usb_port_has_room();) {
    if (!usb_is_open() || stuck) return false;
    stuck = board_millis() - start > PATIENCE;
  }
  stuck = false;
  return true;
}

static void send(void) {
  was_full = filled == USB_BULK_BYTES;
  filled = 0;
  usb_port_send();
}

void board_write_byte(uint8_t byte) {
#ifndef WIRE_TEXT
  if (!usb_is_open()) return;
#endif
  if (!has_room()) return;
  usb_port_write(byte);
  if (++filled == USB_BULK_BYTES) send();
}

/* A host may hold back bytes until a packet that is not full. Without a host, packets are filled. */
static void flush(void) {
  if (usb_is_open() && (filled > 0 || was_full) && usb_port_has_room()) send();
}

__attribute__((weak)) void robot_stop(void) { /* the flavor hil has no motors */ }

void wire_idle(void) {
  flush();
#ifdef WIRE_TEXT
  /* Nothing reads it, but a host could wait for this forever. */
  while (board_read_byte() != BOARD_NO_BYTE) {
  }
#endif
  taken = 0;
  if (!usb_was_touched()) return;
  robot_stop();
  usb_port_boot();
}
