/* See system.h, ../interruption.h and ../plugin_guard.h. On this system, a simulator offers neither memory
   nor files with pictures: all data comes over TCP. Plugins of robot windows run without a guard. */
#include "system.h"

#ifdef _WIN32
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include "../interruption.h"
#include "../plugin_guard.h"

#define TICKS_1970 116444736000000000 /* from 1601, where this system's times begin, of 100 ns each */

const char SYSTEM_LIBRARY_SUFFIX[] = ".dll";

long system_processors(void) {
  DWORD_PTR own = 0, all = 0;
  long count = 0;
  GetProcessAffinityMask(GetCurrentProcess(), &own, &all);
  for (; own; own &= own - 1) ++count;
  return count;
}

int system_process(void) { return 1; } /* no process is a copy of another one */

int64_t system_changed_ns(const char *path) {
  WIN32_FILE_ATTRIBUTE_DATA about;
  if (!GetFileAttributesExA(path, GetFileExInfoStandard, &about)) return -1;
  const uint64_t high = about.ftLastWriteTime.dwHighDateTime;
  return ((int64_t)(high << 32 | about.ftLastWriteTime.dwLowDateTime) - TICKS_1970) * 100;
}

const char *system_temporary(void) {
  static char folder[MAX_PATH + 1];
  const DWORD size = GetTempPathA(sizeof folder, folder);
  if (size && size < sizeof folder) folder[size - 1] = '\0'; /* it ends with a separator */
  return folder;
}

/* From a folder's root, or a drive, such as C:. */
bool system_is_absolute(const char *path) {
  return *path == '/' || *path == '\\' || (*path && path[1] == ':');
}

double system_number(const char *text, char **end) {
  const _locale_t neutral = _create_locale(LC_ALL, "C");
  const double number = _strtod_l(text, end, neutral);
  _free_locale(neutral);
  return number;
}

void system_flush_lines(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
} /* this system knows no buffer of a line */

void *system_offered_memory(int socket, size_t size) {
  (void)socket, (void)size;
  return NULL;
}

void system_release_memory(void *memory, size_t size) { (void)memory, (void)size; }

void *system_map_file(const char *path, size_t size, int *file, const char **why) {
  (void)path, (void)size, (void)file;
  *why = "pictures come over TCP on this system";
  return NULL;
}

void system_unmap_file(void *memory, size_t size, int file) { (void)memory, (void)size, (void)file; }

bool system_hold_copy(void *memory, size_t size) {
  (void)memory, (void)size;
  return false;
}

bool system_follow_file(void *memory, size_t size, int file) {
  (void)memory, (void)size, (void)file;
  return false;
}

void *system_load_library(const char *name) { return LoadLibraryA(name); }

void *system_find(void *library, const char *name) {
  const FARPROC place = GetProcAddress(library, name);
  return *(void *const *)(const void *)&place;
}

const char *system_library_problem(void) {
  static char text[32];
  snprintf(text, sizeof text, "error %lu of Windows", GetLastError());
  return text;
}

int system_start_between(const char *const *arguments, int simulator, int *own, int64_t *program) {
  (void)arguments, (void)simulator, (void)own, (void)program;
  return ENOSYS;
}

void system_await_program(int64_t program) { (void)program; }

int interruption_begin(void) { return -1; }

bool interruption_end(void) { return false; }

void wbh_guard_begin(const char *plugin, const char *function) { (void)plugin, (void)function; }

void wbh_guard_end(void) {}
#endif
