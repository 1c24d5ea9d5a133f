#define _GNU_SOURCE
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Closes all descriptors except those in `kept`, which must be sorted in ascending order.
static void close_others(const int *kept, size_t count) {
  unsigned first = 0;
  for (size_t index = 0; index < count; index++) {
    if (kept[index] < 0) continue;
    unsigned number = (unsigned)kept[index];
    if (number > first) close_range(first, number - 1, 0);
    if (number >= first) first = number + 1;
  }
  close_range(first, UINT_MAX, 0);
}

static void sort(int *numbers, size_t count) {
  for (size_t index = 1; index < count; index++) {
    for (size_t place = index; place > 0 && numbers[place - 1] > numbers[place]; place--) {
      int number = numbers[place];
      numbers[place] = numbers[place - 1];
      numbers[place - 1] = number;
    }
  }
}

// Waits for the end of the process, and restores the terminal if the process has not. Only uses
// calls that are allowed in a child of a multithreaded process.
static void guard(const struct terminal *terminal, int pipe) {
  prctl(PR_SET_NAME, "terminal-guard", 0, 0, 0);
  // The guardian must not keep pipes or folders of the process open.
  int kept[] = {pipe, terminal->descriptor, terminal->errors, terminal->kept_errors};
  sort(kept, 4);
  close_others(kept, 4);
  if (chdir("/") != 0) _exit(1);
  bool is_ours = false;
  for (;;) {
    char state;
    ssize_t count = read(pipe, &state, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    is_ours = state == STATE_OURS;
  }
  if (is_ours) {
    terminal_put_back(terminal);
    terminal_show_errors(terminal);
  }
  _exit(0);
}

int guardian_start(const struct terminal *terminal) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  // The signals stay blocked in the guardian, so that a signal to the process group does not end
  // it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t child = fork();
  if (child == 0) {
    // The guardian gets its own session and is adopted by init, so no process has to wait for it.
    setsid();
    pid_t guardian = fork();
    if (guardian != 0) _exit(guardian < 0);
    close(ends[1]);
    guard(terminal, ends[0]);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[0]);
  if (child < 0) {
    close(ends[1]);
    return -1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (status != 0) {
    close(ends[1]);
    errno = EAGAIN;
    return -1;
  }
  // The pipe does not block, so a missing guardian cannot stall the process.
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  return ends[1];
}
