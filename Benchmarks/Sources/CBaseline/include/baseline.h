// What the same work costs in C, on libevent directly. Times are nanoseconds for one.
#pragma once

// A thread gives another one jobs, through a stack without a lock and an eventfd.
double baseline_flood(long count);

// Two loops wake each other through eventfds.
double baseline_round_trip(long count);

// A thread of libdispatch's pool wakes a loop through an eventfd, and the loop one of the pool.
double baseline_pool_trip(long count);

// Timers of libevent with different timeouts: what adding one costs, and what firing one costs.
void baseline_timers(long count, double *add, double *fire);

// Answers what comes in over socket pairs until they are closed, on this thread.
void baseline_echo_serve(const int *sockets, int count);

// Keeps one message of 64 bytes under way over each socket, until so many have come back.
void baseline_echo_drive(const int *sockets, int count, long messages);
