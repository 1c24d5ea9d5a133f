#define _GNU_SOURCE
#include "baseline.h"

#include <event2/event.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { message_size = 64 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static struct event_base *new_base(void) {
  struct event_config *config = event_config_new();
  event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
  struct event_base *base = event_base_new_with_config(config);
  event_config_free(config);
  return base;
}

// Jobs.

struct job {
  struct job *next;
};

struct mailbox {
  _Atomic(struct job *) top;
  int descriptor;
  long left;
  struct event_base *base;
};

static void take_jobs(int descriptor, short what, void *argument) {
  struct mailbox *mailbox = argument;
  uint64_t count;
  (void)!read(descriptor, &count, sizeof count);
  struct job *job = atomic_exchange(&mailbox->top, NULL);
  while (job) {
    struct job *next = job->next;
    free(job);
    mailbox->left--;
    job = next;
  }
  if (mailbox->left == 0) event_base_loopbreak(mailbox->base);
}

static void *consume(void *argument) {
  struct mailbox *mailbox = argument;
  event_base_dispatch(mailbox->base);
  return NULL;
}

double baseline_flood(long count) {
  struct mailbox mailbox = {.descriptor = eventfd(0, EFD_NONBLOCK), .left = count, .base = new_base()};
  struct event *event =
      event_new(mailbox.base, mailbox.descriptor, EV_READ | EV_PERSIST, take_jobs, &mailbox);
  event_add(event, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, consume, &mailbox);
  double start = now();
  for (long i = 0; i < count; i++) {
    struct job *job = malloc(sizeof *job);
    struct job *top = atomic_load_explicit(&mailbox.top, memory_order_relaxed);
    do job->next = top;
    while (!atomic_compare_exchange_weak(&mailbox.top, &top, job));
    if (!top) eventfd_write(mailbox.descriptor, 1);
  }
  pthread_join(thread, NULL);
  double elapsed = now() - start;
  event_free(event);
  event_base_free(mailbox.base);
  close(mailbox.descriptor);
  return elapsed / count;
}

// Round trips.

struct player {
  int own, other;
  long left;
  struct event_base *base;
};

static void play(int descriptor, short what, void *argument) {
  struct player *player = argument;
  uint64_t count;
  (void)!read(descriptor, &count, sizeof count);
  eventfd_write(player->other, 1);
  if (--player->left == 0) event_base_loopbreak(player->base);
}

static void *run_player(void *argument) {
  struct player *player = argument;
  struct event *event = event_new(player->base, player->own, EV_READ | EV_PERSIST, play, player);
  event_add(event, NULL);
  event_base_dispatch(player->base);
  event_free(event);
  return NULL;
}

double baseline_round_trip(long count) {
  int first = eventfd(0, EFD_NONBLOCK), second = eventfd(0, EFD_NONBLOCK);
  struct player one = {first, second, count, new_base()}, two = {second, first, count, new_base()};
  pthread_t thread;
  pthread_create(&thread, NULL, run_player, &two);
  double start = now();
  eventfd_write(first, 1);
  run_player(&one);
  pthread_join(thread, NULL);
  double elapsed = now() - start;
  event_base_free(one.base);
  event_base_free(two.base);
  close(first);
  close(second);
  return elapsed / count;
}

// Pool and loop.

// From libdispatch, whose headers belong to Swift and are not on C's search path.
void *dispatch_get_global_queue(intptr_t priority, uintptr_t flags);
void dispatch_async_f(void *queue, void *argument, void (*work)(void *));

struct trip {
  int descriptor;
  long left;
  struct event_base *base;
};

static void send_to_loop(void *argument) {
  struct trip *trip = argument;
  eventfd_write(trip->descriptor, 1);
}

static void send_to_pool(int descriptor, short what, void *argument) {
  struct trip *trip = argument;
  uint64_t count;
  (void)!read(descriptor, &count, sizeof count);
  if (trip->left-- == 0) {
    event_base_loopbreak(trip->base);
  } else {
    dispatch_async_f(dispatch_get_global_queue(0, 0), trip, send_to_loop);
  }
}

