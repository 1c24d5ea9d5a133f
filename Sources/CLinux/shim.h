// The Linux functions that the Glibc module lacks or cannot import.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

// Sets the name of the calling thread. Linux keeps its first 15 bytes.
static inline int runnel_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// Returns the number of processors that the calling thread may run on.
static inline int runnel_processor_count(void) {
  unsigned long processors[128];
  long size = syscall(SYS_sched_getaffinity, 0, sizeof processors, processors);
  int count = 0;
  for (long i = 0; i < size / (long)sizeof *processors; i++)
    count += __builtin_popcountl(processors[i]);
  return count;
}

static inline int runnel_pidfd_open(pid_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}

static inline int runnel_pidfd_send_signal(int descriptor, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0);
}

// The environment of this process, which child processes inherit by default.
static inline char **runnel_environment(void) {
  extern char **environ;
  return environ;
}

// Returns how a child has ended: 0 while it runs, or CLD_EXITED, CLD_KILLED or CLD_DUMPED, with its
// exit status or signal in `status`. Returns -1 if other code has already waited for it.
static inline int runnel_reap(int descriptor, int *status) {
  siginfo_t info;
  info.si_pid = 0;
  int result;
  do {
    result = waitid((idtype_t)3 /* P_PIDFD */, (id_t)descriptor, &info, WEXITED | WNOHANG);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return -1;
  if (info.si_pid == 0) return 0;
  *status = info.si_status;
  return info.si_code;
}

static inline int runnel_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static inline int runnel_change_folder(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

static inline int runnel_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

// The flag O_PATH, which Swift does not import: opens a folder to open its entries, not to list them.
enum { runnel_pass_only = 010000000 };

// Renames a file, possibly into another folder, or exchanges two files.
enum { runnel_no_replace = 1, runnel_exchange = 2 };
static inline int runnel_rename(
    int folder, const char *name, int other, const char *new_name, unsigned flags) {
  return (int)syscall(SYS_renameat2, folder, name, other, new_name, flags);
}

// Returns the number of the mount that contains a path, without following links; 0 if unknown.
static inline unsigned long long runnel_mount_number(const char *path) {
#ifdef STATX_MNT_ID
  struct statx status;
  int no_follow = 0x100;
  if (syscall(SYS_statx, AT_FDCWD, path, no_follow, STATX_MNT_ID, &status) == 0 &&
      status.stx_mask & STATX_MNT_ID)
    return status.stx_mnt_id;
#endif
  return 0;
}

// Returns a descriptor that becomes readable when the open mount table changes.
static inline int runnel_mount_events(int table) {
  int events = epoll_create1(EPOLL_CLOEXEC);
  // A mount table is always readable. Only the exceptional event reports a change.
  struct epoll_event change = {.events = EPOLLPRI};
  if (events < 0 || epoll_ctl(events, EPOLL_CTL_ADD, table, &change) == 0) return events;
  int error = errno;
  close(events);
  errno = error;
  return -1;
}

// Consumes the event of such a descriptor, so that it reports the next change.
static inline void runnel_take_mount_event(int events) {
  struct epoll_event change;
  epoll_wait(events, &change, 1, 0);
}

// Returns 1 if another descriptor has the file open for writing, 0 if not, and -1 if the system does
// not tell: the file belongs to another user. `descriptor` must be open for reading. The system refuses
// a read lease of a file that is open for writing; a file system without leases always yields 0.
static inline int runnel_has_writer(int descriptor) {
  // If the file is opened meanwhile, the system sends SIGURG, which is ignored by default.
  fcntl(descriptor, 10 /* F_SETSIG */, SIGURG);
  if (fcntl(descriptor, 1024 /* F_SETLEASE */, F_RDLCK) < 0) {
    return errno == EAGAIN ? 1 : errno == EACCES ? -1 : 0;
  }
  fcntl(descriptor, 1024, F_UNLCK);
  return 0;
}
