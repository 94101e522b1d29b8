/* Gives the library what a hostile simulator might send: each case of a file goes through a socket to the
   decoder.

   The file: for each case a byte (1: framed as over TCP), the size (four bytes) and the bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "robot.h"

static long accepted, refused;

/* Send bytes by one end of a pair of sockets; the other end is for the decoder. */
static int filled_socket(const unsigned char *data, size_t size) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || write(ends[0], data, size) != (ssize_t)size) exit(2);
  close(ends[0]);
  return ends[1];
}

static void decode(const unsigned char *data, size_t size, bool tcp) {
  Connection *connection = allocate(sizeof *connection);
  Packet packet = {0};
  connection->socket = filled_socket(data, size);
  connection->tcp = tcp;
  Robot *robot = robot_new(NULL);
  const char *problem = NULL;
  while (!problem && !(problem = connection_receive(connection, &packet))) {
    problem = robot_take(robot, packet.data.data, packet.data.size);
    ++*(problem ? &refused : &accepted);
  }
  packet_free(&packet);
  connection_free(connection);
  robot_free(robot);
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  unsigned char head[5];
  while (file && fread(head, 1, sizeof head, file) == sizeof head) {
    Reader in = {.data = head, .size = sizeof head};
    const bool tcp = read_bool(&in);
    const size_t size = read_u32(&in);
    unsigned char *data = allocate(size);
    if (fread(data, 1, size, file) != size) return 2;
    decode(data, size, tcp);
    free(data);
  }
  printf("%ld %ld\n", accepted, refused);
  return file ? fclose(file) : 2;
}
