/* See connection.h. */
#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "generated/messages.h"
#include "interruption.h"
#include "platform/sockets.h"
#include "report.h"

#define LIMIT (256 << 20) /* maximum size of a packet, in bytes */
#define CHUNK (1 << 16)
#define HEAD_SIZE 8
#define TCP_HEAD_SIZE 6
#define CHUNK_HEAD_SIZE 5
#define IMAGE_HEAD_SIZE 3

enum { DATA, IMAGE };

static const char CLOSED[] = MESSAGE_CLOSED_CONNECTION;
static const char NOTHING_YET[] = "nothing has arrived";
static const char INTERRUPTED[] = "the wait for it was interrupted";
static const char SIGNALLED[] = "the program has handled a signal";

/* Four bytes in place of a request that have no effect: they wake a simulator that began to block. */
static const int32_t AWAKEN = -1;

static const char *send_by_socket(Connection *connection, const void *data, size_t size) {
  const char *from = data;
  if (connection->shared) connection->shared->sent += size;
  while (size) {
    const ptrdiff_t sent = socket_send(connection->socket, from, size);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return strerror(errno);
    from += sent;
    size -= (size_t)sent;
  }
  return NULL;
}

const char *connection_send(Connection *connection, const void *data, size_t size) {
  const Calls *calls = &connection->calls;
  if (calls->send) return calls->send(calls->context, data, size);
  bool wake = false;
  if (!connection->shared || !shared_write(connection->shared, data, size, &wake))
    return send_by_socket(connection, data, size);
  return wake ? send_by_socket(connection, &AWAKEN, sizeof AWAKEN) : NULL;
}

void connection_stop_sharing(Connection *connection) {
  shared_free(connection->shared);
  connection->shared = NULL;
}

/* Receive from the socket, and what lies in memory at its place among these bytes. */
static ptrdiff_t receive_by_socket(Connection *connection, void *place, size_t room, bool at_once) {
  SharedMemory *shared = connection->shared;
  if (!shared) return socket_receive(connection->socket, place, room, at_once);
  const ptrdiff_t got = socket_receive(connection->socket, place, room - SHARED_CAPACITY, at_once);
  return got > 0 ? shared_merge(shared, place, (size_t)got) : got;
}

static ptrdiff_t poll_both(void *context, void *place, size_t room) {
  Connection *connection = context;
  SharedMemory *shared = connection->shared;
  if (shared) {
    const ptrdiff_t got = shared_take(shared, place, room);
    if (got >= 0 || errno != EAGAIN || !shared_polls_socket(shared)) return got;
  }
  return receive_by_socket(connection, place, room, true);
}

/* Linux also wakes a program that blocks in `recv` when the other side takes what was sent to it; not in
 * `poll`. */
static ptrdiff_t block_on_socket(Connection *connection, void *place, size_t room) {
  const int signalled = connection->heeds_signals ? interruption_begin() : -1;
  const bool is_ready = socket_wait(connection->socket, signalled, connection->patience);
  int problem = errno;
  const bool is_signalled = signalled >= 0 && interruption_end();
  if (is_ready) return receive_by_socket(connection, place, room, false);
  if (is_signalled) problem = ECANCELED;
  errno = problem;
  return -1;
}

static ptrdiff_t block(void *context, void *place, size_t room) {
  Connection *connection = context;
  SharedMemory *shared = connection->shared;
  if (report_is_interrupted()) { /* by a signal while this wait was spinning */
    errno = EINTR;
    return -1;
  }
  if (!shared) return block_on_socket(connection, place, room);
  shared_fall_asleep(shared);
  ptrdiff_t got = shared_take(shared, place, room);
  if (got < 0 && errno == EAGAIN) got = block_on_socket(connection, place, room);
  const int problem = errno;
  shared_wake_up(shared);
  errno = problem;
  return got;
}

/* Receive bytes. Returns NULL or an error. */
static const char *receive(Connection *connection, unsigned char *place, size_t room, size_t *got) {
  const Receiver receiver = {.poll = poll_both, .block = block, .context = connection};
  ptrdiff_t size;
  do {
    report_wait(true);
    size = spin_receive(&connection->spin, &receiver, place, room);
    const int problem = errno;
    report_wait(false);
    errno = problem;
  } while (size < 0 && errno == EINTR && !(connection->is_interrupted = report_is_interrupted()));
  if (connection->is_interrupted) return INTERRUPTED;
  if (size < 0 && errno == EAGAIN) return NOTHING_YET;
  if (size < 0 && errno == ECANCELED) return SIGNALLED;
  if (size <= 0) return size ? strerror(errno) : CLOSED;
  *got = (size_t)size;
  return NULL;
}

/* Append what arrives next at the socket; there is room for `size` bytes and more. */
static const char *append(Connection *connection, size_t size) {
  Buffer *in = &connection->in;
  const size_t wanted = size + CHUNK;
  if (in->room < wanted) {
    in->data = reallocate(in->data, wanted);
    in->room = wanted;
  }
  size_t got = 0;
  const char *problem = receive(connection, in->data + in->size, in->room - in->size, &got);
  in->size += got;
  return problem;
}

