/* Reads width, height, channels, quality and pixels from stdin, and writes them as JPEG. */
#include <stdio.h>
#include <stdlib.h>

#include "image_jpeg.h"
#include "report.h"

/* The messages of a controller, of which there is none here. */
void report_line(const char *format, ...) { fputs(format, stderr); }
void report_stop(int code) { exit(code); }

int main(void) {
  int head[4];
  if (fread(head, sizeof *head, 4, stdin) != 4) return 1;
  const size_t size = (size_t)head[0] * (size_t)head[1] * (size_t)head[2];
  unsigned char *pixels = malloc(size);
  if (fread(pixels, 1, size, stdin) != size) return 1;
  Buffer out = {0};
  put_jpeg(&out, head[0], head[1], pixels, head[2], head[3]);
  fwrite(out.data, 1, out.size, stdout);
  buffer_free(&out);
  free(pixels);
  return 0;
}
