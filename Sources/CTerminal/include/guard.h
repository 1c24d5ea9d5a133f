// Puts a terminal back as it was, however the process ends.
#pragma once

#include <stddef.h>
#include <termios.h>

// Remembers a terminal, how it was set, how we will set it, and what to write to it at the end.
// Handles the signals that end a process, and starts a guardian, a process that does the same if this
// one is killed. There is one terminal at a time. Returns 0, or what `errno` would be.
int runnel_guard_begin(
  int terminal, const struct termios *original, const struct termios *ours, const char *farewell,
  size_t length);

// The terminal is about to be ours. What is written to standard error, where that is a
// terminal too, is kept until it is not ours any more.
void runnel_guard_take(void);

// Puts it back, if it is ours. Signal handlers may call it, and so may exit().
void runnel_guard_restore(void);

// Forgets it.
void runnel_guard_end(void);

// Stops the process and its group as the terminal does at Ctrl-Z, and returns when they go on. Where
// nobody could let them go on, it returns at once.
void runnel_stop(void);
