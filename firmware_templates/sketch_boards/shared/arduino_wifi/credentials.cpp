/* Name and password of the network. They are stored in the flash: by the library Preferences of an ESP32,
 * otherwise in a file. */
#include "credentials.h"

#include <Arduino.h>
#include <string.h>

#include "network.h"
#include "secrets.h"

extern "C" {
#include "wifi_line.h"
}

static char name[WIFI_NAME_MOST + 1], password[WIFI_PASSWORD_MOST + 1];
static bool is_read;

#if defined(ARDUINO_ARCH_ESP32)

#include <Preferences.h>

static Preferences preferences;

static void load() {
  if (!preferences.begin("wbridge", true)) return; /* nothing was stored yet */
  preferences.getString("name", name, sizeof name);
  preferences.getString("password", password, sizeof password);
  preferences.end();
}

static void store() {
  preferences.begin("wbridge", false);
  preferences.putString("name", name);
  preferences.putString("password", password);
  preferences.end();
}

#elif defined(ARDUINO_ARCH_ESP8266) || defined(ARDUINO_ARCH_RP2040)

#include <LittleFS.h>

#define PLACE "/wifi"

static void read_word(File &file, char *to, size_t most) {
  const int size = file.read();
  for (int k = 0; k < size && k < (int)most; k++) to[k] = (char)file.read();
}

static void load() {
  LittleFS.begin();
  File file = LittleFS.open(PLACE, "r");
  if (!file) return;
  read_word(file, name, WIFI_NAME_MOST);
  read_word(file, password, WIFI_PASSWORD_MOST);
  file.close();
}

static void write_word(File &file, const char *from) {
  const size_t size = strlen(from);
  file.write((uint8_t)size);
  file.write((const uint8_t *)from, size);
}

static void store() {
  File file = LittleFS.open(PLACE, "w");
  write_word(file, name);
  write_word(file, password);
  file.close();
}

#else

static void load() {}
static void store() {}

#endif

static void read_once() {
  if (!is_read) load();
  is_read = true;
}

const char *credentials_name() {
  read_once();
  return name[0] != 0 ? name : WIFI_NAME;
}

const char *credentials_password() {
  read_once();
  return name[0] != 0 ? password : WIFI_PASSWORD;
}

static void set(const char *new_name, const char *new_password) {
  read_once();
  memset(name, 0, sizeof name);
  memset(password, 0, sizeof password);
  memcpy(name, new_name, strlen(new_name));
  memcpy(password, new_password, strlen(new_password));
  store();
}

bool credentials_poll() {
  while (Serial.available() > 0) {
    switch (wifi_line_take((char)Serial.read())) {
      case WIFI_LINE_SET:
        set(wifi_line_name, wifi_line_password);
        memset(wifi_line_password, 0, sizeof wifi_line_password);
        network_print("wifi: stored the network ", name);
        return true;
      case WIFI_LINE_FORGET:
        set("", "");
        network_print("wifi: ", "forgotten; the network is that of secrets.h again");
        return true;
      case WIFI_LINE_WRONG:
        network_print("wifi: ",
                      "expected wifi \"NAME\" \"PASSWORD\" (8 to 63 characters, or none), or wifi forget");
        break;
      default: break;
    }
  }
  return false;
}
