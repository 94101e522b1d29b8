/* A display; see display.c for drawing commands and display_images.c for images. */
#ifndef DISPLAY_H
#define DISPLAY_H

#include <webots/types.h>

#include "../device.h"
#include "../generated/display_codec.h"

/* An image that the simulator stores for a display. */
typedef struct WbImageInternal {
  struct WbImageInternal *next;
  int id, width, height;
} DisplayImage;

typedef struct {
  Device base;
  DISPLAY_MEMBERS;
  Buffer cameras, commands; /* in the order of the calls; those about cameras are sent first */
  DisplayImage *images;
  int last_id;
  unsigned char *saved; /* the requested image, BGRA */
  int saved_width, saved_height;
} Display;

/* Queue a command; append its values to the result. */
Buffer *display_command(Display *display, unsigned code);

/* display_images.c */
void display_take_image(Display *display, Reader *in);
void display_forget_images(Display *display);

/* Bytes of a pixel in a format of Webots; 0 if there is no such format. */
int display_pixel_size(int format);

#endif
