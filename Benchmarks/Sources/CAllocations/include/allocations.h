#include <stdint.h>

/// How many blocks the calling thread has allocated so far.
uint64_t allocations_made(void);

/// How many blocks the calling thread has allocated more than it has freed.
int64_t allocations_alive(void);

/// How many bytes the calling thread has allocated more than it has freed.
int64_t allocations_bytes(void);
