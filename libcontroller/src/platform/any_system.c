/* See system.h: what all systems have, from POSIX, which MinGW has in part. */
#include <dirent.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "system.h"

int64_t system_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void system_sleep(int seconds) { nanosleep(&(struct timespec){.tv_sec = seconds}, NULL); }

bool system_exists(const char *path) { return access(path, F_OK) == 0; }

void system_list(const char *folder, void (*take)(void *context, const char *name), void *context) {
  DIR *listing = opendir(folder);
  for (const struct dirent *entry = listing ? readdir(listing) : NULL; entry; entry = readdir(listing))
    take(context, entry->d_name);
  if (listing) closedir(listing);
}

char *system_current_folder(void) { return getcwd(NULL, 0); }

bool system_are_alike(const char *text, const char *other) { return !strcasecmp(text, other); }

bool system_prints_on_terminal(void) { return isatty(STDOUT_FILENO); }
