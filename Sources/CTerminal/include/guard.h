// Restores a terminal, however the process ends.
#pragma once

#include <stddef.h>
#include <termios.h>

// Stores a terminal, its original settings, our settings, and the sequence that restores it.
// Handles the signals that end a process. Starts a guardian, a process that restores the terminal
// if this one is killed. Only one terminal is supported at a time. Returns 0 or an error number.
int runnel_guard_begin(
  int terminal, const struct termios *original, const struct termios *ours, const char *farewell,
  size_t length);

// Declares that the process is about to take the terminal. If standard error is a terminal too, its
// output is buffered until the terminal is restored.
void runnel_guard_take(void);

// Restores the terminal if the process has taken it. Async-signal-safe; also called by exit().
void runnel_guard_restore(void);

// Restores the terminal and ends its protection.
void runnel_guard_end(void);

// Stops the process group as Ctrl-Z does, and returns after it was continued. Returns at once if
// the group is orphaned, because no process could continue it.
void runnel_stop(void);
