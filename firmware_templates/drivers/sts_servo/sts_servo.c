/* A Feetech STS or SMS servo. Its packets: FF FF, number, length, instruction or error, parameters, and the
 * inverted sum of all bytes from the number on. Numbers have their low byte first, and a bit for their sign.
 */
#include "sts_servo.h"

#define ALL 0xFE /* number to which all servos listen */
#define MARK 0xFF
#define READ 0x02
#define SYNC_WRITE 0x83
#define HEAD_BYTES 4 /* two marks, number, length */

/* Registers. */
#define TORQUE_ENABLE 40
#define ACCELERATION 41 /* then goal: position, time, speed, two bytes each */
#define GOAL_SPEED 46
#define PRESENT 56 /* position, speed, load, two bytes each; volts, degrees Celsius */
#define PRESENT_BYTES 8
#define POSITION_SIGN 0x8000
#define LOAD_AT 4
#define VOLTS_AT 6
#define CELSIUS_AT 7
#define LOAD_SIGN 0x0400

static uint8_t answer[HEAD_BYTES + PRESENT_BYTES + 2], filled;

static uint8_t checksum(const uint8_t *from, uint8_t size) {
  uint8_t sum = 0;
  while (size-- > 0) sum = (uint8_t)(sum + *from++);
  return (uint8_t)~sum;
}

/* Completes a packet of `size` bytes with length and checksum. */
static uint8_t finished(uint8_t *packet, uint8_t id, uint8_t size) {
  packet[0] = packet[1] = MARK;
  packet[2] = id;
  packet[3] = (uint8_t)(size - HEAD_BYTES + 1);
  packet[size] = checksum(packet + 2, (uint8_t)(size - 2));
  return (uint8_t)(size + 1);
}

static uint8_t *put_signed(uint8_t *to, int32_t number) {
  int32_t size = number < 0 ? -number : number;
  if (size >= POSITION_SIGN) size = POSITION_SIGN - 1;
  return put_u16(to, (uint16_t)(number < 0 ? size | POSITION_SIGN : size));
}

static int32_t get_signed(const uint8_t *from, uint16_t sign) {
  const uint16_t number = get_u16(from);
  return number & sign ? -(int32_t)(number & (uint16_t)~sign) : (int32_t)number;
}

static uint8_t *begin_writing(uint8_t *packet, uint8_t address, uint8_t size) {
  packet[HEAD_BYTES] = SYNC_WRITE;
  packet[HEAD_BYTES + 1] = address;
  packet[HEAD_BYTES + 2] = size;
  return packet + HEAD_BYTES + 3;
}

uint8_t servo_protocol_torque(uint8_t *packet, const uint8_t *ids, uint8_t count) {
  uint8_t *to = begin_writing(packet, TORQUE_ENABLE, 1);
  for (uint8_t k = 0; k < count; k++) {
    *to++ = ids[k];
    *to++ = 1;
  }
  return finished(packet, ALL, (uint8_t)(to - packet));
}

uint8_t servo_protocol_goals(uint8_t *packet, const struct servo_goal *goals, uint8_t count, bool wheels) {
  uint8_t *to = begin_writing(packet, wheels ? GOAL_SPEED : ACCELERATION, wheels ? 2 : 7);
  for (uint8_t k = 0; k < count; k++) {
    *to++ = goals[k].id;
    if (!wheels) {
      *to++ = 0;                                          /* the largest acceleration */
      to = put_u16(put_signed(to, goals[k].position), 0); /* no time: the speed counts */
    }
    to = put_signed(to, goals[k].speed);
  }
  return finished(packet, ALL, (uint8_t)(to - packet));
}

uint8_t servo_protocol_ask(uint8_t *packet, uint8_t id) {
  packet[HEAD_BYTES] = READ;
  packet[HEAD_BYTES + 1] = PRESENT;
  packet[HEAD_BYTES + 2] = PRESENT_BYTES;
  return finished(packet, id, HEAD_BYTES + 3);
}

void servo_protocol_reset(void) { filled = 0; }

/* True if a byte can be the next one of an answer with the state. */
static bool fits(uint8_t byte, uint8_t id) {
  switch (filled) {
    case 0:
    case 1: return byte == MARK;
    case 2: return byte == id;
    case 3: return byte == PRESENT_BYTES + 2;
    default: return true;
  }
}

bool servo_protocol_take(uint8_t byte, uint8_t id, struct servo_state *state) {
  if (!fits(byte, id)) {
    filled = byte == MARK ? (filled == 2 ? 2 : 1) : 0;
    return false;
  }
  answer[filled++] = byte;
  if (filled < sizeof answer) return false;
  filled = 0;
  if (checksum(answer + 2, sizeof answer - 3) != byte) return false;
  const uint8_t *present = answer + HEAD_BYTES + 1;
  state->position = get_signed(present, POSITION_SIGN);
  state->load = get_signed(present + LOAD_AT, LOAD_SIGN);
#ifdef BUS_SERVO_HEALTH
  state->volts = present[VOLTS_AT];
  state->celsius = present[CELSIUS_AT];
#endif
  return true;
}
