/* The user's controller, and what takes the place of the C library's functions in it. */
#ifndef CONTROLLER_H
#define CONTROLLER_H

/* Its function main. */
int controller_main(int count, char **arguments);

/* exit, abort and their like. */
_Noreturn void controller_exit(int status);
_Noreturn void controller_abort(void);

#endif
