#include <stdint.h>

/// The number of blocks that the calling thread has allocated.
uint64_t allocations_made(void);

/// The number of blocks that the calling thread has allocated, minus those it has freed.
int64_t allocations_alive(void);

/// The number of bytes that the calling thread has allocated, minus those it has freed.
int64_t allocations_bytes(void);

/// The number of bytes that all threads have allocated, minus those they have freed.
int64_t allocations_bytes_of_all_threads(void);