/* Wait until at least `size` unused bytes have arrived. */
static const char *fill(Connection *connection, size_t size) {
  Buffer *in = &connection->in;
  const Calls *calls = &connection->calls;
  if (connection->start && in->size - connection->start < size) {
    memmove(in->data, in->data + connection->start, in->size - connection->start);
    in->size -= connection->start;
    connection->start = 0;
  }
  const char *problem = NULL;
  while (!problem && in->size - connection->start < size)
    problem =
        calls->receive ? calls->receive(calls->context, in) : append(connection, connection->start + size);
  return problem;
}

/* The next `size` bytes. */
static const char *take(Connection *connection, size_t size, Reader *out) {
  const char *problem = fill(connection, size);
  if (problem) return problem;
  *out = (Reader){.data = connection->in.data + connection->start, .size = size};
  connection->start += size;
  return NULL;
}

bool connection_waits(Connection *connection, int ms) {
  if (connection->calls.receive || connection->start < connection->in.size) return false;
  connection->patience = ms;
  const char *problem = append(connection, connection->in.size);
  connection->patience = 0;
  return problem == NOTHING_YET;
}

bool connection_is_left(Connection *connection) {
  if (connection->calls.receive || connection->start < connection->in.size || report_host.is_interrupted)
    return false;
  connection->heeds_signals = true;
  const char *problem = append(connection, connection->in.size);
  connection->heeds_signals = false;
  return problem == SIGNALLED;
}

static const char *check_delay(Packet *packet) {
  return packet->delay < UNASKED ? "an answer has an impossible delay" : NULL;
}

static const char *receive_local(Connection *connection, Packet *packet) {
  Reader in;
  const char *problem = take(connection, HEAD_SIZE, &in);
  if (problem) return problem;
  const int32_t size = read_i32(&in);
  packet->delay = read_i32(&in);
  if (size < HEAD_SIZE || size > LIMIT) return MESSAGE_IMPOSSIBLE_ANSWER;
  if ((problem = take(connection, (size_t)size - HEAD_SIZE, &in))) return problem;
  put(&packet->data, in.data, in.size);
  return check_delay(packet);
}

static const char *receive_image(Connection *connection, Packet *packet, size_t size) {
  Reader in;
  const char *problem = take(connection, IMAGE_HEAD_SIZE, &in);
  if (problem) return problem;
  packet->images = reallocate(packet->images, sizeof *packet->images * ((size_t)packet->image_count + 1));
  ImageChunk *image = &packet->images[packet->image_count++];
  image->tag = read_u16(&in);
  image->code = read_u8(&in);
  image->size = size;
  image->pixels = allocate(size);
  size_t done = connection->in.size - connection->start;
  done = done < size ? done : size;
  memcpy(image->pixels, connection->in.data + connection->start, done);
  connection->start += done;
  while (!problem && done < size) {
    size_t got = 0;
    problem = receive(connection, image->pixels + done, size - done, &got);
    done += got;
  }
  return problem;
}

static const char *receive_chunk(Connection *connection, Packet *packet) {
  Reader in;
  const char *problem = take(connection, CHUNK_HEAD_SIZE, &in);
  if (problem) return problem;
  const uint32_t size = read_u32(&in);
  const unsigned kind = read_u8(&in);
  if (kind > IMAGE || size > LIMIT) return "a chunk has an impossible type or size";
  if (kind == IMAGE) return receive_image(connection, packet, size);
  if (!(problem = take(connection, size, &in))) put(&packet->data, in.data, in.size);
  return problem;
}

static const char *receive_tcp(Connection *connection, Packet *packet) {
  Reader in;
  const char *problem = take(connection, TCP_HEAD_SIZE, &in);
  if (problem) return problem;
  const unsigned chunks = read_u16(&in);
  const int32_t total = read_i32(&in);
  if (!chunks || total < 4 || total > LIMIT) return MESSAGE_IMPOSSIBLE_ANSWER;
  for (unsigned i = 0; i < chunks; ++i) {
    if ((problem = receive_chunk(connection, packet))) return problem;
    if (packet->data.size > (size_t)total) break;
  }
  if (packet->data.size != (size_t)total)
    return "the chunks of an answer do not have the size that was announced";
  in = (Reader){.data = packet->data.data, .size = packet->data.size};
  packet->delay = read_i32(&in);
  packet->data.size -= 4;
  memmove(packet->data.data, packet->data.data + 4, packet->data.size);
  return check_delay(packet);
}

const char *connection_receive(Connection *connection, Packet *packet) {
  packet_clear(packet);
  return connection->tcp ? receive_tcp(connection, packet) : receive_local(connection, packet);
}

void packet_clear(Packet *packet) {
  for (int i = 0; i < packet->image_count; ++i) free(packet->images[i].pixels);
  packet->image_count = 0;
  packet->data.size = 0;
}

void packet_free(Packet *packet) {
  packet_clear(packet);
  free(packet->images);
  buffer_free(&packet->data);
  *packet = (Packet){0};
}

void connection_free(Connection *connection) {
  if (!connection) return;
  shared_free(connection->shared);
  if (connection->calls.end)
    connection->calls.end(connection->calls.context);
  else
    socket_close(connection->socket);
  buffer_free(&connection->in);
  free(connection);
}
