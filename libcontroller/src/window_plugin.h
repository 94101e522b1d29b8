/* Robot-window plugins in C: a library in the project that runs in the process of the controller. */
#ifndef WINDOW_PLUGIN_H
#define WINDOW_PLUGIN_H

#include "robot.h"

/* Load the plugin of a configured robot, if it has one in C. Errors are printed; the controller goes on. */
void window_plugin_load(Robot *robot);

/* The functions of the plugin around a step of `duration` ms, in the order of the manual of 8.3.1, chapter
 * Robot. */
void window_plugin_before(const Robot *robot);
void window_plugin_meanwhile(const Robot *robot);
void window_plugin_after(const Robot *robot, int duration);
void window_plugin_cleanup(Robot *robot);

/* True while a function of the plugin runs: it may not make steps. */
bool window_plugin_runs(const Robot *robot);

#endif
