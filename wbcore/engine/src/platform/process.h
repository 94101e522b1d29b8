// What the operating system knows of this process and its threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace wb {

// Differs between a process and its forks.
int64_t process_id();

// Processors that this process may use, at least 1.
size_t usable_processors();

// Calls `start` while this thread receives no signals. Threads that it starts receive none either: signals
// are for the threads that run Python.
void without_signals(const std::function<void()> &start);

// The folder in which relative paths begin; "": unknown. Not by std::filesystem: its library weighs as much
// as the solver in modules that carry their C++ library with them.
std::string current_folder();

// Makes a folder the current one; false: the system refuses it.
bool enter_folder(const std::string &folder);

}  // namespace wb
