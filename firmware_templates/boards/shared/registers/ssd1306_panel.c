/* An emulated display with an SSD1306. Numbers are those of its data sheet (Solomon Systech, revision 1.1):
 * control bytes in chapter 8.1.5.2, commands in chapter 9, the charge pump in its application note. */
#include "ssd1306_panel.h"

#include <stdio.h>
#include <string.h>

#define PANELS 2
#define COLUMNS 128
#define ROWS 64
#define PAGES (ROWS / 8)
#define MOST_ARGUMENTS 6

enum addressing { HORIZONTAL, VERTICAL, BY_PAGE };

struct span {
  uint8_t first, last;
};

static struct panel {
  bool connected;
  uint8_t address, glass_rows;
  uint8_t memory[PAGES][COLUMNS]; /* by the drivers of the columns, SEG0 to SEG127 */
  uint8_t page, column;           /* of the next data */
  enum addressing addressing;
  struct span columns, pages; /* of horizontal and vertical addressing */
  uint8_t multiplex, offset, start_line, row_pins;
  bool reversed_columns, reversed_rows, all_lit, inverted, on, pump, scrolls;
  /* The protocol: whether a control byte is next, what it announced, and the command being received. */
  bool is_control, one_only, is_data;
  uint8_t command, arguments[MOST_ARGUMENTS], count, missing;
} panels[PANELS];

static struct panel *panel_at(uint8_t address) {
  for (int k = 0; k < PANELS; k++)
    if (panels[k].connected && panels[k].address == address) return &panels[k];
  return NULL;
}

bool panel_connected(uint8_t address) { return panel_at(address) != NULL; }

/* Its state after a reset. */
static void reset(struct panel *panel, uint8_t address, uint8_t glass_rows) {
  *panel = (struct panel){.connected = true,
                          .address = address,
                          .glass_rows = glass_rows,
                          .addressing = BY_PAGE,
                          .columns = {0, COLUMNS - 1},
                          .pages = {0, PAGES - 1},
                          .multiplex = ROWS,
                          .row_pins = 0x12};
  uint32_t random = 1;
  for (int k = 0; k < PAGES * COLUMNS; k++) {
    random = random * 1664525 + 1013904223;
    panel->memory[k / COLUMNS][k % COLUMNS] = (uint8_t)(random >> 24);
  }
}

/* Data. */

static bool advance(uint8_t *place, struct span span) {
  const bool ends = *place == span.last;
  *place = ends ? span.first : (uint8_t)(*place + 1);
  return ends;
}

static void take_data(struct panel *panel, uint8_t byte) {
  /* The columns are mapped when data is written, so data that is there does not move. */
  const uint8_t segment = panel->reversed_columns ? COLUMNS - 1 - panel->column : panel->column;
  panel->memory[panel->page % PAGES][segment % COLUMNS] = byte;
  if (panel->addressing == BY_PAGE)
    panel->column = (uint8_t)((panel->column + 1) % COLUMNS);
  else if (panel->addressing == HORIZONTAL && advance(&panel->column, panel->columns))
    advance(&panel->page, panel->pages);
  else if (panel->addressing == VERTICAL && advance(&panel->page, panel->pages))
    advance(&panel->column, panel->columns);
}

/* Commands. */

static uint8_t arguments_of(uint8_t command) {
  switch (command) {
    case 0x20:
    case 0x81:
    case 0x8D:
    case 0xA8:
    case 0xD3:
    case 0xD5:
    case 0xD9:
    case 0xDA:
    case 0xDB: return 1;
    case 0x21:
    case 0x22:
    case 0xA3: return 2;
    case 0x29:
    case 0x2A: return 5;
    case 0x26:
    case 0x27: return 6;
    default: return 0;
  }
}

static void select_columns(struct panel *panel) {
  panel->columns = (struct span){panel->arguments[0] % COLUMNS, panel->arguments[1] % COLUMNS};
  panel->column = panel->columns.first;
}

static void select_pages(struct panel *panel) {
  panel->pages = (struct span){panel->arguments[0] % PAGES, panel->arguments[1] % PAGES};
  panel->page = panel->pages.first;
}

/* Commands whose lower bits are a number. Returns false for others. */
static bool obey_number(struct panel *panel, uint8_t command) {
  if (command <= 0x0F)
    panel->column = (uint8_t)((panel->column & 0x70) | command);
  else if (command <= 0x1F)
    panel->column = (uint8_t)((panel->column & 0x0F) | (command & 0x07) << 4);
  else if (command >= 0x40 && command <= 0x7F)
    panel->start_line = command & 0x3F;
  else if (command >= 0xB0 && command <= 0xB7)
    panel->page = command & 0x07;
  else
    return false;
  return true;
}

