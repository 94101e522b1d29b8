/* The name on ESP8266. */
#include <WiFi.h>
