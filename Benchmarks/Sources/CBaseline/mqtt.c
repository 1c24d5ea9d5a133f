#define _GNU_SOURCE
#include "mqtt.h"

#include "net.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int mqtt_start_broker(const char *configuration) {
  int process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    net_pin();
    // It warns of being the superuser, which it stays so that it ends with this thread.
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl("/usr/sbin/mosquitto", "mosquitto", "-c", configuration, NULL);
    _exit(127);
  }
  return process;
}

void mqtt_end_broker(int process) {
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

int mqtt_can_connect(int port) {
  int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
  int result = connect(socket_, (struct sockaddr *)&address, sizeof address);
  close(socket_);
  return result == 0;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

struct state {
  int is_online, is_subscribed;
  long unconfirmed, received, sum;
};

static void did_connect(struct mosquitto *client, void *object, int result) {
  if (result != 0) abort();
  ((struct state *)object)->is_online = 1;
}

static void did_publish(struct mosquitto *client, void *object, int number) {
  ((struct state *)object)->unconfirmed--;
}

static void did_subscribe(
    struct mosquitto *client, void *object, int number, int count, const int *granted) {
  ((struct state *)object)->is_subscribed = 1;
}

static void did_receive(
    struct mosquitto *client, void *object, const struct mosquitto_message *message) {
  struct state *state = object;
  long number;
  double price;
  char title[32], text[256];
  // A payload does not end with a zero.
  if (message->payloadlen >= (int)sizeof text) abort();
  memcpy(text, message->payload, message->payloadlen);
  text[message->payloadlen] = 0;
  if (sscanf(text, "{\"number\":%ld,\"title\":\"%31[^\"]\",\"price\":%lf}", &number, title, &price) != 3)
    abort();
  state->sum += number;
  state->received++;
}

static void check(int result) {
  if (result != MOSQ_ERR_SUCCESS) {
    fprintf(stderr, "libmosquitto: %s\n", mosquitto_strerror(result));
    abort();
  }
}

static struct mosquitto *connected(int port, int window, struct state *state) {
  struct mosquitto *client = mosquitto_new(NULL, 1, state);
  mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, window);
  mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, window);
  mosquitto_connect_callback_set(client, did_connect);
  mosquitto_publish_callback_set(client, did_publish);
  mosquitto_subscribe_callback_set(client, did_subscribe);
  mosquitto_message_callback_set(client, did_receive);
  check(mosquitto_connect(client, "127.0.0.1", port, 60));
  while (!state->is_online) check(mosquitto_loop(client, -1, 1));
  return client;
}

static void end(struct mosquitto *client) {
  mosquitto_disconnect(client);
  mosquitto_destroy(client);
}

double mqtt_publish(int port, int qos, int size, int window, long count) {
  mosquitto_lib_init();
  struct state state = {0};
  struct mosquitto *client = connected(port, window, &state);
  char *payload = calloc(1, size);
  double begin = now();
  for (long left = count; left > 0 || state.unconfirmed > 0;) {
    while (left > 0 && state.unconfirmed < window) {
      // The confirmation of the last message says that the broker has all.
      int last = --left == 0;
      state.unconfirmed++;
      check(mosquitto_publish(client, NULL, "bench/publish", size, payload, last ? 1 : qos, 0));
    }
    if (state.unconfirmed > 0) check(mosquitto_loop(client, -1, 1));
  }
  double time = now() - begin;
  end(client);
  free(payload);
  return time / count;
}

// Reads and writes what is possible now.
static void advance(struct mosquitto *client, short events) {
  if (events & POLLIN) check(mosquitto_loop_read(client, 1));
  if (events & POLLOUT) check(mosquitto_loop_write(client, 1));
  check(mosquitto_loop_misc(client));
}

double mqtt_exchange(int port, int qos, int window, long count) {
  mosquitto_lib_init();
  struct state sending = {0}, receiving = {0};
  struct mosquitto *sender = connected(port, window, &sending);
  struct mosquitto *receiver = connected(port, window, &receiving);
  check(mosquitto_subscribe(receiver, NULL, "bench/orders/#", qos));
  while (!receiving.is_subscribed) check(mosquitto_loop(receiver, -1, 1));
  struct pollfd sockets[2] = {
      {.fd = mosquitto_socket(sender)}, {.fd = mosquitto_socket(receiver)}};
  char text[256];
  double begin = now();
  for (long sent = 0; receiving.received < count || sending.unconfirmed > 0;) {
    while (sent < count && sent - receiving.received < window) {
      int size = snprintf(
          text, sizeof text, "{\"number\":%ld,\"title\":\"%s\",\"price\":%.1f}", sent++,
          "a pound of tea", 3.5);
      sending.unconfirmed++;
      check(mosquitto_publish(sender, NULL, "bench/orders/created", size, text, qos, 0));
    }
    sockets[0].events = POLLIN | (mosquitto_want_write(sender) ? POLLOUT : 0);
    sockets[1].events = POLLIN | (mosquitto_want_write(receiver) ? POLLOUT : 0);
    poll(sockets, 2, 1000);
    advance(sender, sockets[0].revents);
    advance(receiver, sockets[1].revents);
  }
  double time = now() - begin;
  if (receiving.sum != count * (count - 1) / 2) abort();
  end(sender);
  end(receiver);
  return time / count;
}