static void obey(struct panel *panel, uint8_t command) {
  const uint8_t argument = panel->arguments[0];
  if (obey_number(panel, command)) return;
  switch (command) {
    case 0x20: panel->addressing = argument % 4 < BY_PAGE ? argument % 4 : BY_PAGE; break;
    case 0x21: select_columns(panel); break;
    case 0x22: select_pages(panel); break;
    case 0x2E:
    case 0x2F: panel->scrolls = command & 1; break;
    case 0x8D: panel->pump = argument & 0x04; break;
    case 0xA0:
    case 0xA1: panel->reversed_columns = command & 1; break;
    case 0xA4:
    case 0xA5: panel->all_lit = command & 1; break;
    case 0xA6:
    case 0xA7: panel->inverted = command & 1; break;
    case 0xA8:
      if (argument % 64 >= 15) panel->multiplex = argument % 64 + 1;
      break;
    case 0xAE:
    case 0xAF: panel->on = command & 1; break;
    case 0xC0:
    case 0xC8: panel->reversed_rows = command & 8; break;
    case 0xD3: panel->offset = argument % ROWS; break;
    case 0xDA: panel->row_pins = argument; break;
    default: break; /* contrast, clock, scrolling areas and the like do not change pixels */
  }
}

static void take_command(struct panel *panel, uint8_t byte) {
  if (panel->missing == 0) {
    panel->command = byte;
    panel->count = 0;
    panel->missing = arguments_of(byte);
  } else {
    panel->arguments[panel->count++] = byte;
    panel->missing--;
  }
  if (panel->missing == 0) obey(panel, panel->command);
}

void panel_write(uint8_t address, bool first, uint8_t byte) {
  struct panel *panel = panel_at(address);
  if (panel == NULL) return;
  if (first || panel->is_control) {
    panel->one_only = byte & 0x80;
    panel->is_data = byte & 0x40;
    panel->is_control = false;
    return;
  }
  if (panel->is_data)
    take_data(panel, byte);
  else
    take_command(panel, byte);
  panel->is_control = panel->one_only;
}

uint8_t panel_read(uint8_t address) {
  const struct panel *panel = panel_at(address);
  return panel != NULL && !panel->on ? 0x40 : 0;
}

/* The glass. Modules have SEG127 at the left and COM63 or, with 32 rows, COM31 at the top, seen with the pins
 * of the module above: both directions are reversed for an upright picture. */

/* The row of memory that a row of the glass shows; -1: none. */
static int memory_row(const struct panel *panel, int row) {
  const int driver = panel->glass_rows - 1 - row; /* COM */
  const int scanned = panel->reversed_rows ? panel->multiplex - 1 - driver : driver;
  const int line = (scanned + ROWS + panel->offset) % ROWS;
  return line < panel->multiplex ? (panel->start_line + line) % ROWS : -1;
}

static bool is_lit(const struct panel *panel, int x, int y) {
  /* A glass with 64 rows has their lines alternately at both sides, one with 32 rows in sequence. */
  const bool fits = (panel->row_pins & 0x10) == (panel->glass_rows == ROWS ? 0x10 : 0);
  const int row = memory_row(panel, y);
  if (!panel->on || !panel->pump || !fits || row < 0) return false;
  if (panel->all_lit) return true;
  return (panel->memory[row / 8][COLUMNS - 1 - x] >> row % 8 & 1) != panel->inverted;
}

/* The bench. */

static bool read_name(const char *name, int *address, int *rows) {
  int end = 0;
  return sscanf(name, "SSD1306:%i:%i%n", address, rows, &end) == 2 && name[end] == 0 && *address >= 0 &&
         *address < 128 && (*rows == 32 || *rows == 64);
}

bool panel_is_name(const char *name) {
  int address, rows;
  return read_name(name, &address, &rows);
}

bool panel_drive(const char *name, double value) {
  int address = 0, rows = 0;
  if (!read_name(name, &address, &rows)) return false;
  struct panel *panel = panel_at((uint8_t)address);
  for (int k = 0; panel == NULL && k < PANELS; k++)
    if (!panels[k].connected) panel = &panels[k];
  if (value != 0 && panel == NULL) return false;
  if (value != 0)
    reset(panel, (uint8_t)address, (uint8_t)rows);
  else if (panel != NULL)
    panel->connected = false;
  return true;
}

void panel_show(const char *name) {
  int address = 0, rows = 0;
  const struct panel *panel = read_name(name, &address, &rows) ? panel_at((uint8_t)address) : NULL;
  printf("picture ");
  for (int page = 0; page < rows / 8; page++)
    for (int x = 0; x < COLUMNS; x++) {
      unsigned byte = 0;
      for (int k = 0; k < 8; k++) byte |= (unsigned)(panel != NULL && is_lit(panel, x, 8 * page + k)) << k;
      printf("%02x", byte);
    }
  printf("\n");
}
