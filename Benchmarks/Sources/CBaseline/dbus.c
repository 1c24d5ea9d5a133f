#define _GNU_SOURCE
#include "dbus.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static int check(int result) {
  if (result < 0) {
    fprintf(stderr, "sd-bus: %s\n", strerror(-result));
    abort();
  }
  return result;
}

static sd_bus *opened(int socket_, int is_server) {
  sd_bus *bus;
  check(sd_bus_new(&bus));
  check(sd_bus_set_fd(bus, socket_, socket_));
  if (is_server) {
    sd_id128_t identifier;
    sd_id128_randomize(&identifier);
    check(sd_bus_set_server(bus, 1, identifier));
  }
  check(sd_bus_start(bus));
  return bus;
}

struct pair {
  sd_bus *client, *server;
};

// Waits until one of the sides has something to do, and handles all that it has.
static void turn(struct pair *pair) {
  sd_bus *buses[2] = {pair->client, pair->server};
  struct pollfd sockets[2];
  uint64_t next[2];
  for (int side = 0; side < 2; side++) {
    sockets[side] = (struct pollfd){
        .fd = sd_bus_get_fd(buses[side]), .events = check(sd_bus_get_events(buses[side]))};
    check(sd_bus_get_timeout(buses[side], &next[side]));
  }
  uint64_t first = next[0] < next[1] ? next[0] : next[1], present = now() / 1000;
  poll(sockets, 2, first == UINT64_MAX ? -1 : first <= present ? 0 : (first - present) / 1000 + 1);
  for (int side = 0; side < 2; side++) {
    if (sockets[side].revents || next[side] <= present)
      while (check(sd_bus_process(buses[side], NULL)) > 0) continue;
  }
}

static struct pair connected(void) {
  int sockets[2];
  socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets);
  struct pair pair = {opened(sockets[0], 0), opened(sockets[1], 1)};
  while (!check(sd_bus_is_ready(pair.client)) || !check(sd_bus_is_ready(pair.server))) turn(&pair);
  return pair;
}

static void end(struct pair *pair) {
  sd_bus_close_unref(pair->client);
  sd_bus_close_unref(pair->server);
}

static int find(sd_bus_message *message, void *object, sd_bus_error *error) {
  const char *title;
  uint32_t number;
  check(sd_bus_message_read(message, "su", &title, &number));
  return check(sd_bus_reply_method_return(message, "su", title, number));
}

static const sd_bus_vtable table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD_WITH_ARGS(
        "Find", SD_BUS_ARGS("s", title, "u", number), SD_BUS_RESULT("s", title, "u", number), find,
        SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL_WITH_ARGS("Sold", SD_BUS_ARGS("s", title, "u", number), 0),
    SD_BUS_VTABLE_END,
};

struct state {
  long received, sum;
};

static int received(sd_bus_message *message, void *object, sd_bus_error *error) {
  struct state *state = object;
  const char *title;
  uint32_t number;
  // An answer with an error has other values.
  check(sd_bus_message_read(message, "su", &title, &number));
  state->sum += number;
  state->received++;
  return 0;
}

static const char *const path = "/bench/shop", *const interface = "org.example.Shop";

double dbus_call(int depth, long count) {
  struct pair pair = connected();
  struct state state = {0};
  check(sd_bus_add_object_vtable(pair.server, NULL, path, interface, table, NULL));
  double begin = now();
  for (long sent = 0; state.received < count;) {
    while (sent < count && sent - state.received < depth)
      check(sd_bus_call_method_async(
          pair.client, NULL, NULL, path, interface, "Find", received, &state, "su", "a pound of tea",
          (uint32_t)sent++));
    turn(&pair);
  }
  double time = now() - begin;
  if (state.sum != count * (count - 1) / 2) abort();
  end(&pair);
  return time / count;
}

double dbus_signal(int depth, long count) {
  struct pair pair = connected();
  struct state state = {0};
  check(sd_bus_add_object_vtable(pair.server, NULL, path, interface, table, NULL));
  check(sd_bus_match_signal(pair.client, NULL, NULL, path, interface, "Sold", received, &state));
  double begin = now();
  for (long sent = 0; state.received < count;) {
    while (sent < count && sent - state.received < depth)
      check(sd_bus_emit_signal(
          pair.server, path, interface, "Sold", "su", "a pound of tea", (uint32_t)sent++));
    turn(&pair);
  }
  double time = now() - begin;
  if (state.sum != count * (count - 1) / 2) abort();
  end(&pair);
  return time / count;
}
