/* The user's controller, and replacements of C library functions that it calls. */
#ifndef CONTROLLER_H
#define CONTROLLER_H

/* Its main(). */
int controller_main(int count, char **arguments);

/* Replace exit(), abort() and related functions. */
_Noreturn void controller_exit(int status);
_Noreturn void controller_abort(void);

#endif