double baseline_pool_trip(long count) {
  struct trip trip = {eventfd(0, EFD_NONBLOCK), count, new_base()};
  struct event *event =
      event_new(trip.base, trip.descriptor, EV_READ | EV_PERSIST, send_to_pool, &trip);
  event_add(event, NULL);
  double start = now();
  send_to_loop(&trip);
  event_base_dispatch(trip.base);
  double elapsed = now() - start;
  event_free(event);
  event_base_free(trip.base);
  close(trip.descriptor);
  return elapsed / count;
}

// Timers.

static void fire(int descriptor, short what, void *argument) { ++*(long *)argument; }

void baseline_timers(long count, double *add, double *fired) {
  struct event_base *base = new_base();
  struct event **events = malloc(count * sizeof *events);
  long calls = 0;
  double start = now();
  for (long i = 0; i < count; i++) {
    struct timeval delay = {0, (i * 7919) % 1000};
    events[i] = event_new(base, -1, 0, fire, &calls);
    event_add(events[i], &delay);
  }
  *add = (now() - start) / count;
  start = now();
  while (calls < count) event_base_loop(base, EVLOOP_ONCE);
  *fired = (now() - start) / count;
  for (long i = 0; i < count; i++) event_free(events[i]);
  free(events);
  event_base_free(base);
}

struct rearmed {
  struct event *event;
  struct event_base *base;
  long left;
};

static void rearm(int descriptor, short what, void *argument) {
  struct rearmed *timer = argument;
  if (--timer->left == 0) {
    event_base_loopbreak(timer->base);
  } else {
    event_add(timer->event, &(struct timeval){0, 0});
  }
}

double baseline_rearm(long count) {
  struct rearmed timer = {.base = new_base(), .left = count};
  timer.event = event_new(timer.base, -1, 0, rearm, &timer);
  double start = now();
  event_add(timer.event, &(struct timeval){0, 0});
  event_base_dispatch(timer.base);
  double elapsed = now() - start;
  event_free(timer.event);
  event_base_free(timer.base);
  return elapsed / count;
}

// Echo.

static void answer(int socket, short what, void *argument) {
  char message[message_size];
  ssize_t count = read(socket, message, sizeof message);
  if (count > 0) {
    (void)!write(socket, message, count);
  } else {
    event_free(event_base_get_running_event(argument));
  }
}

void baseline_echo_serve(const int *sockets, int count) {
  struct event_base *base = new_base();
  for (int i = 0; i < count; i++)
    event_add(event_new(base, sockets[i], EV_READ | EV_PERSIST, answer, base), NULL);
  event_base_dispatch(base);
  event_base_free(base);
}

struct client {
  struct event_base *base;
  long left;
};

static void send_again(int socket, short what, void *argument) {
  struct client *client = argument;
  char message[message_size];
  ssize_t count = read(socket, message, sizeof message);
  if (--client->left == 0) event_base_loopbreak(client->base);
  if (count > 0) (void)!write(socket, message, count);
}

void baseline_echo_drive(const int *sockets, int count, long messages) {
  struct client client = {new_base(), messages};
  struct event *events[count];
  char message[message_size] = {0};
  for (int i = 0; i < count; i++) {
    events[i] = event_new(client.base, sockets[i], EV_READ | EV_PERSIST, send_again, &client);
    event_add(events[i], NULL);
    (void)!write(sockets[i], message, sizeof message);
  }
  event_base_dispatch(client.base);
  for (int i = 0; i < count; i++) event_free(events[i]);
  event_base_free(client.base);
}

// Search.

long baseline_search(const char *const *texts, const long *lengths, long count, const char *word) {
  long found = 0;
  size_t length = strlen(word);
  for (long i = 0; i < count; i++) found += memmem(texts[i], lengths[i], word, length) != NULL;
  return found;
}
