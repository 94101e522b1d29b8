/* Threads of a controller, by those of POSIX, which MinGW has, too. */
#include <pthread.h>
#include <stdlib.h>
#include <webots/robot.h>

#include "../bytes.h"
#include "../report.h"

typedef struct {
  void (*work)(void *);
  void *param;
} Task;

static void *run(void *given) {
  const Task task = *(Task *)given;
  free(given);
  task.work(task.param);
  return NULL;
}

void wb_robot_task_new(void (*task)(void *), void *param) {
  if (!task) {
    is_null(__func__, "task", NULL);
    return;
  }
  pthread_t thread;
  Task *made = allocate(sizeof *made);
  *made = (Task){task, param};
  if (!pthread_create(&thread, NULL, run, made)) {
    pthread_detach(thread);
    return;
  }
  free(made);
  report_error(__func__, "could not start a thread.");
}

WbMutexRef wb_robot_mutex_new(void) {
  pthread_mutex_t *made = allocate(sizeof *made);
  pthread_mutex_init(made, NULL);
  return made;
}

void wb_robot_mutex_lock(WbMutexRef mutex) {
  if (!is_null(__func__, "mutex", mutex)) pthread_mutex_lock(mutex);
}

void wb_robot_mutex_unlock(WbMutexRef mutex) {
  if (!is_null(__func__, "mutex", mutex)) pthread_mutex_unlock(mutex);
}

void wb_robot_mutex_delete(WbMutexRef mutex) {
  if (is_null(__func__, "mutex", mutex)) return;
  pthread_mutex_destroy(mutex);
  free(mutex);
}
