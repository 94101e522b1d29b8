/* Plugin of QEMU that lists the instructions which QEMU has translated, each once.

   usage: qemu-system-... -plugin THIS,out=FILE
   QEMU translates each basic block on its first execution, and in lockstep many blocks again and again: its
   own log (-d in_asm) of a few seconds has hundreds of megabytes. Lines are as in that log: "0xADDRESS:".
   Source: QEMU TCG Plugins, API versions 1 and 2, which differ in nothing that is used here. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef API_VERSION
#define API_VERSION 1
#endif
#define EXPORT __attribute__((visibility("default")))
#define SLOTS (1u << 18) /* of a hash table: more than a board has instructions */

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*callback)(plugin_id, struct qemu_plugin_tb *));

EXPORT int qemu_plugin_version = API_VERSION;

static FILE *out;
static uint64_t seen[SLOTS]; /* addresses + 1; 0: free */
static uint32_t known;

/* Remember an address; 0: it was known, or the table is full. */
static int is_new(uint64_t address) {
  uint32_t slot = (uint32_t)((address >> 1) * 2654435761u) % SLOTS;
  while (seen[slot] != 0 && seen[slot] != address + 1) slot = (slot + 1) % SLOTS;
  if (seen[slot] != 0 || known == SLOTS / 2) return 0;
  seen[slot] = address + 1;
  known++;
  return 1;
}

static void on_translation(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  int added = 0;
  for (size_t k = 0; k < qemu_plugin_tb_n_insns(block); k++) {
    const uint64_t address = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, k));
    if (is_new(address)) added += fprintf(out, "0x%llx:\n", (unsigned long long)address);
  }
  if (added > 0) fflush(out); /* QEMU may be killed */
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  for (int k = 0; k < argc; k++)
    if (strncmp(argv[k], "out=", 4) == 0) out = fopen(argv[k] + 4, "w");
  if (out == NULL) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  return 0;
}
