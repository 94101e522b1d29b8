/* See system.h. */
#include "system.h"

#ifndef _WIN32
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <xlocale.h>
#define st_mtim st_mtimespec
#endif

#include "posix.h"

#define FIRST_FILE 3 /* after stdin, stdout and stderr */

extern char **environ;

#ifdef __APPLE__
const char SYSTEM_LIBRARY_SUFFIX[] = ".dylib";
#else
const char SYSTEM_LIBRARY_SUFFIX[] = ".so";
#endif

long system_processors(void) {
  const long some = posix_processors();
  return some ? some : sysconf(_SC_NPROCESSORS_ONLN);
}

static int process = 1;

static inline void count_copy(void) { ++process; }

int system_process(void) {
#ifndef __EMSCRIPTEN__ /* web pages make no processes */
  static bool counts;
  if (!counts) counts = !pthread_atfork(NULL, NULL, count_copy);
#endif
  return process;
}

int64_t system_changed_ns(const char *path) {
  struct stat about;
  if (stat(path, &about)) return -1;
  return (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec;
}

const char *system_temporary(void) { return "/tmp"; }

bool system_is_absolute(const char *path) { return *path == '/'; }

double system_number(const char *text, char **end) {
  const locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const double number = strtod_l(text, end, neutral);
  freelocale(neutral);
  return number;
}

void system_flush_lines(void) { setvbuf(stdout, NULL, _IOLBF, BUFSIZ); }

/* The file that arrives with the first byte; -1: none. */
static int receive_file(int socket) {
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  char byte;
  struct iovec data = {.iov_base = &byte, .iov_len = 1};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  ssize_t size;
  do size = posix_receive(socket, &message);
  while (size < 0 && errno == EINTR);
  const struct cmsghdr *head = size == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  int file = -1;
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
    memcpy(&file, CMSG_DATA(head), sizeof file);
  return file;
}

void *system_offered_memory(int socket, size_t size) {
  const int file = receive_file(socket);
  if (file < 0) return NULL;
  struct stat about;
  void *memory = MAP_FAILED;
  if (!fstat(file, &about) && about.st_size == (off_t)size)
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

void system_release_memory(void *memory, size_t size) { munmap(memory, size); }

#ifdef __EMSCRIPTEN__
void *(*system_find_memory)(int file, size_t size);
void (*system_leave_memory)(void *memory);

static void *map_file(int file, size_t size) {
  void *content = system_find_memory(file, size);
  return content ? content : MAP_FAILED;
}

static void unmap_file(void *memory, size_t size) {
  (void)size;
  system_leave_memory(memory);
}
#else
static void *map_file(int file, size_t size) { return mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0); }

static void unmap_file(void *memory, size_t size) { munmap(memory, size); }
#endif

void *system_map_file(const char *path, size_t size, int *file, const char **why) {
  struct stat about;
  *file = open(path, O_RDONLY | O_CLOEXEC);
  void *content = MAP_FAILED;
  if (*file >= 0 && (fstat(*file, &about) || (size_t)about.st_size < size))
    *why = "the file is too short";
  else {
    if (*file >= 0) content = map_file(*file, size);
    *why = strerror(errno);
  }
  if (content != MAP_FAILED) return content;
  if (*file >= 0) close(*file);
  return NULL;
}

void system_unmap_file(void *memory, size_t size, int file) {
  unmap_file(memory, size);
  close(file);
}

bool system_hold_copy(void *memory, size_t size) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  return mmap(memory, size, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED;
}

bool system_follow_file(void *memory, size_t size, int file) {
  return mmap(memory, size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
}

void *system_load_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

void *system_find(void *library, const char *name) { return dlsym(library, name); }

const char *system_library_problem(void) { return dlerror(); }

/* Start a program with two files, which keep their numbers here. */
static int spawn(const char *const *arguments, int first, int second, pid_t *program) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  /* Copies above all used descriptors, so that neither is overwritten before it is moved. */
  const int copies[] = {fcntl(first, F_DUPFD_CLOEXEC, FIRST_FILE + 2),
                        fcntl(second, F_DUPFD_CLOEXEC, FIRST_FILE + 2)};
  for (int i = 0; i < 2; ++i) posix_spawn_file_actions_adddup2(&actions, copies[i], FIRST_FILE + i);
  const int problem =
      posix_spawnp(program, arguments[0], &actions, NULL, (char *const *)(void *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  for (int i = 0; i < 2; ++i) close(copies[i]);
  return problem;
}

int system_start_between(const char *const *arguments, int simulator, int *own, int64_t *program) {
  int ends[2];
  pid_t number = 0;
  if (!posix_socket_pair(ends)) return errno;
  const int problem = spawn(arguments, ends[1], simulator, &number);
  close(ends[1]);
  *own = ends[0];
  *program = number;
  if (problem) close(ends[0]);
  return problem;
}

void system_await_program(int64_t program) { waitpid((pid_t)program, NULL, 0); }
#endif
