// HTTP servers in C, and the clients that drive them and the servers of Runnel.
#pragma once

// Serve until the clients have closed this number of connections. Every request is answered with
// the text "Hello, world!". The first is a plain responder on epoll, which only counts the ends of
// heads.
void http_serve_plain(int listener, long connections);
void http_serve_evhttp(int listener, long connections);
// Answers every request with a file.
void http_serve_file(int listener, const char *path, long connections);
// Sends requests over some connections, each with `depth` of them on their way. Every response must
// have the same size.
void http_drive(int port, int connections, int depth, long requests);
// Exchanges messages of 64 bytes over some WebSockets, each with one message on its way.
void http_drive_websockets(int port, int connections, long messages);
// Connects clients that send one request each.
void http_subscribe(int port, int *sockets, int clients);
// Accepts connections, and reads a request of each.
void http_accept(int listener, int *sockets, int clients);
// Writes bytes to every socket.
void http_write_all(const int *sockets, int count, const char *bytes, long size);
// Reads everything that has arrived at every socket.
void http_drain_all(const int *sockets, int count);
void http_close_all(const int *sockets, int count);
// Parses a request with evhttp, and returns the number of its headers.
int http_parse_evhttp(const char *bytes, long size, long times);
