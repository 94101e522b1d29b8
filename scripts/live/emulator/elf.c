/* Loads a program into simavr without libelf, which pages do not have: of a program in ELF format what an AVR
   gets. Source: Tool Interface Standard, Executable and Linking Format, version 1.2. */
#include <sim_elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct head {
  uint8_t identity[16];
  uint16_t type, machine;
  uint32_t version, entry, segments, sections, flags;
  uint16_t size, segment_size, segment_count, section_size, section_count, names;
};

struct section {
  uint32_t name, type, flags, address, at, size, link, info, align, entry_size;
};

static uint8_t *file;
static size_t file_size;

static bool read_file(const char *path) {
  FILE *const from = fopen(path, "rb");
  if (from == NULL) return false;
  fseek(from, 0, SEEK_END);
  file_size = (size_t)ftell(from);
  rewind(from);
  file = malloc(file_size + 1);
  const bool is_read = file != NULL && fread(file, 1, file_size, from) == file_size;
  if (is_read) file[file_size] = 0; /* ends a name at the end of the file */
  fclose(from);
  return is_read;
}

/* Returns a section with this name, with bytes in the file unless it is .bss; NULL: there is none. */
static const struct section *find(const char *name) {
  const struct head *const head = (const struct head *)file;
  const struct section *const all = (const struct section *)(file + head->sections);
  const size_t count = head->section_count;
  if (head->sections + count * sizeof *all > file_size || head->names >= count) return NULL;
  for (size_t k = 0; k < count; k++) {
    const size_t at = (size_t)all[head->names].at + all[k].name;
    if (at < file_size && strcmp((const char *)file + at, name) == 0) return &all[k];
  }
  return NULL;
}

static uint32_t size_of(const struct section *section) { return section == NULL ? 0 : section->size; }

static void append(elf_firmware_t *firmware, const struct section *section) {
  if (section == NULL || (size_t)section->at + section->size > file_size) return;
  memcpy(firmware->flash + firmware->flashsize, file + section->at, section->size);
  firmware->flashsize += section->size;
}

int elf_read_firmware(const char *path, elf_firmware_t *firmware) {
  memset(firmware, 0, sizeof *firmware);
  if (!read_file(path) || file_size < sizeof(struct head) || memcmp(file, "\177ELF\1\1", 6) != 0) return -1;
  const struct section *const text = find(".text"), *const data = find(".data");
  firmware->flash = calloc(1, (size_t)size_of(text) + size_of(data) + 1);
  if (text == NULL || firmware->flash == NULL) return -1;
  append(firmware, text);
  append(firmware, data);
  firmware->datasize = size_of(data);
  firmware->bsssize = size_of(find(".bss"));
  return 0;
}

void avr_load_firmware(avr_t *avr, elf_firmware_t *firmware) {
  avr->frequency = firmware->frequency;
  avr->vcc = firmware->vcc;
  avr->avcc = firmware->avcc;
  avr->aref = firmware->aref;
  avr_loadcode(avr, firmware->flash, firmware->flashsize, firmware->flashbase);
  avr->codeend = firmware->flashsize + firmware->flashbase - firmware->datasize;
}
