/* Processes, memory and libraries: what differs among systems. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of processors that this process may use. */
long system_processors(void);

/* A number of this process that is not 0 and that no process has which fork() makes of it; without a call of
 * the system, as each step asks. */
int system_process(void);

/* A time that only grows, in ns. */
int64_t system_now_ns(void);

/* Wait; a signal ends the wait early. */
void system_sleep(int seconds);

bool system_exists(const char *path);

/* When a file was changed, in ns; -1: there is no such file. */
int64_t system_changed_ns(const char *path);

/* Call `take` for each entry of a folder; not at all if it cannot be read. */
void system_list(const char *folder, void (*take)(void *context, const char *name), void *context);

/* Whether a path needs no current folder before it, and that folder: free the result; NULL on failure. */
bool system_is_absolute(const char *path);
char *system_current_folder(void);

/* Whether a person sees what the program prints. */
bool system_prints_on_terminal(void);

/* The folder of temporary files. */
const char *system_temporary(void);

/* Read a number as `strtod` does, independently of the program's locale. */
double system_number(const char *text, char **end);

/* Whether two texts differ only in small and capital letters. */
bool system_are_alike(const char *text, const char *other);

/* Let what the program prints appear after each line. */
void system_flush_lines(void);

/* Memory that the other side of a local socket offers; NULL: it offers none of this size. */
void *system_offered_memory(int socket, size_t size);
void system_release_memory(void *memory, size_t size);

/* A file that another process writes, in memory; NULL, with the reason, on failure. `file`: its descriptor.
 */
void *system_map_file(const char *path, size_t size, int *file, const char **why);
void system_unmap_file(void *memory, size_t size, int file);

#ifdef __EMSCRIPTEN__
/* In a web page, where maps of files are copies, the host finds the memory that the simulator writes, and
   leaves it. */
extern void *(*system_find_memory)(int file, size_t size);
extern void (*system_leave_memory)(void *memory);
#endif

/* Replace the memory of a file by a copy at the same address, or follow the file again. False if that fails.
 */
bool system_hold_copy(void *memory, size_t size);
bool system_follow_file(void *memory, size_t size, int file);

/* Load a library; NULL on failure: see system_library_problem. */
void *system_load_library(const char *name);
void *system_find(void *library, const char *name);
const char *system_library_problem(void);
/* How names of libraries end, with the dot. */
extern const char SYSTEM_LIBRARY_SUFFIX[];

/* Start a program whose files 3 and 4 are two sockets: a new one, whose other end is `own`, and `simulator`.
   Returns 0 or a number of errno. */
int system_start_between(const char *const *arguments, int simulator, int *own, int64_t *program);
void system_await_program(int64_t program);

#endif
