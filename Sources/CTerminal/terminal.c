#define _GNU_SOURCE
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// The longest wait for a terminal that accepts no output: it is stopped or disconnected.
enum { PATIENCE_MILLISECONDS = 250 };

static void write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd state = {.fd = descriptor, .events = POLLOUT};
      if (poll(&state, 1, PATIENCE_MILLISECONDS) == 0) return;
    } else if (written >= 0 || errno != EINTR) {
      return;
    }
  }
}

static bool is_as_we_set_it(const struct terminal *terminal) {
  struct termios now;
  if (tcgetattr(terminal->descriptor, &now) != 0) return false;
  const struct termios *ours = &terminal->ours;
  return now.c_iflag == ours->c_iflag && now.c_oflag == ours->c_oflag
    && now.c_lflag == ours->c_lflag && memcmp(now.c_cc, ours->c_cc, sizeof now.c_cc) == 0;
}

void terminal_put_back(const struct terminal *terminal) {
  // A shell may already have changed the settings for itself.
  if (is_as_we_set_it(terminal)) {
    while (tcsetattr(terminal->descriptor, TCSANOW, &terminal->original) != 0 && errno == EINTR) {}
  }
  write_all(terminal->descriptor, terminal->farewell, terminal->farewell_length);
  // Input that was typed meanwhile, and replies of the terminal, are not for the next program.
  tcflush(terminal->descriptor, TCIFLUSH);
}

void terminal_show_errors(const struct terminal *terminal) {
  if (terminal->kept_errors < 0) return;
  char bytes[4096];
  off_t position = 0;
  for (;;) {
    ssize_t count = pread(terminal->kept_errors, bytes, sizeof bytes, position);
    if (count <= 0) break;
    write_all(terminal->errors, bytes, (size_t)count);
    position += count;
  }
  if (ftruncate(terminal->kept_errors, 0) == 0) lseek(terminal->kept_errors, 0, SEEK_SET);
}
