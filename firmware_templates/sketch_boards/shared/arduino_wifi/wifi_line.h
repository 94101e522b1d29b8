/* Settings of the Wi-Fi that a person sends over the serial line: wifi "NAME" "PASSWORD", or wifi forget. */
#ifndef WIFI_LINE_H
#define WIFI_LINE_H

#define WIFI_NAME_MOST 32 /* bytes (IEEE 802.11) */
#define WIFI_PASSWORD_LEAST 8
#define WIFI_PASSWORD_MOST 63 /* of WPA2 */

enum wifi_line { WIFI_LINE_MORE, WIFI_LINE_SET, WIFI_LINE_FORGET, WIFI_LINE_WRONG, WIFI_LINE_OTHER };

/* Takes the next character. SET: the line is complete, and these have its words, until the next call. */
enum wifi_line wifi_line_take(char character);
extern char wifi_line_name[WIFI_NAME_MOST + 1], wifi_line_password[WIFI_PASSWORD_MOST + 1];

#endif
