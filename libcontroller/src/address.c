/* See address.h. */
#include "address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "generated/messages.h"
#include "platform/system.h"

#define REST_OF_PATH "/ipc//extern"

static const char URL[] = "WEBOTS_CONTROLLER_URL";
static const char TOKEN[] = "WBRIDGE_CONTROLLER_TOKEN"; /* for addresses that contain none */

static const char *environment(const char *name) {
  const char *found = getenv(name);
  return found ? found : "";
}

static bool is_number(const char *text, size_t size) { return size && strspn(text, "0123456789") >= size; }

static char *part(const char *start, size_t size) {
  char *made = allocate(size + 1);
  memcpy(made, start, size);
  return made;
}

static bool parse_tcp(Address *address, const char *where, size_t size) {
  const char *colon = where + size;
  while (colon > where && *colon != ':') --colon;
  const size_t digits = size - (size_t)(colon - where) - 1;
  if (colon == where || digits > 5 || !is_number(colon + 1, digits)) return false;
  address->scheme = TCP;
  address->host = part(where, (size_t)(colon - where));
  address->port = (int)strtol(colon + 1, NULL, 10);
  return address->port > 0 && address->port < 65536;
}

/* The token of an address, with the mark before it; NULL if there is none. */
static const char *token_in(const char *url) {
  static const char *const MARKS[] = {"?token=", "%3Ftoken%3D"};
  const char *last = NULL;
  for (int i = 0; i < 2 && !last; ++i) {
    for (const char *mark = strstr(url, MARKS[i]); mark; mark = strstr(mark + 1, MARKS[i])) last = mark;
  }
  return last;
}

/* Move the token of an address from the robot's name to the field of its own. */
static void split_token(Address *address) {
  char *mark = (char *)token_in(address->robot);
  keep_text(&address->token, environment(TOKEN));
  if (!mark) return;
  const char *end = *mark == '?' ? strchr(mark, '=') : strstr(mark, "%3D") + 2;
  if (end[1]) keep_text(&address->token, end + 1);
  *mark = '\0';
}

static bool parse_url(Address *address, const char *url) {
  const char *separator = strstr(url, "://");
  if (!separator) {
    keep_text(&address->robot, url);
    return true;
  }
  const char *where = separator + 3;
  const size_t size = strcspn(where, "/?"), scheme = (size_t)(separator - url);
  keep_text(&address->robot, where + size + (where[size] == '/'));
  split_token(address);
  if (scheme == 3 && !memcmp(url, "ipc", 3) && is_number(where, size)) {
    free(address->instance);
    address->instance = part(where, size);
    return true;
  }
  return scheme == 3 && !memcmp(url, "tcp", 3) && parse_tcp(address, where, size);
}

bool address_from_environment(Address *address) {
  const char *folder = environment("WEBOTS_INSTANCE_PATH"), *robot = environment("WEBOTS_ROBOT_NAME");
  *address = (Address){.scheme = LOCAL};
  keep_text(&address->instance, folder);
  keep_text(&address->robot, robot);
  if (*folder && *robot) {
    address->scheme = INTERN;
    return true;
  }
  keep_text(&address->instance, "");
  if (parse_url(address, environment(URL))) return true;
  const char *url = environment(URL), *mark = token_in(url);
  Texts shown = {0};
  texts_add(&shown, "%.*s%s", mark ? (int)(mark - url) : (int)strlen(url), url, mark ? "?token=***" : "");
  fprintf(stderr, "Error: " MESSAGE_INVALID_ADDRESS "\n", URL, shown.items[0], MESSAGE_ADDRESS_FORMS);
  texts_free(&shown);
  return false;
}

void address_free(Address *address) {
  free(address->robot);
  free(address->instance);
  free(address->host);
  free(address->token);
  *address = (Address){0};
}

/* Folders. */

typedef struct {
  Texts *paths;
  const char *folder, *prefix, *rest;
} Entries;

static void add_entry(void *context, const char *name) {
  const Entries *wanted = context;
  Texts *paths = wanted->paths;
  if (name[0] == '.' || strncmp(name, wanted->prefix, strlen(wanted->prefix))) return;
  texts_add(paths, "%s/%s%s", wanted->folder, name, wanted->rest);
  if (!system_exists(paths->items[paths->count - 1])) free(paths->items[--paths->count]);
}

/* Append the entries of a folder that begin with a prefix and contain `rest`. */
static void add_entries(Texts *paths, const char *folder, const char *prefix, const char *rest) {
  system_list(folder, add_entry, &(Entries){paths, folder, prefix, rest});
}

