/* Servos that share a serial line. Each millisecond, commands that have changed go to all servos in one
 * packet, which none of them answers. Then one servo is asked for its state; the line is not used until it
 * has answered or had the time to do so. What the board hears of its own packets is no answer. */
#include "bus_servo.h"

#include <math.h>
#include <string.h>

#include "board.h"
#include "servo_protocol.h"

#define COUNTS_PER_RAD REAL(651.8986469044033) /* 4096 per turn */
#define PATIENCE_MS 4                          /* for an answer, in addition to the time of its bytes */
#define LONGEST_TALK 131                       /* bytes of all packets of a turn */
#define BITS_PER_BYTE 10
#define MOST_MISSED 20 /* answers in a row after which a servo has no state */
#define LOST 3 /* missing answers after which a servo may have had no power: it is switched on again */
#define NONE 0xFF
#define AT_ONCE 3 /* servos in one packet, which with the question must fit into buffers of 63 bytes */

#define TORQUE 1 /* bits of what is to be sent */
#define GOAL 2
#define HOLD 4

static struct state {
  real position, velocity; /* of the last commands */
  uint8_t pending;
  bool active, known;
  uint8_t missed;
  struct servo_state newest;
} states[BUS_SERVO_COUNT];

static uint8_t asked = NONE, next;
static uint16_t waited;

static real sign(uint8_t k) { return bus_servo_table[k].inverted ? -1 : 1; }

static int32_t whole(real number) {
  if (number > 1e6f) return 1000000;
  if (number < -1e6f) return -1000000;
  return (int32_t)(number < 0 ? number - REAL(0.5) : number + REAL(0.5));
}

void bus_servo_start(uint8_t k) {
  states[k] = (struct state){.velocity = bus_servo_table[k].max_velocity};
  states[k].position = bus_servo_table[k].wheel ? INFINITY : 0;
  if (k == 0) {
    asked = NONE;
    next = 0;
    servo_protocol_reset();
    board_serial_start(bus_servo_table[0].baud);
  }
}

static void command(uint8_t k) {
  states[k].pending |= states[k].active ? GOAL : GOAL | TORQUE;
  states[k].pending &= (uint8_t)~HOLD;
  states[k].active = true;
}

void bus_servo_position(uint8_t k, real position) {
  states[k].position = position;
  command(k);
}

void bus_servo_velocity(uint8_t k, real velocity) {
  states[k].velocity = velocity;
  if (bus_servo_table[k].wheel || states[k].active) command(k);
}

/* A wheel stops; a joint holds the position that it has, so that an arm does not fall. */
void bus_servo_stop(uint8_t k) {
  if (!states[k].active) return;
  states[k].pending = bus_servo_table[k].wheel || states[k].known ? HOLD : 0;
}

/* The goal of a servo in its units; false if there is nothing to send. */
static bool goal_of(uint8_t k, struct servo_goal *goal) {
  const FLASH struct bus_servo *servo = &bus_servo_table[k];
  const struct state *state = &states[k];
  const bool holds = state->pending & HOLD;
  const int32_t speed = whole(state->velocity * sign(k) * COUNTS_PER_RAD);
  goal->id = servo->id;
  if (servo->wheel) {
    goal->speed = holds || !isinf(state->position) ? 0 : state->position < 0 ? -speed : speed;
    return true;
  }
  const bool stands = speed == 0; /* a servo takes 0 for its largest speed */
  if (isinf(state->position) || ((holds || stands) && !state->known)) return false;
  goal->position = holds || stands ? state->newest.position
                                   : whole(servo->zero + state->position * sign(k) * COUNTS_PER_RAD);
  goal->speed = stands ? 1 : speed < 0 ? -speed : speed;
  return true;
}

static void send(const uint8_t *packet, uint8_t size) {
  for (uint8_t k = 0; k < size; k++) board_serial_write(packet[k]);
}

/* Switches the torque of servos on that have their first command. */
static bool send_torque(void) {
  uint8_t packet[SERVO_PACKET_BYTES], ids[AT_ONCE], count = 0;
  for (uint8_t k = 0; k < BUS_SERVO_COUNT && count < AT_ONCE; k++) {
    if (!(states[k].pending & TORQUE)) continue;
    states[k].pending &= (uint8_t)~TORQUE;
    ids[count++] = bus_servo_table[k].id;
  }
  if (count > 0) send(packet, servo_protocol_torque(packet, ids, count));
  return count > 0;
}

static bool send_goals(bool wheels) {
  uint8_t packet[SERVO_PACKET_BYTES], count = 0;
  struct servo_goal goals[AT_ONCE];
  for (uint8_t k = 0; k < BUS_SERVO_COUNT && count < AT_ONCE; k++) {
    if (!(states[k].pending & (GOAL | HOLD)) || bus_servo_table[k].wheel != wheels) continue;
    if (goal_of(k, &goals[count])) count++;
    states[k].pending = 0;
  }
  if (count > 0) send(packet, servo_protocol_goals(packet, goals, count, wheels));
  return count > 0;
}

static bool has_answered(void) {
  for (int16_t byte; (byte = board_serial_read()) != BOARD_NO_BYTE;) {
    if (asked == NONE ||
        !servo_protocol_take((uint8_t)byte, bus_servo_table[asked].id, &states[asked].newest))
      continue;
    if (states[asked].missed >= LOST && states[asked].active) states[asked].pending |= TORQUE | GOAL;
    states[asked].known = true;
    states[asked].missed = 0;
    return true;
  }
  return false;
}

/* True while the line belongs to a servo that was asked. */
static bool is_answering(uint16_t elapsed) {
  const bool answered = has_answered();
  if (asked == NONE) return false;
  waited = (uint16_t)(waited + elapsed);
  const uint32_t patience = PATIENCE_MS + 1000UL * BITS_PER_BYTE * LONGEST_TALK / bus_servo_table[0].baud;
  if (!answered && waited < patience) return true;
  if (!answered && states[asked].missed < MOST_MISSED && ++states[asked].missed == MOST_MISSED)
    states[asked].known = false;
  asked = NONE;
  return false;
}

void bus_servo_update(uint8_t k, uint16_t elapsed) {
  if (k != 0 || is_answering(elapsed)) return;
  if (!send_torque() && !send_goals(false)) send_goals(true);
  uint8_t packet[SERVO_PACKET_BYTES];
  asked = next;
  next = (uint8_t)((next + 1) % BUS_SERVO_COUNT);
  waited = 0;
  servo_protocol_reset();
  send(packet, servo_protocol_ask(packet, bus_servo_table[asked].id));
}

bool bus_servo_present(uint8_t k, real *position) {
  *position = ((real)states[k].newest.position - bus_servo_table[k].zero) * sign(k) / COUNTS_PER_RAD;
  return states[k].known;
}

bool bus_servo_torque_feedback(uint8_t k, real *torque) {
  *torque = (real)states[k].newest.load * sign(k) / 1000 * bus_servo_table[k].max_torque;
  return states[k].known;
}

#ifdef BUS_SERVO_HEALTH
bool bus_servo_health(uint8_t k, bool voltage, real *value) {
  *value = voltage ? (real)states[k].newest.volts / 10 : (real)states[k].newest.celsius;
  return states[k].known;
}
#endif
