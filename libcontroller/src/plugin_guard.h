/* Calls of plugins that may crash or not return: the process then names the plugin and the function. A call
   that does not return within 30 s ends the process, unless it runs in a debugger. */
#ifndef PLUGIN_GUARD_H
#define PLUGIN_GUARD_H

/* Around each call; calls are not nested. The texts must stay until `wbh_guard_end`. Programs in Python call
   these, too (hal/native_remote.py). */
void wbh_guard_begin(const char *plugin, const char *function);
void wbh_guard_end(void);

#endif
