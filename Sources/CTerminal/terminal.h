// What the process and its guardian share.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

// Enough for all that has to be undone.
enum { FAREWELL_SIZE = 256 };

struct terminal {
  int descriptor;
  struct termios original;
  struct termios ours;
  char farewell[FAREWELL_SIZE];
  size_t farewell_length;
  // Where standard error leads to and what was written to it meanwhile; -1 if that is not kept.
  int errors;
  int kept_errors;
};

// Both may be called in signal handlers.
void terminal_put_back(const struct terminal *terminal);
void terminal_show_errors(const struct terminal *terminal);

// Starts the guardian. Returns the pipe that it listens to, or -1.
int guardian_start(const struct terminal *terminal);

// What it is told: that the terminal is ours, or not any more.
enum { TOLD_OURS = 'o', TOLD_RESTORED = 'r' };
