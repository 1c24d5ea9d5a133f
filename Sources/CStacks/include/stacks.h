// The stack of another thread, which that thread records in a handler of SIGURG, and the names of
// functions. One thread at a time may ask.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { runnel_stack_limit = 512 };

// Installs the handler, unless the program has one for this signal. By default the signal is ignored.
void runnel_install_recorder(void);

// Unblocks SIGURG on the calling thread. The threads of libdispatch block all signals, and so do those
// which they start.
void runnel_unblock_recorder(void);

// The number that the system has given to the calling thread.
pid_t runnel_thread_number(void);

// Asks a thread for the addresses of its stack, the innermost first. Returns their number; 0 if the
// handler is not installed, or the thread does not answer in time.
int runnel_stack_of(pid_t thread, int milliseconds, uintptr_t addresses[runnel_stack_limit]);

// Makes all threads of the process see what the calling thread has stored, and it what they have.
// Returns 0 if the system cannot.
int runnel_fence_threads(void);

// The place of an address: its file, where that is loaded, and the exported symbol that contains it, or
// NULL. Returns 0 if no file contains the address.
struct runnel_symbol {
  const char *path;
  const void *base;
  const char *name;
};
int runnel_symbol_at(uintptr_t address, struct runnel_symbol *symbol);

// Returns a new string with the readable name of a Swift symbol, or NULL.
char *swift_demangle(
    const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);
