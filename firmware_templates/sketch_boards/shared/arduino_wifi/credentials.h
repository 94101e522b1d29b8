/* Name and password of the network: those that were stored over the serial line, else those of secrets.h. */
#ifndef CREDENTIALS_H
#define CREDENTIALS_H

const char *credentials_name();
const char *credentials_password();

/* Reads from the serial line, which the link does not use. Returns true if the network has changed. */
bool credentials_poll();

#endif
