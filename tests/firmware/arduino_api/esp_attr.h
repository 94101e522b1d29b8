/* Declarations of ESP-IDF, from its public reference. */
#ifndef ESP_ATTR_H
#define ESP_ATTR_H

#define RTC_NOINIT_ATTR

#endif
