/* A controller whose host ends waits for the simulator by SIGINT, as interpreters do. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <webots/robot.h>

#include "report.h"

static volatile sig_atomic_t is_asked;

static void ask(int number) {
  (void)number;
  is_asked = 1;
}

static bool is_interrupted(void) { return is_asked != 0; }
static void keep_end(int code) { printf("end %d\n", code); }

int main(void) {
  const struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  report_host = (Host){.end = keep_end, .is_interrupted = is_interrupted};
  wb_robot_init();
  puts("waits");
  fflush(stdout);
  const int answer = wb_robot_step(32);
  printf("%d\n", answer);
  printf("%d\n", wb_robot_step(32));
  wb_robot_cleanup();
  return 0;
}
