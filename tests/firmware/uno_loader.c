/* An Arduino Uno whose flash has only the boot loader, under simavr: bytes from stdin reach its serial port,
   what it sends goes to stdout. At the end of stdin its flash is written into a file.

   Usage: uno_loader BOOT_LOADER.hex FLASH_FILE */
#include <avr_uart.h>
#include <poll.h>
#include <sim_avr.h>
#include <sim_hex.h>
#include <sim_io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CYCLES_PER_LOOK 200
#define START 8000000    /* cycles in which the boot loader blinks */
#define PATIENCE 1000000 /* cycles without a byte */
#define MCUSR 0x54
#define EXTERNAL_RESET 2

static avr_cycle_count_t last = START; /* when a byte has come or gone */
static int output, takes = 1;

static void on_output(avr_irq_t *irq, uint32_t value, void *param) {
  avr_t *avr = param;
  (void)irq;
  last = avr->cycle;
  const uint8_t byte = (uint8_t)value;
  if (write(output, &byte, 1) != 1) exit(1);
}

static void on_flow(avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)value;
  takes = param != NULL;
}

static void end(const avr_t *avr, const char *path) {
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(avr->flash, 1, avr->flashend + 1, file) != avr->flashend + 1 ||
      fclose(file) != 0)
    exit(1);
  exit(0);
}

int main(int count, char **words) {
  if (count != 3) return 2;
  output = dup(STDOUT_FILENO);
  if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 2; /* simavr prints messages there */
  uint32_t flags = 0;
  ihex_chunk_p boot = NULL;
  const int chunks = read_ihex_chunks(words[1], &boot);
  avr_t *avr = avr_make_mcu_by_name("atmega328p");
  if (chunks < 1 || avr == NULL) return 2;
  avr_init(avr);
  avr->frequency = 16000000;
  memset(avr->flash, 0xFF, avr->flashend + 1);
  for (int k = 0; k < chunks; k++) memcpy(avr->flash + boot[k].baseaddr, boot[k].data, boot[k].size);
  avr->pc = avr->reset_pc = boot[0].baseaddr;
  avr->codeend = avr->flashend;
  avr->data[MCUSR] = EXTERNAL_RESET;
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POOL_SLEEP);
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_output, avr);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_flow, avr);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_flow, NULL);
  int state = cpu_Running;
  for (avr_cycle_count_t look = START;; state = avr_run(avr)) {
    const int has_ended = state == cpu_Done || state == cpu_Crashed;
    if (avr->cycle < look && !has_ended) continue;
    look = avr->cycle + CYCLES_PER_LOOK;
    /* Time stands still while the other side is slow: the boot loader's patience must not end a test.
       A program that takes no bytes, or has ended, still hears that the cable is pulled. */
    const int listens = takes && !has_ended;
    struct pollfd ready = {STDIN_FILENO, listens ? POLLIN : 0, 0};
    if (poll(&ready, 1, has_ended || avr->cycle > last + PATIENCE ? -1 : 0) != 1) continue;
    uint8_t byte;
    if (!listens || read(STDIN_FILENO, &byte, 1) != 1) end(avr, words[2]);
    last = avr->cycle;
    avr_raise_irq(input, byte);
  }
}
