/* Updates of a sketch on a Pico W: a program in flash at 0x10000000, a file system beside it, and the boot
 * loader of arduino-pico, which copies a file into flash after PicoOTA's commit(). A process is a start of
 * the board; the folder in argv[1] has its flash and its files. Lines on standard input: MS 0|1 is the time
 * and whether the board is in the network; `update NAME` brings a program, `abort` ends its transfer before
 * it is complete. Exit code 3: the board starts again. argv[2]: writes to files until the power fails. */
#include <Arduino.h>
#include <ArduinoOTA.h>
#include <LittleFS.h>
#include <PicoOTA.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "network.h"
#include "resets.h"
#include "update.h"

extern "C" {
#include "robot.h"
}

#define FLASH ((uint8_t *)0x10000000)
#define FLASH_BYTES 1024 /* as the linker places __flash_binary_end */
#define AGAIN 3

ArduinoOTAClass ArduinoOTA;
FS LittleFS;
PicoOTA picoOTA;
RP2040 rp2040;
static unsigned long now;
static std::string folder;
static std::function<void(void)> on_start;
static std::function<void(ota_error_t)> on_error;
static long writes_left = -1;

unsigned long millis() { return now; }
void robot_stop(void) { printf("robot_stop\n"); }
void watchdog_feed() {}
void watchdog_wait(bool) {}
void network_print(const char *what, const char *which) { printf("%s%s\n", what, which); }

static std::string path(const char *name) { return folder + "/" + (*name == '/' ? name + 1 : name); }

/* The power may fail at each of them. */
static void note_write() {
  if (writes_left > 0 && --writes_left == 0) {
    fflush(nullptr);
    _exit(AGAIN);
  }
}

int File::read() { return fgetc((FILE *)of); }
size_t File::write(uint8_t byte) { return write(&byte, 1); }
size_t File::write(const uint8_t *data, size_t size) {
  note_write();
  if (of == nullptr || getenv("FULL") != nullptr) return 0;
  return fwrite(data, 1, size, (FILE *)of);
}
void File::close() {
  if (of != nullptr) fclose((FILE *)of);
  of = nullptr;
}
File::operator bool() const { return of != nullptr; }
bool FS::begin() { return true; }
void FS::end() {}
File FS::open(const char *name, const char *mode) {
  File file;
  file.of = fopen(path(name).c_str(), mode);
  return file;
}
bool FS::remove(const char *name) {
  note_write();
  return unlink(path(name).c_str()) == 0;
}

static std::string offered;
void PicoOTA::begin() { offered = ""; }
bool PicoOTA::addFile(const char *name) {
  if (access(path(name).c_str(), R_OK) != 0) return false;
  offered = name;
  return true;
}
bool PicoOTA::commit() {
  note_write();
  FILE *file = fopen(path("command").c_str(), "w");
  fputs(offered.c_str(), file);
  return fclose(file) == 0;
}

static void save_flash() {
  FILE *file = fopen(path("flash").c_str(), "w");
  fwrite(FLASH, 1, FLASH_BYTES, file);
  fclose(file);
}

/* What the boot loader does: a file that is committed takes the place of the program. */
static void boot() {
  mmap(FLASH, FLASH_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  char name[64] = "/flash";
  FILE *command = fopen(path("command").c_str(), "r");
  if (command != nullptr) {
    name[fread(name, 1, sizeof name - 1, command)] = 0;
    fclose(command);
  }
  FILE *file = fopen(path(name).c_str(), "r");
  if (fread(FLASH, 1, FLASH_BYTES, file) == 0) abort();
  fclose(file);
  save_flash();
  unlink(path("command").c_str());
  printf("%s runs\n", (const char *)FLASH);
}

void RP2040::reboot() {
  fflush(nullptr);
  _exit(AGAIN);
}

void ArduinoOTAClass::setHostname(const char *) {}
void ArduinoOTAClass::setPassword(const char *) {}
void ArduinoOTAClass::onStart(std::function<void(void)> call) { on_start = call; }
void ArduinoOTAClass::onError(std::function<void(ota_error_t)> call) { on_error = call; }
void ArduinoOTAClass::onProgress(std::function<void(unsigned int, unsigned int)>) {}
void ArduinoOTAClass::begin() { printf("offers updates\n"); }
void ArduinoOTAClass::handle() {}

static void update(const char *name) {
  if (!on_start) return;
  on_start();
  memset(FLASH, 0, FLASH_BYTES);
  strcpy((char *)FLASH, name);
  save_flash();
  rp2040.reboot();
}

int main(int, char **argv) {
  folder = argv[1];
  writes_left = atol(argv[2]);
  boot();
  char line[64], name[32];
  while (fgets(line, sizeof line, stdin)) {
    int is_up = 0;
    if (sscanf(line, "update %31s", name) == 1)
      update(name);
    else if (strncmp(line, "abort", 5) == 0 && on_start)
      on_start(), on_error(OTA_RECEIVE_ERROR);
    else if (sscanf(line, "%lu %d", &now, &is_up) == 2)
      update_poll(is_up);
  }
  return 0;
}
