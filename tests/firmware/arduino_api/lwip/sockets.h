/* Declarations of the sockets of ESP32. */
#ifndef LWIP_SOCKETS_H
#define LWIP_SOCKETS_H

#include <stddef.h>
#include <sys/types.h>

#define MSG_DONTWAIT 8

extern "C" ssize_t send(int number, const void *data, size_t size, int flags);

#endif
