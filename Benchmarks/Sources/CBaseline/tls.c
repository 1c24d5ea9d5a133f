#define _GNU_SOURCE
#include "net.h"

#include <fcntl.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { piece = 1 << 16, rounds = 64 };

// One end of a connection: a session over two memory buffers, and a socket in non-blocking mode.
struct end {
  SSL *session;
  BIO *input, *output;
  int socket;
  char waiting[2 * piece];
  int start, stop;
};

static void begin(struct end *end, SSL_CTX *context, int socket_) {
  end->session = SSL_new(context);
  end->input = BIO_new(BIO_s_mem());
  end->output = BIO_new(BIO_s_mem());
  SSL_set_bio(end->session, end->input, end->output);
  end->socket = socket_;
  fcntl(socket_, F_SETFL, O_NONBLOCK);
}

// Sends what the session has written. Returns 0 if the socket is full.
static int send_output(struct end *end) {
  while (1) {
    if (end->start == end->stop) {
      end->start = 0;
      end->stop = BIO_read(end->output, end->waiting, sizeof end->waiting);
      if (end->stop <= 0) {
        end->stop = 0;
        return 1;
      }
    }
    ssize_t count =
        send(end->socket, end->waiting + end->start, end->stop - end->start, MSG_NOSIGNAL);
    if (count < 0) return 0;
    end->start += count;
  }
}

// Gives the session what has arrived. Returns 0 if nothing has.
static int receive_input(struct end *end, char *buffer) {
  ssize_t count = recv(end->socket, buffer, piece, 0);
  if (count <= 0) return 0;
  BIO_write(end->input, buffer, count);
  return 1;
}

void net_tls_bulk(const char *certificate, const char *key, long bytes) {
  SSL_CTX *of_server = SSL_CTX_new(TLS_server_method());
  SSL_CTX *of_client = SSL_CTX_new(TLS_client_method());
  if (SSL_CTX_use_certificate_chain_file(of_server, certificate) != 1) abort();
  if (SSL_CTX_use_PrivateKey_file(of_server, key, SSL_FILETYPE_PEM) != 1) abort();
  int port;
  int listener = net_listen(&port);
  struct end *client = calloc(1, sizeof *client), *server = calloc(1, sizeof *server);
  begin(client, of_client, net_connect(port));
  begin(server, of_server, accept(listener, NULL, NULL));
  SSL_set_connect_state(client->session);
  SSL_set_accept_state(server->session);
  char *buffer = calloc(1, piece), *block = calloc(1, piece);
  while (!SSL_is_init_finished(client->session) || !SSL_is_init_finished(server->session)) {
    SSL_do_handshake(client->session);
    send_output(client);
    receive_input(server, buffer);
    SSL_do_handshake(server->session);
    send_output(server);
    receive_input(client, buffer);
  }
  long sent = 0, received = 0;
  while (received < bytes) {
    int has_room = send_output(client);
    for (int i = 0; i < rounds && has_room && sent < bytes; i++) {
      sent += SSL_write(client->session, block, piece);
      has_room = send_output(client);
    }
    for (int i = 0; i < rounds && receive_input(server, buffer); i++) {
      int count;
      while ((count = SSL_read(server->session, buffer, piece)) > 0) received += count;
    }
    struct pollfd ends[2] = {{client->socket, POLLIN | POLLOUT, 0}, {server->socket, POLLIN, 0}};
    poll(ends, 2, -1);
  }
  struct end *both[] = {client, server};
  for (int i = 0; i < 2; i++) {
    SSL_free(both[i]->session);
    close(both[i]->socket);
    free(both[i]);
  }
  close(listener);
  SSL_CTX_free(of_server);
  SSL_CTX_free(of_client);
  free(buffer);
  free(block);
}