/* The two parent folders of instance folders: of R2023b and later, and of R2023a. */
static void instance_roots(Texts *roots) {
  Texts temporary = {0};
  const char *user = *environment("USER") ? environment("USER") : environment("USERNAME");
  const char *older = environment("WEBOTS_TMPDIR");
  if (strstr(environment("WEBOTS_HOME"), "/snap/webots"))
    texts_add(&temporary, "%s/snap/webots/common/tmp", environment("HOME"));
  else
    texts_add(&temporary, "%s", system_temporary());
  texts_add(roots, "%s/webots/%s", temporary.items[0], *user ? user : "default");
  texts_add(roots, "%s", *older ? older : temporary.items[0]);
  texts_free(&temporary);
}

static void add_newest(Texts *folders, const Texts *roots) {
  static const char *const PREFIXES[] = {"", "webots-"};
  Texts found = {0};
  const char *newest = NULL;
  int64_t newest_ns = -1;
  for (int i = 0; i < 2; ++i) add_entries(&found, roots->items[i], PREFIXES[i], "/ipc");
  for (int i = 0; i < found.count; ++i) {
    found.items[i][strlen(found.items[i]) - strlen("/ipc")] = '\0';
    const int64_t changed_ns = system_changed_ns(found.items[i]);
    if (changed_ns <= newest_ns) continue;
    newest = found.items[i];
    newest_ns = changed_ns;
  }
  if (newest) texts_add(folders, "%s", newest);
  texts_free(&found);
}

void instance_folders(const Address *address, Texts *folders) {
  if (address->scheme == INTERN) {
    size_t size = strlen(address->instance);
    while (size > 1 && address->instance[size - 1] == '/') --size;
    texts_add(folders, "%.*s", (int)size, address->instance);
    return;
  }
  Texts roots = {0};
  instance_roots(&roots);
  if (*address->instance) {
    texts_add(folders, "%s/%s", roots.items[0], address->instance);
    texts_add(folders, "%s/webots-%s", roots.items[1], address->instance);
  } else
    add_newest(folders, &roots);
  texts_free(&roots);
}

static void add_named(Texts *sockets, const char *folder, const char *robot, const char *kind) {
  Texts names = {0};
  folder_names(&names, robot, strlen(folder) + strlen(REST_OF_PATH));
  for (int i = 0; i < names.count; ++i) {
    texts_add(sockets, "%s/ipc/%s/%s", folder, names.items[i], kind);
    if (!system_exists(sockets->items[sockets->count - 1])) free(sockets->items[--sockets->count]);
  }
  texts_free(&names);
}

static void add_all(Texts *sockets, const char *folder, const char *kind) {
  Texts ipc = {0}, rest = {0};
  texts_add(&ipc, "%s/ipc", folder);
  texts_add(&rest, "/%s", kind);
  add_entries(sockets, ipc.items[0], "", rest.items[0]);
  texts_sort(sockets);
  texts_free(&ipc);
  texts_free(&rest);
}

void local_sockets(const Address *address, Texts *sockets) {
  const char *kind = address->scheme == INTERN ? "intern" : "extern";
  Texts folders = {0};
  instance_folders(address, &folders);
  for (int i = 0; i < folders.count; ++i) {
    if (*address->robot)
      add_named(sockets, folders.items[i], address->robot, kind);
    else if (!sockets->count) /* several layouts list the same robots */
      add_all(sockets, folders.items[i], kind);
  }
  texts_free(&folders);
}

void waiting_robots(Texts *places) {
  static const char *const PREFIXES[] = {"", "webots-"};
  Texts roots = {0};
  instance_roots(&roots);
  for (int i = 0; i < 2; ++i) {
    const size_t front = strlen(roots.items[i]) + 1 + strlen(PREFIXES[i]);
    Texts folders = {0};
    add_entries(&folders, roots.items[i], PREFIXES[i], "");
    for (int j = 0; j < folders.count; ++j) {
      const char *number = folders.items[j] + front;
      Texts doors = {0};
      add_all(&doors, folders.items[j], "extern");
      for (int k = 0; k < doors.count && is_number(number, strlen(number)); ++k) {
        const char *name = doors.items[k] + strlen(folders.items[j]) + strlen("/ipc/");
        texts_add(places, "%s/%.*s", number, (int)strcspn(name, "/"), name);
      }
      texts_free(&doors);
    }
    texts_free(&folders);
  }
  texts_free(&roots);
}

bool is_loading(const Address *address) {
  Texts folders = {0}, marker = {0};
  bool found = false;
  instance_folders(address, &folders);
  for (int i = 0; i < folders.count; ++i) {
    texts_add(&marker, "%s/loading", folders.items[i]);
    found = found || system_exists(marker.items[i]);
  }
  texts_free(&folders);
  texts_free(&marker);
  return found;
}
