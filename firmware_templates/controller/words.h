/* Replacement of strtok(). */
#ifndef WORDS_H
#define WORDS_H

char *controller_strtok(char *text, const char *separators);

#endif
