/* Robot-window plugins, which run in the process of the controller: a library in the project, or what the
 * host of this library calls, such as a module in Python. */
#ifndef WINDOW_PLUGIN_H
#define WINDOW_PLUGIN_H

#include "robot.h"

/* Load the plugin of a configured robot, if it has one in C. Errors are printed; the controller goes on. */
void window_plugin_load(Robot *robot);

/* Calls a function of a plugin, if the plugin has it, with the duration of the step in ms or 0. False if it
 * has failed or refused. */
typedef bool WindowCall(const char *function, int duration);

/* Initialize and use a plugin of the host. False if it does not support this robot. */
bool window_plugin_use(Robot *robot, WindowCall *plugin_call);

/* Show the window if it `shows`. */
void window_plugin_show(const Robot *robot, bool shows);

/* The functions of the plugin around a step of `duration` ms, in the order of the manual of 8.3.1, chapter
 * Robot. */
void window_plugin_before(const Robot *robot);
void window_plugin_meanwhile(const Robot *robot);
void window_plugin_after(const Robot *robot, int duration);
void window_plugin_cleanup(Robot *robot);

/* True while a function of the plugin runs: it may not make steps. */
bool window_plugin_runs(const Robot *robot);

#endif
