/* The exchange of packets: sends the commands of all devices and receives their values. */
#include "generated/messages.h"
#include "platform/system.h"
#include "robot.h"

#define BLOCK_HEAD 6
#define CLOSED "it is closed"

bool robot_may_ask(const Robot *robot, const char *function) {
  if (robot->stepping) report_warning(function, false, MESSAGE_NO_ANSWER_DURING_STEP);
  return !robot->stepping;
}

/* End the controller because the connection is lost, as Webots' own library does. */
static void lost(Robot *robot, const char *why) {
  const Connection *connection = robot->connection;
  const bool is_interrupted = connection && connection->is_interrupted;
  if (is_interrupted && connection->calls.receive) return; /* its host lets the program wait again */
  const bool is_known = robot->closed || robot->leaving || is_interrupted;
  robot_close(robot);
  if (is_known) return;
  report_line(MESSAGE_LOST_SIMULATOR, why);
  report_end(1);
}

void robot_close(Robot *robot) {
  robot->closed = true;
  connection_free(robot->connection);
  robot->connection = NULL;
}

/* Sending. */

/* Begin the block of a device, and return its offset. */
static size_t begin_block(Buffer *out, int tag) {
  put_u16(out, (unsigned)tag);
  put_i32(out, 0);
  return out->size;
}

/* Write the length of a block, or remove the block if it is empty. */
static void end_block(Buffer *out, size_t start) {
  if (out->size == start)
    out->size = start - BLOCK_HEAD;
  else
    put_i32_at(out, start - 4, (int32_t)(out->size - start));
}

static void flush_self(Robot *robot, Buffer *out) {
  const size_t start = begin_block(out, 0);
  robot_set_busy(robot, 0, false);
  device_flush(&robot->self, out);
  put(out, robot->queued.data, robot->queued.size);
  robot->queued.size = 0;
  end_block(out, start);
}

static void flush(Device *device, Buffer *out) {
  const size_t start = begin_block(out, device->tag);
  robot_set_busy(device->robot, device->tag, false); /* flush sets it again if commands remain */
  if (device->kind->flush)
    device->kind->flush(device, out);
  else
    device_flush(device, out);
  end_block(out, start);
}

void robot_pack(Robot *robot, int duration) {
  Buffer *out = &robot->request;
  robot->duration = duration;
  out->size = 0;
  put_i32(out, 0);
  put_u32(out, (uint32_t)duration);
  flush_self(robot, out);
  for (int tag = robot_busy_from(robot, 1); tag < robot->device_count; tag = robot_busy_from(robot, tag + 1))
    flush(robot->devices[tag], out);
  if (robot->relay.add) robot->relay.add(out);
  put_i32_at(out, 0, (int32_t)out->size);
}

/* Begin a step without a request; false if that is not possible. */
static bool begin_by_call(Robot *robot, int duration) {
  const Calls *calls = &robot->connection->calls;
  const char *problem = NULL;
  if (!calls->step || !calls->step(calls->context, robot, duration, &problem)) return false;
  robot->duration = duration;
  if (problem) lost(robot, problem);
  return true;
}

bool robot_is_copy(const Robot *robot) {
  const bool has_packets = robot->connection && !robot->connection->calls.send;
  return has_packets && robot->owner && robot->owner != system_process();
}

/* True, after a message, if this process may not use the connection. */
static bool is_refused(Robot *robot) {
  if (!robot_is_copy(robot)) return false;
  if (!robot->closed)
    report_line(
        "Error: a process made by fork() cannot use the robot, which belongs to the process that "
        "called wb_robot_init()");
  return robot->closed = true;
}

void robot_send(Robot *robot, int duration) {
  if (is_refused(robot)) return;
  if (duration && robot->connection && begin_by_call(robot, duration)) return;
  robot_pack(robot, duration);
  const Buffer *out = &robot->request;
  const char *problem = robot->connection ? connection_send(robot->connection, out->data, out->size) : CLOSED;
  if (problem) lost(robot, problem);
}

/* Receiving. */

static Device *device_at(const Robot *robot, unsigned tag) {
  return tag < (unsigned)robot->device_count ? robot->devices[tag] : NULL;
}

static void take_message(Robot *robot, Reader *in) {
  const unsigned tag = read_u16(in), code = read_u8(in);
  Device *device = device_at(robot, tag);
  if (in->problem) return;
  if (tag == 0 ? !robot->take(robot, code, in)
               : !device || !device->kind->take || !device->kind->take(device, code, in))
    in->problem =
        device || !tag ? "a message has an unknown code" : "a message is for a device that does not exist";
}

const char *robot_take(Robot *robot, const unsigned char *data, size_t size) {
  Reader in = {.data = data, .size = size};
  while (left(&in)) take_message(robot, &in);
  return in.problem;
}

const char *robot_take_answer(Robot *robot, const HostedAnswer *answer) {
  robot_take_time(robot, answer->time);
  for (size_t i = 0; i < answer->count; ++i) {
    const HostedSample *one = &answer->samples[i];
    Reader in = {.data = (const unsigned char *)one->numbers, .size = one->count * sizeof *one->numbers};
    Device *device = device_at(robot, one->tag);
    if (!device || !device->kind->take || !device->kind->take(device, one->code, &in) || in.problem)
      return "values of the simulator are for no device";
  }
  return NULL;
}

static void tell_taken(Robot *robot) {
  if (!robot->has_hearers) return;
  for (int tag = 1; tag < robot->device_count; ++tag) {
    Device *device = robot->devices[tag];
    if (device && device->kind->taken) device->kind->taken(device);
  }
}

static void take_images(Robot *robot, Packet *packet) {
  for (int i = 0; i < packet->image_count; ++i) {
    ImageChunk *one = &packet->images[i];
    Device *device = device_at(robot, one->tag);
    if (device && device->kind->take_chunk) {
      device->kind->take_chunk(device, one->code, one->pixels, one->size);
      one->pixels = NULL;
    }
  }
}

int robot_receive(Robot *robot) {
  Packet *packet = &robot->packet;
  int delay = UNASKED;
  if (is_refused(robot)) return 0;
  if (robot->connection && robot->connection->is_answered) {
    robot->connection->is_answered = false;
    tell_taken(robot);
    return 0;
  }
  while (delay == UNASKED) {
    const char *problem = robot->connection ? connection_receive(robot->connection, packet) : CLOSED;
    robot_make_current(robot); /* another robot of this process may have run meanwhile */
    if (!problem && robot->relay.take) robot->relay.take(packet->data.data, packet->data.size);
    if (!problem) problem = robot_take(robot, packet->data.data, packet->data.size);
    if (problem) {
      lost(robot, problem);
      return 0;
    }
    delay = packet->delay;
    take_images(robot, packet);
    tell_taken(robot);
  }
  return delay;
}

static bool is_cut_off(const Robot *robot) { return !robot->connection || robot->connection->is_interrupted; }

bool robot_is_over(const Robot *robot) { return robot->quitting || robot->closed || is_cut_off(robot); }

bool robot_exchange(Robot *robot) {
  if (robot_is_over(robot)) return false;
  robot_send(robot, 0);
  robot_receive(robot);
  return !robot->closed && !is_cut_off(robot);
}
