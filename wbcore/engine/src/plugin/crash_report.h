// What is printed when the process is about to crash outside of guarded calls: in a thread of a plugin's own,
// or in the simulator, whose memory a plugin may have damaged.
#pragma once

#include "plugin_note.h"

namespace wb {

// From now on, a crash prints where the plugin is. Notes that other processes read are not for this: the
// readers tell. One plugin is reported on, the one loaded last.
void report_crashes(const PluginNote &note, void *library);
// Before the note is destroyed.
void stop_reporting_crashes(const PluginNote &note);

}  // namespace wb
