// The state that the process shares with its guardian process.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

// Enough for all sequences that restore the terminal.
enum { FAREWELL_SIZE = 256 };

struct terminal {
  int descriptor;
  struct termios original;
  struct termios ours;
  char farewell[FAREWELL_SIZE];
  size_t farewell_length;
  // A descriptor for the original standard error, and one for the file that buffers it; -1 without
  // buffering.
  int errors;
  int kept_errors;
};

// Both functions are async-signal-safe.
void terminal_put_back(const struct terminal *terminal);
void terminal_show_errors(const struct terminal *terminal);

// Starts the guardian. Returns the writing end of the pipe that it reads, or -1.
int guardian_start(const struct terminal *terminal);

// The messages to the guardian: the process has taken the terminal, or has restored it.
enum { STATE_OURS = 'o', STATE_RESTORED = 'r' };
