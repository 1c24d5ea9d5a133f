#define _GNU_SOURCE
#include "http.h"
#include "net.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { piece = 1 << 16, batch = 64 };

static const char hello[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 13\r\n\r\nHello, world!";

static void add(int epoll, int descriptor, unsigned events) {
  struct epoll_event event = {.events = events, .data.fd = descriptor};
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static int heads(const char *bytes, ssize_t size) {
  int count = 0;
  const char *end = bytes + size;
  while ((bytes = memmem(bytes, end - bytes, "\r\n\r\n", 4))) {
    count++;
    bytes += 4;
  }
  return count;
}

static void serve(int listener, long connections, int file, long file_size) {
  char *buffer = malloc(piece), *answers = malloc(64 * sizeof hello);
  char head[200];
  int head_size = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %ld\r\n\r\n", file_size);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event events[batch];
  off_t *offsets = calloc(1 << 15, sizeof *offsets);
  int yes = 1;
  for (int i = 0; i < 64; i++) memcpy(answers + i * (sizeof hello - 1), hello, sizeof hello - 1);
  add(epoll, listener, EPOLLIN);
  while (connections > 0) {
    int count = epoll_wait(epoll, events, batch, -1);
    for (int i = 0; i < count; i++) {
      int descriptor = events[i].data.fd;
      if (descriptor == listener) {
        int peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        add(epoll, peer, file < 0 ? EPOLLIN : EPOLLIN | EPOLLOUT | EPOLLET);
        offsets[peer] = file_size;
        continue;
      }
      if (file >= 0 && offsets[descriptor] < file_size) {
        while (offsets[descriptor] < file_size &&
               sendfile(descriptor, file, &offsets[descriptor], file_size - offsets[descriptor]) > 0) {}
        if (offsets[descriptor] < file_size) {
          // The client has gone away.
          if (errno != EAGAIN) {
            close(descriptor);
            connections--;
          }
          continue;
        }
      }
      ssize_t bytes = recv(descriptor, buffer, piece, 0);
      if (bytes > 0 && file < 0) {
        (void)!send(descriptor, answers, heads(buffer, bytes) * (sizeof hello - 1), MSG_NOSIGNAL);
      } else if (bytes > 0) {
        (void)!send(descriptor, head, head_size, MSG_NOSIGNAL | MSG_MORE);
        offsets[descriptor] = 0;
        while (offsets[descriptor] < file_size &&
               sendfile(descriptor, file, &offsets[descriptor], file_size - offsets[descriptor]) > 0) {}
      } else if (bytes == 0 || errno != EAGAIN) {
        close(descriptor);
        connections--;
      }
    }
  }
  close(epoll);
  free(buffer);
  free(answers);
  free(offsets);
}

void http_serve_plain(int listener, long connections) { serve(listener, connections, -1, 0); }

void http_serve_file(int listener, const char *path, long connections) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  fstat(file, &status);
  serve(listener, connections, file, status.st_size);
  close(file);
}

struct evhttp_state {
  struct event_base *base;
  long left;
};

static void closed(struct evhttp_connection *connection, void *argument) {
  struct evhttp_state *state = argument;
  (void)connection;
  if (--state->left == 0) event_base_loopbreak(state->base);
}

static void answer(struct evhttp_request *request, void *argument) {
  evhttp_connection_set_closecb(evhttp_request_get_connection(request), closed, argument);
  struct evbuffer *body = evbuffer_new();
  evbuffer_add(body, "Hello, world!", 13);
  evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "text/plain; charset=utf-8");
  evhttp_send_reply(request, HTTP_OK, "OK", body);
  evbuffer_free(body);
}

void http_serve_evhttp(int listener, long connections) {
  struct evhttp_state state = {event_base_new(), connections};
  struct evhttp *http = evhttp_new(state.base);
  int yes = 1;
  setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  fcntl(listener, F_SETFL, O_NONBLOCK);
  evhttp_set_gencb(http, answer, &state);
  evhttp_accept_socket(http, dup(listener));
  event_base_dispatch(state.base);
  evhttp_free(http);
  event_base_free(state.base);
}

