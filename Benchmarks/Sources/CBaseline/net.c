#define _GNU_SOURCE
#include "net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { piece = 1 << 16, batch = 64 };

void net_pin(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  sched_setaffinity(0, sizeof set, &set);
}

int net_listen(int *port) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  bind(listener, (struct sockaddr *)&address, sizeof address);
  listen(listener, 4096);
  getsockname(listener, (struct sockaddr *)&address, &length);
  *port = ntohs(address.sin_port);
  return listener;
}

int net_connect(int port) {
  int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
  if (connect(socket_, (struct sockaddr *)&address, sizeof address) < 0) abort();
  int yes = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket_;
}

static void add(int epoll, int descriptor, unsigned events) {
  struct epoll_event event = {.events = events, .data.fd = descriptor};
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

// Serves until `connections` connections were closed by their clients.
static long serve(int listener, long connections, int echoes) {
  char *buffer = malloc(piece);
  long received = 0;
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event events[batch];
  int yes = 1;
  add(epoll, listener, EPOLLIN);
  while (connections > 0) {
    int count = epoll_wait(epoll, events, batch, -1);
    for (int i = 0; i < count; i++) {
      int descriptor = events[i].data.fd;
      if (descriptor == listener) {
        int peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        add(epoll, peer, EPOLLIN);
        continue;
      }
      ssize_t bytes = recv(descriptor, buffer, piece, 0);
      if (bytes > 0) {
        received += bytes;
        if (echoes) (void)!send(descriptor, buffer, bytes, MSG_NOSIGNAL);
      } else if (bytes == 0 || errno != EAGAIN) {
        close(descriptor);
        connections--;
      }
    }
  }
  close(epoll);
  free(buffer);
  return received;
}

void net_serve_echo(int listener, long connections) { serve(listener, connections, 1); }

long net_serve_sink(int listener, long connections) { return serve(listener, connections, 0); }

void net_drive_echo(int port, int connections, int size, long messages) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  int *sockets = malloc(sizeof *sockets * connections);
  char *buffer = calloc(1, size);
  struct epoll_event events[batch];
  for (int i = 0; i < connections; i++) {
    sockets[i] = net_connect(port);
    add(epoll, sockets[i], EPOLLIN);
    (void)!send(sockets[i], buffer, size, MSG_NOSIGNAL);
  }
  while (messages > 0) {
    int count = epoll_wait(epoll, events, batch, -1);
    for (int i = 0; i < count && messages > 0; i++) {
      ssize_t bytes = recv(events[i].data.fd, buffer, size, 0);
      if (bytes <= 0) abort();
      messages--;
      (void)!send(events[i].data.fd, buffer, bytes, MSG_NOSIGNAL);
    }
  }
  for (int i = 0; i < connections; i++) close(sockets[i]);
  close(epoll);
  free(sockets);
  free(buffer);
}

void net_drive_bulk(int port, long bytes) {
  char *buffer = calloc(1, piece);
  int socket_ = net_connect(port);
  while (bytes > 0) {
    ssize_t sent = send(socket_, buffer, bytes < piece ? bytes : piece, MSG_NOSIGNAL);
    if (sent <= 0) abort();
    bytes -= sent;
  }
  // The peer has read everything when it closes.
  shutdown(socket_, SHUT_WR);
  (void)!recv(socket_, buffer, 1, 0);
  close(socket_);
  free(buffer);
}

void net_drain(int port) {
  char *buffer = malloc(piece);
  int socket_ = net_connect(port);
  while (recv(socket_, buffer, piece, 0) > 0) {}
  close(socket_);
  free(buffer);
}

void net_serve_bulk(int listener, long bytes) {
  char *buffer = calloc(1, piece);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event;
  int peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  add(epoll, peer, EPOLLOUT | EPOLLET);
  while (bytes > 0) {
    epoll_wait(epoll, &event, 1, -1);
    while (bytes > 0) {
      ssize_t sent = send(peer, buffer, bytes < piece ? bytes : piece, MSG_NOSIGNAL);
      if (sent < 0) break;
      bytes -= sent;
    }
  }
  close(peer);
  close(epoll);
  free(buffer);
}

struct direction {
  int from, to;
  char *buffer;
  ssize_t start, end;
  int ended;
};

static void pump(struct direction *way) {
  while (1) {
    while (way->start < way->end) {
      ssize_t sent = send(way->to, way->buffer + way->start, way->end - way->start, MSG_NOSIGNAL);
      if (sent < 0) return;
      way->start += sent;
    }
    if (way->ended) return;
    ssize_t bytes = recv(way->from, way->buffer, piece, 0);
    if (bytes < 0) return;
    if (bytes == 0) {
      way->ended = 1;
      shutdown(way->to, SHUT_WR);
      return;
    }
    way->start = 0;
    way->end = bytes;
  }
}

void net_serve_relay(int listener, int port) {
  int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  int server = net_connect(port);
  struct direction ways[2] = {
      {client, server, malloc(piece), 0, 0, 0}, {server, client, malloc(piece), 0, 0, 0}};
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event events[batch];
  // Makes it non-blocking; an accepted socket is already.
  extern int fcntl(int, int, ...);
  fcntl(server, 4 /* F_SETFL */, 04000 /* O_NONBLOCK */);
  add(epoll, client, EPOLLIN | EPOLLOUT | EPOLLET);
  add(epoll, server, EPOLLIN | EPOLLOUT | EPOLLET);
  while (!ways[0].ended || !ways[1].ended) {
    epoll_wait(epoll, events, batch, -1);
    pump(&ways[0]);
    pump(&ways[1]);
  }
  close(client);
  close(server);
  close(epoll);
  free(ways[0].buffer);
  free(ways[1].buffer);
}

void net_drive_accept(int port, long connections) {
  for (long i = 0; i < connections; i++) close(net_connect(port));
}
