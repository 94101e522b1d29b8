/* Where a controller's simulator is: environment, folders of local instances, and names of robots. */
#ifndef ADDRESS_H
#define ADDRESS_H

#include "names.h"

typedef enum { LOCAL, INTERN, TCP } Scheme; /* INTERN: the simulator has started the controller */

typedef struct {
  Scheme scheme;
  char *robot;    /* as given; "": the only one that waits for a controller */
  char *instance; /* LOCAL: a number, "": the newest; INTERN: the folder */
  char *host;
  int port;
} Address;

/* The address in the environment variables; false, with a message, when the URL is none. */
bool address_from_environment(Address *address);

/* Folders of instances that an address may mean, and the sockets that wait for this controller. */
void instance_folders(const Address *address, Texts *folders);
void local_sockets(const Address *address, Texts *sockets);

/* The addresses of all robots that wait on this machine, as NUMBER/ENCODED_NAME. */
void waiting_robots(Texts *places);

/* True while the simulator loads a world. */
bool is_loading(const Address *address);

void address_free(Address *address);

#endif
