/* Locate a controller's simulator: environment variables, folders of local instances, names of robots. */
#ifndef ADDRESS_H
#define ADDRESS_H

#include "names.h"

typedef enum { LOCAL, INTERN, TCP } Scheme; /* INTERN: the simulator has started the controller */

typedef struct {
  Scheme scheme;
  char *robot;    /* as given; "": the only robot that waits for a controller */
  char *instance; /* LOCAL: a number ("": the newest); INTERN: the folder */
  char *host;
  int port;
  char *token; /* what the simulator requires over TCP; "": the address contains none */
} Address;

/* Read the address from the environment variables; false, with an error message, if the URL is invalid. */
bool address_from_environment(Address *address);

/* The candidate instance folders of an address, and the sockets that accept this controller. */
void instance_folders(const Address *address, Texts *folders);
void local_sockets(const Address *address, Texts *sockets);

/* The addresses of all robots that wait on this machine, as NUMBER/ENCODED_NAME. */
void waiting_robots(Texts *places);

/* True while the simulator is loading a world. */
bool is_loading(const Address *address);

void address_free(Address *address);

#endif
