/* A Dynamixel servo of the X series. Its packets, Robotis' protocol 2: FF FF FD 00, number, length,
 * instruction, parameters, and a CRC-16 of all bytes before it. Numbers have their low byte first. */
#include "dynamixel_servo.h"

#define ALL 0xFE /* number to which all servos listen */
#define READ 0x02
#define SYNC_WRITE 0x83
#define STATUS 0x55
#define HEAD_BYTES 7 /* FF FF FD 00, number, length */
#define CRC_BYTES 2
#define POLYNOMIAL 0x8005

/* Registers of the control table. */
#define TORQUE_ENABLE 64
#define GOAL_VELOCITY 104
#define PROFILE_VELOCITY 112 /* then goal position, four bytes each */
#define PRESENT_LOAD 126     /* two bytes; the position is six bytes later */
#ifdef BUS_SERVO_HEALTH
#define PRESENT_BYTES 21 /* up to voltage (two bytes) and temperature */
#define VOLTS_AT 18
#define CELSIUS_AT 20
#else
#define PRESENT_BYTES 10
#endif
#define POSITION_AT 6
/* A position whose bytes have the begin of a packet in them, which the protocol would have to mark. */
#define LIKE_HEAD (-131073)
/* Counts per second of a unit of velocity: 0.229 turns per minute. */
#define UNIT REAL(15.633066666666667)

static const uint8_t head[] = {0xFF, 0xFF, 0xFD, 0x00};
static uint8_t answer[HEAD_BYTES + 2 + PRESENT_BYTES + CRC_BYTES], filled;

/* CRC-16 with the highest bit first, from 0. */
static uint16_t crc(const uint8_t *from, uint8_t size) {
  uint16_t sum = 0;
  while (size-- > 0) {
    sum ^= (uint16_t)(*from++ << 8);
    for (uint8_t bit = 0; bit < 8; bit++) sum = (uint16_t)(sum & 0x8000 ? sum << 1 ^ POLYNOMIAL : sum << 1);
  }
  return sum;
}

/* Completes a packet of `size` bytes. */
static uint8_t finished(uint8_t *packet, uint8_t id, uint8_t size) {
  for (uint8_t k = 0; k < sizeof head; k++) packet[k] = head[k];
  packet[4] = id;
  put_u16(packet + 5, (uint16_t)(size - HEAD_BYTES + CRC_BYTES));
  put_u16(packet + size, crc(packet, size));
  return (uint8_t)(size + CRC_BYTES);
}

static uint8_t *begin_writing(uint8_t *packet, uint16_t address, uint16_t size) {
  packet[HEAD_BYTES] = SYNC_WRITE;
  return put_u16(put_u16(packet + HEAD_BYTES + 1, address), size);
}

uint8_t servo_protocol_torque(uint8_t *packet, const uint8_t *ids, uint8_t count) {
  uint8_t *to = begin_writing(packet, TORQUE_ENABLE, 1);
  for (uint8_t k = 0; k < count; k++) {
    *to++ = ids[k];
    *to++ = 1;
  }
  return finished(packet, ALL, (uint8_t)(to - packet));
}

/* A speed in units of the servo, not 0 for a speed that is not: 0 is the largest speed of a profile. */
static int32_t units(int32_t speed) {
  const real number = (real)speed / UNIT;
  const int32_t nearest = (int32_t)(number < 0 ? number - REAL(0.5) : number + REAL(0.5));
  return nearest != 0 || speed == 0 ? nearest : speed < 0 ? -1 : 1;
}

uint8_t servo_protocol_goals(uint8_t *packet, const struct servo_goal *goals, uint8_t count, bool wheels) {
  uint8_t *to = begin_writing(packet, wheels ? GOAL_VELOCITY : PROFILE_VELOCITY, wheels ? 4 : 8);
  for (uint8_t k = 0; k < count; k++) {
    *to++ = goals[k].id;
    to = put_u32(to, (uint32_t)units(goals[k].speed));
    if (wheels) continue;
    to = put_u32(to, (uint32_t)(goals[k].position == LIKE_HEAD ? LIKE_HEAD + 1 : goals[k].position));
  }
  return finished(packet, ALL, (uint8_t)(to - packet));
}

uint8_t servo_protocol_ask(uint8_t *packet, uint8_t id) {
  packet[HEAD_BYTES] = READ;
  put_u16(put_u16(packet + HEAD_BYTES + 1, PRESENT_LOAD), PRESENT_BYTES);
  return finished(packet, id, HEAD_BYTES + 5);
}

void servo_protocol_reset(void) { filled = 0; }

/* True if a byte can be the next one of an answer with the state. */
static bool fits(uint8_t byte, uint8_t id) {
  switch (filled) {
    case 4: return byte == id;
    case 5: return byte == sizeof answer - HEAD_BYTES;
    case 6: return byte == 0;
    case 7: return byte == STATUS;
    default: return filled > 7 || byte == head[filled];
  }
}

bool servo_protocol_take(uint8_t byte, uint8_t id, struct servo_state *state) {
  if (!fits(byte, id)) {
    filled = byte == head[0] ? (filled == 2 ? 2 : 1) : 0;
    return false;
  }
  answer[filled++] = byte;
  if (filled < sizeof answer) return false;
  filled = 0;
  if (crc(answer, sizeof answer - CRC_BYTES) != get_u16(answer + sizeof answer - CRC_BYTES)) return false;
  const uint8_t *present = answer + HEAD_BYTES + 2;
  state->load = (int16_t)get_u16(present);
  state->position = get_i32(present + POSITION_AT);
#ifdef BUS_SERVO_HEALTH
  state->volts = get_u16(present + VOLTS_AT);
  state->celsius = present[CELSIUS_AT];
#endif
  return true;
}
