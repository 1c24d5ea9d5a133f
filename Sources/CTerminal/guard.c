#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "terminal.h"

static struct terminal terminal;
static int guardian = -1;
static bool is_begun;
static atomic_bool is_ours;

// The signals that end a process by default.
static const int endings[] = {
  SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF,
  SIGXCPU, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT,
};
// The signals that report a fault in the process.
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

enum { ENDINGS = sizeof endings / sizeof *endings, FAULTS = sizeof faults / sizeof *faults };

static struct sigaction previous[NSIG];
static bool is_handled[NSIG];

// MARK: - Taking and restoring the terminal

static void notify_guardian(char state) {
  if (guardian >= 0 && write(guardian, &state, 1) < 0) {}
}

void runnel_guard_take(void) {
  notify_guardian(STATE_OURS);
  if (terminal.kept_errors >= 0) dup2(terminal.kept_errors, STDERR_FILENO);
  atomic_store(&is_ours, true);
}

void runnel_guard_restore(void) {
  if (!atomic_exchange(&is_ours, false)) return;
  int code = errno;
  terminal_put_back(&terminal);
  if (terminal.kept_errors >= 0) dup2(terminal.errors, STDERR_FILENO);
  terminal_show_errors(&terminal);
  // Last: if this process ends before this line, the guardian restores the terminal again.
  notify_guardian(STATE_RESTORED);
  errno = code;
}

// MARK: - Signals

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  int code = errno;
  runnel_guard_restore();
  // The previous action of the signal follows.
  sigaction(number, &previous[number], NULL);
  bool is_fault = false;
  for (int index = 0; index < FAULTS; index++) is_fault |= faults[index] == number;
  // A fault of an instruction is raised again by that instruction, with all its information.
  if (!is_fault || info->si_code <= 0) raise(number);
  errno = code;
}

static bool is_ours_to_handle(int number) {
  struct sigaction now;
  return sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO)
    && now.sa_sigaction == handle;
}

static void handle_signal(int number) {
  // Another handler may have restored ours when it was removed.
  if (is_ours_to_handle(number)) return;
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  is_handled[number] = sigaction(number, &action, &previous[number]) == 0;
}

static void stop_handling(int number) {
  // A handler that has replaced ours stays. It may restore ours later, so `previous` is kept.
  if (is_handled[number] && is_ours_to_handle(number)) sigaction(number, &previous[number], NULL);
}

// After a stack overflow, a handler can only run on an alternate stack.
static void make_room_for_handlers(void) {
  static char room[1 << 16];
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE)) return;
  stack = (stack_t){.ss_sp = room, .ss_size = sizeof room};
  sigaltstack(&stack, NULL);
}

static void handle_signals(void) {
  make_room_for_handlers();
  for (int index = 0; index < ENDINGS; index++) {
    struct sigaction now;
    // A signal that the program handles or ignores is left alone.
    if (sigaction(endings[index], NULL, &now) != 0) continue;
    if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL) handle_signal(endings[index]);
  }
  for (int index = 0; index < FAULTS; index++) handle_signal(faults[index]);
}

// MARK: - Begin and end

static void keep_errors(void) {
  terminal.errors = -1;
  terminal.kept_errors = -1;
  if (!isatty(STDERR_FILENO)) return;
  terminal.errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (terminal.errors < 0) return;
  terminal.kept_errors = memfd_create("standard error", MFD_CLOEXEC);
}

int runnel_guard_begin(
  int descriptor, const struct termios *original, const struct termios *ours,
  const char *farewell, size_t length
) {
  if (is_begun) return EBUSY;
  if (length > FAREWELL_SIZE) return EMSGSIZE;
  terminal.descriptor = descriptor;
  terminal.original = *original;
  terminal.ours = *ours;
  memcpy(terminal.farewell, farewell, length);
  terminal.farewell_length = length;
  keep_errors();
  guardian = guardian_start(&terminal);
  if (guardian < 0) {
    int code = errno;
    if (terminal.errors >= 0) close(terminal.errors);
    if (terminal.kept_errors >= 0) close(terminal.kept_errors);
    return code;
  }
  static bool is_registered;
  if (!is_registered) is_registered = atexit(runnel_guard_restore) == 0;
  handle_signals();
  is_begun = true;
  return 0;
}

void runnel_guard_end(void) {
  if (!is_begun) return;
  runnel_guard_restore();
  for (int index = 0; index < ENDINGS; index++) stop_handling(endings[index]);
  for (int index = 0; index < FAULTS; index++) stop_handling(faults[index]);
  close(guardian);
  if (terminal.errors >= 0) close(terminal.errors);
  if (terminal.kept_errors >= 0) close(terminal.kept_errors);
  guardian = -1;
  is_begun = false;
}

void runnel_stop(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  struct sigaction before;
  sigset_t stop, mask;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  sigaction(SIGTSTP, &action, &before);
  pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
  kill(0, SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTSTP, &before, NULL);
}
