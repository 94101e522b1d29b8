/* A controller with handlers of its own for SIGINT, SIGTERM and SIGUSR1. It steps until it was told to end by
   one of the first two; with an argument it goes on and makes one step more. */
#include <signal.h>
#include <stdio.h>
#include <webots/robot.h>

static volatile sig_atomic_t is_told, others;

static void end(int number) {
  (void)number;
  is_told = 1;
}

static void count(int number) {
  (void)number;
  others = others + 1;
}

int main(int argc, char **argv) {
  (void)argv;
  signal(SIGINT, end);
  signal(SIGTERM, end);
  signal(SIGUSR1, count);
  wb_robot_init();
  puts("waits");
  fflush(stdout);
  int steps = 0;
  while (!is_told && wb_robot_step(32) != -1) ++steps;
  printf("told after %d others, step %d, time %g\n", others ? 1 : 0, steps, wb_robot_get_time());
  fflush(stdout);
  if (argc > 1) {
    const int delay = wb_robot_step(32);
    printf("%d at %g\n", delay, wb_robot_get_time());
  }
  wb_robot_cleanup();
  struct sigaction now;
  sigaction(SIGINT, NULL, &now);
  puts(now.sa_handler == end ? "own handler" : "another handler");
  return 0;
}
