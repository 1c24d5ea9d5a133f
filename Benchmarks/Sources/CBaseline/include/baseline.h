// Baselines: the measured work in C, directly on libevent. Times are in nanoseconds per operation.
#pragma once

#include "net.h"

// Submits jobs from one thread to another, through a lock-free stack and an eventfd.
double baseline_flood(long count);

// Sends messages back and forth between two loops, which wake each other through eventfds.
double baseline_round_trip(long count);

// Sends messages back and forth between a libdispatch pool and a loop, which is woken through an
// eventfd.
double baseline_pool_trip(long count);

// Adds libevent timers with different timeouts and lets them fire. Returns the time to add and to
// fire one.
void baseline_timers(long count, double *add, double *fire);

// Sets a timer without delay again whenever it fires.
double baseline_rearm(long count);

// Answers messages on socket pairs on this thread until the sockets are closed.
void baseline_echo_serve(const int *sockets, int count);

// Exchanges messages of 64 bytes, one at a time on each socket, until `messages` answers have
// arrived.
void baseline_echo_drive(const int *sockets, int count, long messages);

// Returns the number of texts that contain a word.
long baseline_search(const char *const *texts, const long *lengths, long count, const char *word);
