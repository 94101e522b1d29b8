/* The robots of a program: one, or several in a simulator that runs controllers in its process. */
#include <stdlib.h>

#include "../src/robot.h"
#include "binding.h"

Life *current_life;

void begin_life(bool is_hosted) {
  Life *life = allocate(sizeof *life);
  life->robot = robot_current();
  life->objects = PyDict_New();
  life->is_hosted = is_hosted;
  current_life = use_life(life);
}

void end_life(void) {
  Life *life = current_life;
  current_life = NULL;
  life->robot = NULL;
  PyDict_Clear(life->objects);
  Py_CLEAR(life->window);
  Py_CLEAR(life->adder);
  Py_CLEAR(life->taker);
  leave_life(life);
}

Life *use_life(Life *life) {
  if (life) ++life->users;
  return life;
}

void leave_life(Life *life) {
  if (!life || --life->users) return;
  Py_DECREF(life->objects);
  free(life);
}

bool enter_life(Life *life) {
  if (!life || !life->robot) return refuse_call(life);
  robot_make_current(life->robot);
  current_life = life;
  return true;
}

bool refuse_call(const Life *life) {
  PyErr_SetString(no_robot ? no_robot : PyExc_RuntimeError,
                  life ? "the robot is gone: the connection to the simulator has ended"
                       : "there is no robot yet: create Robot() or Supervisor() first");
  return false;
}
