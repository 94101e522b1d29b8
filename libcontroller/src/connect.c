/* See connect.h. */
#include "connect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "generated/messages.h"
#include "platform/sockets.h"
#include "platform/system.h"
#include "report.h"
#include "waiting.h"

#define ATTEMPTS 50
#define REPLY 10   /* maximum size of a reply to the handshake, in bytes */
#define NAMES 4096 /* maximum size including the robot names, in bytes */
#define PATIENCE 1 /* maximum wait for the robot names, and for a look at signals, in s */

typedef enum { DONE, RETRY, WAIT, GIVE_UP } Outcome; /* WAIT: retry without counting the attempt */

typedef struct {
  const Address *address;
  int tried;
  Connection *connection;
  char why[2048];
} Attempt;

static Outcome connected(Attempt *attempt, int socket, bool tcp) {
  attempt->connection = allocate(sizeof *attempt->connection);
  attempt->connection->socket = socket;
  attempt->connection->tcp = tcp;
  spin_init(&attempt->connection->spin);
  return DONE;
}

static Outcome no_socket(Attempt *attempt) {
  const Address *address = attempt->address;
  if (is_loading(address)) {
    snprintf(attempt->why, sizeof attempt->why, MESSAGE_LOADING_WORLD);
    return WAIT;
  }
  Texts who = {0}, where = {0};
  texts_add(&who, *address->robot ? MESSAGE_NAMED_ROBOT : MESSAGE_EXTERN_ROBOT "%s", address->robot);
  texts_add(&where, *address->instance ? MESSAGE_IN_INSTANCE : "%s", address->instance);
  char *hint = hint_from_here(address);
  snprintf(attempt->why, sizeof attempt->why, MESSAGE_NO_SIMULATOR_FOUND, who.items[0], where.items[0], hint);
  free(hint);
  texts_free(&who);
  texts_free(&where);
  return RETRY;
}

static Outcome several(Attempt *attempt, const Texts *sockets) {
  char names[sizeof attempt->why - 128] = ""; /* the advice after them is never cut off */
  size_t size = 0;
  for (int i = 0; i < sockets->count && size < sizeof names; ++i) {
    const char *end = strrchr(sockets->items[i], '/'), *start = end;
    while (start[-1] != '/') --start;
    size += (size_t)snprintf(names + size, sizeof names - size, "%s%.*s", i ? ", " : "", (int)(end - start),
                             start);
  }
  snprintf(attempt->why, sizeof attempt->why, MESSAGE_SEVERAL_ROBOTS, names);
  return GIVE_UP;
}

/* The path of the socket beside `path` that offers shared memory; NULL if there is none, or this controller
   may not spin. Free the result. */
static char *shared_socket(const char *path) {
  Spin spin;
  spin_init(&spin);
  Texts beside = {0};
  texts_add(&beside, "%s" SHARED_SUFFIX, path);
  char *offered = NULL;
  if (spin.rest >= 0 && strlen(beside.items[0]) <= socket_longest_path() && system_exists(beside.items[0]))
    keep_text(&offered, beside.items[0]);
  texts_free(&beside);
  return offered;
}

/* offers: the simulator sends memory for packets over this socket. A simulator of another user would choose
   what this controller does. */
static Outcome connect_socket(Attempt *attempt, const char *path, bool offers) {
  bool is_own = false;
  const int opened = socket_open_local(path, &is_own);
  if (opened >= 0 && is_own) {
    connected(attempt, opened, false);
    if (offers) attempt->connection->shared = shared_accept(opened);
    return DONE;
  }
  if (opened < 0) {
    snprintf(attempt->why, sizeof attempt->why, MESSAGE_NO_CONNECTION, path, strerror(errno));
    return RETRY;
  }
  snprintf(attempt->why, sizeof attempt->why, MESSAGE_OTHER_USERS_SIMULATOR, path);
  socket_close(opened);
  return GIVE_UP;
}

static Outcome connect_local(Attempt *attempt) {
  Texts sockets = {0};
  Outcome outcome;
  local_sockets(attempt->address, &sockets);
  if (!sockets.count)
    outcome = no_socket(attempt);
  else if (sockets.count > 1 && !*attempt->address->robot)
    outcome = several(attempt, &sockets);
  else {
    char *shared = shared_socket(sockets.items[0]);
    outcome = connect_socket(attempt, shared ? shared : sockets.items[0], shared != NULL);
    free(shared);
  }
  texts_free(&sockets);
  return outcome;
}

/* A connected TCP socket, or -1. */
static int open_tcp(const Address *address, const char **why) {
  char port[8];
  snprintf(port, sizeof port, "%d", address->port);
  return socket_open_tcp(address->host, port, why);
}

