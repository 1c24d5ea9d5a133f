#include <stdint.h>

/// How many blocks this process has allocated so far, on all threads.
uint64_t allocations_count(void);
