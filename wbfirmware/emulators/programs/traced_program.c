/* Runs a program of this computer and records which of certain instructions it executes.

   usage: traced_program TRACE PROGRAM ARGUMENTS...
   TRACE is a file of numbers of 64 bits: the first becomes 1 once the program is traced; the others are the
   addresses of instructions as in the program's file, in ascending order, whose highest bit becomes 1 when
   they
   are executed. Each of them is a breakpoint that is removed on its first execution, so the program
   behaves as without tracing and is hardly slower. It ends as the program ends. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define DONE (UINT64_C(1) << 63)

#if defined __x86_64__
static const uint8_t breakpoint[] = {0xCC}; /* int3: the processor stops after it */
#define COUNTER(registers) ((registers).rip)
#define BEYOND sizeof breakpoint
#elif defined __aarch64__
static const uint8_t breakpoint[] = {0x00, 0x00, 0x20, 0xD4}; /* brk #0: it stops there */
#define COUNTER(registers) ((registers).pc)
#define BEYOND 0
#endif

static pid_t child;
static int memory; /* of the traced program */
static uint64_t *trace, base;
static size_t places;
static uint8_t (*code)[sizeof breakpoint]; /* the original code at each place */

static void fail(const char *what) {
  printf("ended %s: %s\n", what, strerror(errno));
  fflush(stdout);
  exit(2);
}

static void open_trace(const char *path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) fail("the trace cannot be opened");
  trace = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (trace == MAP_FAILED) fail("the trace cannot be mapped");
  places = (size_t)about.st_size / sizeof *trace - 1;
  code = calloc(places + 1, sizeof *code);
}

/* Returns the load address of the program, which is arbitrary. */
static uint64_t load_base(const char *program) {
  Elf64_Ehdr head;
  Elf64_auxv_t entry = {0};
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/auxv", (int)child);
  const int file = open(program, O_RDONLY), words = open(path, O_RDONLY);
  if (read(file, &head, sizeof head) != sizeof head) fail("the program cannot be read");
  while (read(words, &entry, sizeof entry) == sizeof entry && entry.a_type != AT_ENTRY) {
  }
  close(file);
  close(words);
  return entry.a_un.a_val - head.e_entry;
}

static void put(size_t place, const uint8_t *bytes) {
  if (pwrite(memory, bytes, sizeof breakpoint, (off_t)(base + trace[place])) != sizeof breakpoint)
    fail("the program's memory cannot be written");
}

/* Called at the program's first instruction. */
static void set_breakpoints(const char *program) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", (int)child);
  memory = open(path, O_RDWR | O_CLOEXEC);
  if (memory < 0) fail("the program's memory cannot be opened");
  base = load_base(program);
  for (size_t k = 1; k <= places; k++) {
    if (pread(memory, code[k], sizeof breakpoint, (off_t)(base + trace[k])) != sizeof breakpoint)
      fail("the program's memory cannot be read");
    put(k, breakpoint);
  }
  trace[0] = 1;
}

/* Returns the index of an address; 0 if there is none. */
static size_t find(uint64_t address) {
  size_t low = 1, high = places + 1;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if ((trace[middle] & ~DONE) < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low <= places && trace[low] == address ? low : 0;
}

/* Handles the trap of a breakpoint: records it and restores the code; false for other traps. */
static bool at_breakpoint(void) {
  struct user_regs_struct registers;
  struct iovec part = {&registers, sizeof registers};
  if (ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &part) != 0)
    fail("the program's registers cannot be read");
  const size_t place = find(COUNTER(registers) - BEYOND - base);
  if (place == 0) return false;
  put(place, code[place]);
  trace[place] |= DONE;
  COUNTER(registers) -= BEYOND;
  if (ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &part) != 0)
    fail("the program's registers cannot be written");
  return true;
}

/* Ends like the program. */
static void end(int status) {
  if (WIFEXITED(status)) exit(WEXITSTATUS(status));
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none); /* the program has already written one, if enabled */
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
}

static void start(char **command) {
  child = fork();
  if (child < 0) fail("there is no process for the program");
  if (child > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  ptrace(PTRACE_TRACEME, 0, NULL, NULL); /* if this is forbidden, the program runs without tracing */
  execv(*command, command);
  fail("the program cannot be started");
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  open_trace(argv[1]);
  start(argv + 2);
  for (int status; waitpid(child, &status, 0) == child;) {
    if (!WIFSTOPPED(status)) end(status);
    int signal_number = WSTOPSIG(status);
    if (signal_number == SIGTRAP && trace[0] == 0) {
      set_breakpoints(argv[2]);
      signal_number = 0;
    } else if (signal_number == SIGTRAP && at_breakpoint()) {
      signal_number = 0;
    }
    ptrace(PTRACE_CONT, child, NULL, signal_number);
  }
  return 2;
}
