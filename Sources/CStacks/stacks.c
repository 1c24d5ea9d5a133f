#define _GNU_SOURCE
#include "stacks.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

// The owner of the record.
enum owner { nobody, asked_thread, handler, asking_thread };

static _Atomic(enum owner) owner;
static _Atomic(pid_t) asked;
static uintptr_t recorded[runnel_stack_limit];
static int count;
static int is_in_code;
static sem_t answers;

pid_t runnel_thread_number(void) { return (pid_t)syscall(SYS_gettid); }

static _Unwind_Reason_Code record_frame(struct _Unwind_Context *context, void *argument) {
  (void)argument;
  int is_exact = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  // The handler comes first. The code that it has interrupted begins with an exact address; the other
  // addresses follow a call.
  if (is_exact) is_in_code = 1;
  if (!is_in_code) return _URC_NO_REASON;
  if (address == 0 || count == runnel_stack_limit) return _URC_END_OF_STACK;
  recorded[count++] = is_exact ? address : address - 1;
  return _URC_NO_REASON;
}

static void record(int signal) {
  (void)signal;
  int error = errno;
  enum owner expected = asked_thread;
  // The signal may be late, or from somebody else.
  if (atomic_load(&asked) == runnel_thread_number() &&
      atomic_compare_exchange_strong(&owner, &expected, handler)) {
    count = 0;
    is_in_code = 0;
    _Unwind_Backtrace(record_frame, NULL);
    atomic_store(&owner, asking_thread);
    sem_post(&answers);
  }
  errno = error;
}

static _Unwind_Reason_Code pass_frame(struct _Unwind_Context *context, void *argument) {
  (void)context, (void)argument;
  return _URC_NO_REASON;
}

static int is_installed(void) {
  struct sigaction present;
  return sigaction(SIGURG, NULL, &present) == 0 && present.sa_handler == record;
}

void runnel_install_recorder(void) {
  struct sigaction action = {.sa_handler = record, .sa_flags = SA_RESTART}, present;
  if (sigaction(SIGURG, NULL, &present) != 0) return;
  if (present.sa_handler != SIG_DFL && present.sa_handler != SIG_IGN) return;
  sem_init(&answers, 0, 0);
  // Its first use may allocate, which a handler must not do.
  _Unwind_Backtrace(pass_frame, NULL);
  sigemptyset(&action.sa_mask);
  sigaction(SIGURG, &action, NULL);
}

void runnel_unblock_recorder(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGURG);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

int runnel_stack_of(pid_t thread, int milliseconds, uintptr_t addresses[runnel_stack_limit]) {
  if (!is_installed()) return 0;
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_nsec += milliseconds * 1000000L;
  deadline.tv_sec += deadline.tv_nsec / 1000000000;
  deadline.tv_nsec %= 1000000000;

  atomic_store(&asked, thread);
  atomic_store(&owner, asked_thread);
  if (syscall(SYS_tgkill, getpid(), thread, SIGURG) == 0) {
    // An answer to an earlier question, which came too late, may have posted.
    while (atomic_load(&owner) != asking_thread &&
           (sem_clockwait(&answers, CLOCK_MONOTONIC, &deadline) == 0 || errno == EINTR)) {}
  }
  enum owner expected = asked_thread;
  if (atomic_compare_exchange_strong(&owner, &expected, nobody)) return 0;
  // A handler that has begun ends soon.
  while (atomic_load(&owner) != asking_thread) usleep(1000);
  for (int i = 0; i < count; i++) addresses[i] = recorded[i];
  return count;
}

int runnel_fence_threads(void) {
  static _Atomic int is_registered;
  if (!atomic_load(&is_registered)) {
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0) return 0;
    atomic_store(&is_registered, 1);
  }
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

int runnel_symbol_at(uintptr_t address, struct runnel_symbol *symbol) {
  Dl_info info;
  if (!dladdr((void *)address, &info)) return 0;
  *symbol = (struct runnel_symbol){info.dli_fname, info.dli_fbase, info.dli_sname};
  return 1;
}