static const char request[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

// Reads one response and returns its size.
static long response_size(int descriptor) {
  char head[4096];
  long size = 0;
  (void)!send(descriptor, request, sizeof request - 1, MSG_NOSIGNAL);
  while (1) {
    ssize_t bytes = recv(descriptor, head + size, sizeof head - 1 - size, 0);
    if (bytes <= 0) abort();
    size += bytes;
    head[size] = 0;
    char *end = strstr(head, "\r\n\r\n"), *length = strcasestr(head, "content-length: ");
    if (!end) continue;
    if (!length) abort();
    long whole = end + 4 - head + atol(length + 16);
    char *rest = malloc(piece);
    while (size < whole) {
      bytes = recv(descriptor, rest, whole - size < piece ? whole - size : piece, 0);
      if (bytes <= 0) abort();
      size += bytes;
    }
    free(rest);
    return whole;
  }
}

void http_drive(int port, int connections, int depth, long requests) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  int *sockets = malloc(sizeof *sockets * connections);
  long *missing = calloc(1 << 15, sizeof *missing);
  char *buffer = malloc(piece), *pipeline = malloc(depth * sizeof request);
  struct epoll_event events[batch];
  long size = 0;
  long length = depth * (sizeof request - 1);
  for (int i = 0; i < depth; i++) memcpy(pipeline + i * (sizeof request - 1), request, sizeof request - 1);
  for (int i = 0; i < connections; i++) {
    sockets[i] = net_connect(port);
    size = response_size(sockets[i]);
    add(epoll, sockets[i], EPOLLIN);
    missing[sockets[i]] = size * depth;
    (void)!send(sockets[i], pipeline, length, MSG_NOSIGNAL);
  }
  requests -= connections;
  while (requests > 0) {
    int count = epoll_wait(epoll, events, batch, -1);
    for (int i = 0; i < count && requests > 0; i++) {
      int descriptor = events[i].data.fd;
      ssize_t bytes = recv(descriptor, buffer, piece, 0);
      if (bytes <= 0) abort();
      missing[descriptor] -= bytes;
      if (missing[descriptor] > 0) continue;
      requests -= depth;
      missing[descriptor] = size * depth;
      (void)!send(descriptor, pipeline, length, MSG_NOSIGNAL);
    }
  }
  for (int i = 0; i < connections; i++) close(sockets[i]);
  close(epoll);
  free(sockets);
  free(missing);
  free(buffer);
  free(pipeline);
}

static const char handshake[] =
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

void http_drive_websockets(int port, int connections, long messages) {
  enum { size = 64, sent = size + 6, received = size + 2 };
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  int *sockets = malloc(sizeof *sockets * connections);
  char *buffer = malloc(piece), frame[sent];
  struct epoll_event events[batch];
  // A final masked frame of text, whose mask is zero.
  memset(frame, 'a', sizeof frame);
  memcpy(frame, "\x81\xc0\0\0\0\0", 6);
  for (int i = 0; i < connections; i++) {
    long bytes = 0;
    sockets[i] = net_connect(port);
    (void)!send(sockets[i], handshake, sizeof handshake - 1, MSG_NOSIGNAL);
    do {
      ssize_t count = recv(sockets[i], buffer + bytes, piece - 1 - bytes, 0);
      if (count <= 0) abort();
      buffer[bytes += count] = 0;
    } while (!strstr(buffer, "\r\n\r\n"));
    add(epoll, sockets[i], EPOLLIN);
    (void)!send(sockets[i], frame, sent, MSG_NOSIGNAL);
  }
  while (messages > 0) {
    int count = epoll_wait(epoll, events, batch, -1);
    for (int i = 0; i < count && messages > 0; i++) {
      ssize_t bytes = recv(events[i].data.fd, buffer, piece, 0);
      if (bytes != received) abort();
      messages--;
      (void)!send(events[i].data.fd, frame, sent, MSG_NOSIGNAL);
    }
  }
  for (int i = 0; i < connections; i++) close(sockets[i]);
  close(epoll);
  free(sockets);
  free(buffer);
}

void http_subscribe(int port, int *sockets, int clients) {
  for (int i = 0; i < clients; i++) {
    sockets[i] = net_connect(port);
    (void)!send(sockets[i], request, sizeof request - 1, MSG_NOSIGNAL);
    fcntl(sockets[i], F_SETFL, O_NONBLOCK);
  }
}

void http_accept(int listener, int *sockets, int clients) {
  char buffer[4096];
  int yes = 1;
  for (int i = 0; i < clients; i++) {
    sockets[i] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    (void)!recv(sockets[i], buffer, sizeof buffer, 0);
    fcntl(sockets[i], F_SETFL, O_NONBLOCK);
  }
}

void http_write_all(const int *sockets, int count, const char *bytes, long size) {
  for (int i = 0; i < count; i++) (void)!send(sockets[i], bytes, size, MSG_NOSIGNAL);
}

void http_drain_all(const int *sockets, int count) {
  char *buffer = malloc(piece);
  for (int i = 0; i < count; i++) {
    while (recv(sockets[i], buffer, piece, 0) > 0) {}
  }
  free(buffer);
}

void http_close_all(const int *sockets, int count) {
  for (int i = 0; i < count; i++) close(sockets[i]);
}

// The parser of evhttp is not in its headers.
extern int evhttp_parse_firstline_(struct evhttp_request *, struct evbuffer *);
extern int evhttp_parse_headers_(struct evhttp_request *, struct evbuffer *);

int http_parse_evhttp(const char *bytes, long size, long times) {
  int headers = 0;
  struct evbuffer *buffer = evbuffer_new();
  for (long i = 0; i < times; i++) {
    struct evhttp_request *parsed = evhttp_request_new(NULL, NULL);
    struct evkeyval *header;
    parsed->kind = EVHTTP_REQUEST;
    evbuffer_add(buffer, bytes, size);
    // 1 is ALL_DATA_READ.
    if (evhttp_parse_firstline_(parsed, buffer) != 1 || evhttp_parse_headers_(parsed, buffer) != 1) abort();
    for (header = parsed->input_headers->tqh_first; header; header = header->next.tqe_next) headers++;
    evhttp_request_free(parsed);
  }
  evbuffer_free(buffer);
  return headers;
}
