// Counts the allocations of each thread by replacing glibc's allocation functions.
#include "allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// The fastest access to a thread-local variable: counting must not slow down measurements.
#define LOCAL __attribute__((tls_model("initial-exec"))) static _Thread_local

LOCAL uint64_t made;
LOCAL uint64_t freed;
LOCAL int64_t bytes;

uint64_t allocations_made(void) { return made; }

int64_t allocations_alive(void) { return (int64_t)(made - freed); }

int64_t allocations_bytes(void) { return bytes; }

int64_t allocations_bytes_of_all_threads(void) {
  struct mallinfo2 all = mallinfo2();
  return (int64_t)(all.uordblks + all.hblkhd);
}

static void *counted(void *block) {
  made++;
  if (block) bytes += (int64_t)malloc_usable_size(block);
  return block;
}

static void count_free(void *block) {
  if (!block) return;
  freed++;
  bytes -= (int64_t)malloc_usable_size(block);
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }

void *realloc(void *block, size_t size) {
  count_free(block);
  return counted(__libc_realloc(block, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = counted(__libc_memalign(alignment, size));
  return *block ? 0 : ENOMEM;
}

void free(void *block) {
  count_free(block);
  __libc_free(block);
}
