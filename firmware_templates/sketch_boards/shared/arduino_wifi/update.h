/* Firmware over the air, and the board's name in the network. */
#ifndef UPDATE_H
#define UPDATE_H

/* Offers updates while the board is in the network, if secrets.h has a password for them. Call it again and
 * again. */
void update_poll(bool is_up);

#endif
