/* Types, field offsets and sizes of the robot link's messages. */
#ifndef LINK_MESSAGES_H
#define LINK_MESSAGES_H

#define LINK_VERSION 1

enum link_kind {
  LINK_HELLO = 1,
  LINK_WELCOME,
  LINK_REFUSAL,
  LINK_REQUEST,
  LINK_REPLY,
  LINK_READ_TABLE,
  LINK_TABLE_PART,
  LINK_TOKEN
};

/* Flags of requests, welcomes and replies. */
#define LINK_ENABLE 1
#define LINK_PART 2
#define LINK_CONTINUE 4
#define LINK_LEAVE 8
#define LINK_ACKNOWLEDGE 16
#define LINK_VIRTUAL 1
#define LINK_FAULT_SHIFT 4 /* of the fault in a welcome's flags */
#define LINK_MORE 1
#define LINK_LOST 2
#define LINK_LATCHED 4

enum link_reason {
  REFUSED_VERSION = 1,
  REFUSED_TABLE,
  REFUSED_BUSY,
  REFUSED_SESSION,
  REFUSED_MESSAGE,
  REFUSED_TOKEN,
  REFUSED_TOPIC
};

#define CHECK_BYTES 4
#define HASH_BYTES 8
#define MAX_BUILD 32
#define MAX_WATCHDOG 10000u /* ms */

/* Bytes before the build name, or before the entries. */
#define HELLO_HEAD 18
#define REQUEST_HEAD 10
#define REPLY_HEAD 12
#define WELCOME_HEAD 18
#define REFUSAL_HEAD 11
#define READ_TABLE_BYTES 7
#define TABLE_PART_HEAD 11

/* If this bit of an entry's number is set, the rest is a slot number. */
#define PERIOD_BIT 0x8000u

#endif
