// Servers in C on epoll, and the clients that drive them and the servers of Runnel.
#pragma once

// Ties the calling thread to the first processor.
void net_pin(void);
// Returns a listening socket on the loopback address, and its port.
int net_listen(int *port);
int net_connect(int port);

// Serve until the clients have closed this number of connections.
void net_serve_echo(int listener, long connections);
long net_serve_sink(int listener, long connections);
// Accepts one connection, sends bytes and closes it.
void net_serve_bulk(int listener, long bytes);
// Accepts one connection and relays it to another server until both have ended.
void net_serve_relay(int listener, int port);

// Exchange messages over some connections, each with one message on its way.
void net_drive_echo(int port, int connections, int size, long messages);
// Sends bytes over one connection.
void net_drive_bulk(int port, long bytes);
// Reads everything from one connection.
void net_drain(int port);
// Opens and closes connections.
void net_drive_accept(int port, long connections);
// Sends bytes from a client to a server over TLS with memory buffers, both on the calling thread.
void net_tls_bulk(const char *certificate, const char *key, long bytes);
