/* Lines, ovals and polygons on the picture of a display: the same pixels as in simulation. */
#ifndef FIGURES_H
#define FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#define FIGURE_CROSSINGS 32
#define FARTHEST 16383 /* the largest coordinate and semi-axis, so that products of two fit into 32 bits */

void figure_line(int16_t x1, int16_t y1, int16_t x2, int16_t y2, bool lit);

/* The center and the semi-axes. */
void figure_oval(int16_t x, int16_t y, int16_t a, int16_t b, bool fill, bool lit);

/* Returns false if a row has more than FIGURE_CROSSINGS edges: the polygon is drawn without the others. */
bool figure_polygon(const int *x, const int *y, int size, bool fill, bool lit);

/* Limits a coordinate to FARTHEST in both directions. */
int16_t figure_near(int coordinate);

#endif