/* Read the names of robots, which wbridge, unlike Webots, appends to a refusal. */
static ptrdiff_t read_names(int socket, char reply[NAMES + 1], ptrdiff_t size) {
  socket_set_patience(socket, PATIENCE);
  ptrdiff_t more = 1;
  while (more > 0 && size < NAMES) {
    more = socket_receive(socket, reply + size, (size_t)(NAMES - size), false);
    size += more > 0 ? more : 0;
  }
  return size;
}

/* Send the handshake with the robot's name; the reply is NUL-terminated. */
static void greet(int socket, const Attempt *attempt, char reply[NAMES + 1]) {
  /* Some releases expect the encoded name, others the plain name: alternate between them. */
  const char *token = attempt->address->token;
  Texts greeting = {0}, plain = {0};
  texts_add(&plain, "%s%s%s", attempt->address->robot, *token ? "?token=" : "", token);
  char *encoded = encoded_name(plain.items[0]);
  const char *name = attempt->tried % 2 ? plain.items[0] : encoded;
  texts_add(&greeting, *name ? "CTR\nRobot-Name: %s" : "CTR%s", name);
  Connection connection = {.socket = socket};
  ptrdiff_t size = 0;
  if (!connection_send(&connection, greeting.items[0], strlen(greeting.items[0]))) {
    socket_set_patience(socket, PATIENCE); /* a signal may come just before the wait */
    do size = socket_receive(socket, reply, REPLY, false);
    while (size < 0 && errno == EAGAIN && !report_is_interrupted());
    socket_set_patience(socket, 0);
  }
  const ptrdiff_t refused = (ptrdiff_t)strlen(REFUSED);
  if (size >= refused && !memcmp(reply, REFUSED, (size_t)refused)) size = read_names(socket, reply, size);
  reply[size > 0 ? size : 0] = '\0';
  texts_free(&greeting);
  texts_free(&plain);
  free(encoded);
}

static Outcome connect_tcp(Attempt *attempt) {
  const Address *address = attempt->address;
  const char *why = "no address";
  char reply[NAMES + 1];
  report_wait(true); /* the simulator may take its time */
  const int made = open_tcp(address, &why);
  if (made >= 0) {
    socket_send_at_once(made);
    greet(made, attempt, reply);
  }
  report_wait(false);
  if (made < 0) {
    char *hint = hint_from_here(address);
    snprintf(attempt->why, sizeof attempt->why, MESSAGE_NO_CONNECTION_OVER_TCP, address->host, address->port,
             why, hint);
    free(hint);
    return RETRY;
  }
  if (!strcmp(reply, "CONNECTED")) return connected(attempt, made, true);
  socket_close(made);
  if (!strcmp(reply, "FORBIDDEN")) {
    snprintf(attempt->why, sizeof attempt->why, MESSAGE_REFUSED_CONTROLLER, address->host, address->port,
             *address->token ? "wrong" : "missing");
    return GIVE_UP;
  }
  if (!strcmp(reply, "PROCESSING")) {
    snprintf(attempt->why, sizeof attempt->why, MESSAGE_LOADING_WORLD);
    return WAIT;
  }
  Texts who = {0};
  texts_add(&who, *address->robot ? MESSAGE_NAMED_ROBOT : MESSAGE_ONE_EXTERN_ROBOT "%s", address->robot);
  char *hint = hint_from_reply(address, reply);
  snprintf(attempt->why, sizeof attempt->why, MESSAGE_NO_SUCH_ROBOT, address->host, address->port,
           who.items[0], hint);
  free(hint);
  texts_free(&who);
  return RETRY;
}

static void say_once(const char *why, char *said, size_t size) {
  if (!strcmp(why, said)) return;
  snprintf(said, size, "%s", why);
  report_line(MESSAGE_RETRYING, said);
}

/* Retry until the connection succeeds or fails; the connection, or NULL. */
static Connection *try_again(const Address *address) {
  Attempt attempt = {.address = address};
  char said[sizeof attempt.why] = "";
  for (;;) {
    const Outcome outcome = address->scheme == TCP ? connect_tcp(&attempt) : connect_local(&attempt);
    if (outcome == DONE) return attempt.connection;
    if (report_is_interrupted()) return NULL; /* by a signal while the simulator did not answer */
    attempt.tried += outcome == RETRY;
    if (outcome == GIVE_UP || attempt.tried >= ATTEMPTS) break;
    say_once(attempt.why, said, sizeof said);
    report_wait(true);
    system_sleep(1);
    report_wait(false);
    if (report_is_interrupted()) return NULL;
  }
  if (attempt.tried >= ATTEMPTS)
    report_line("Error: " MESSAGE_GAVE_UP, attempt.why, ATTEMPTS);
  else
    report_line("Error: %s", attempt.why);
  return NULL;
}

Connection *connect_simulator(void) {
  Address address;
  Connection *connection = address_from_environment(&address) ? try_again(&address) : NULL;
  address_free(&address);
  return connection;
}
