// Socket calls whose structures and macros Swift cannot import. Each function returns -1 and sets
// errno if it fails, unless it says otherwise.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

// A socket address of any family.
typedef struct {
  // Aligned as a socket address, of which it has the size.
  _Alignas(8) unsigned char bytes[128];
  socklen_t length;
} runnel_address;

// The families of addresses.
enum { runnel_other = 0, runnel_ipv4 = 1, runnel_ipv6 = 2, runnel_unix = 3 };

// The address of an IPv4 or IPv6 host. `bytes` has 4 or 16 bytes in network order.
runnel_address runnel_ip_address(int family, const uint8_t *bytes, uint16_t port, uint32_t scope);
// The address of a Unix socket. The name of an abstract socket begins with a zero byte. The length
// is 0 if the name is too long.
runnel_address runnel_unix_address(const uint8_t *name, size_t count);
int runnel_address_family(const runnel_address *address);
void runnel_ip_parts(const runnel_address *address, uint8_t *bytes, uint16_t *port, uint32_t *scope);
// Returns the bytes of the name of a Unix socket, and their number.
const uint8_t *runnel_unix_name(const runnel_address *address, size_t *count);
// Parses a numeric address. Returns 0 if the text is none.
int runnel_parse_ip(const char *text, uint16_t port, runnel_address *address);

// Creates a non-blocking socket. `kind` is SOCK_STREAM or SOCK_DGRAM.
int runnel_socket(const runnel_address *address, int kind);
int runnel_bind(int socket, const runnel_address *address);
int runnel_connect(int socket, const runnel_address *address);
int runnel_accept(int socket, runnel_address *peer);
int runnel_local_address(int socket, runnel_address *address);
int runnel_peer_address(int socket, runnel_address *address);
// Returns the pending error of a socket, and clears it.
int runnel_take_error(int socket);
int runnel_set_option(int socket, int level, int option, int value);
int runnel_get_option(int socket, int level, int option, int *value);
// Makes close() reset the connection.
int runnel_reset_on_close(int socket);
// Returns the number of bytes that the peer's system has not acknowledged; 0 if it cannot be known.
int runnel_unacknowledged_count(int socket);
// Returns the milliseconds for which the peer has acknowledged nothing, if bytes for it are on their
// way; -1 if there are none.
int64_t runnel_unacknowledged(int socket);
int runnel_peer_credentials(int socket, int32_t *process, uint32_t *user, uint32_t *group);

// Writes two buffers in one call.
ssize_t runnel_write(
    int socket, const void *first, size_t first_count, const void *second, size_t second_count);
ssize_t runnel_send_file(int socket, int file, int64_t offset, size_t count);
// Sends open descriptors with some bytes.
ssize_t runnel_pass(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);
// Reads bytes, and up to 253 descriptors that were passed with them. Sets `was_cut` if more were
// passed, which the system has closed.
enum { runnel_most_descriptors = 253 };
ssize_t runnel_receive(
    int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count, int *was_cut);

// One datagram of a batch.
typedef struct {
  void *bytes;
  size_t capacity;
  size_t count;
  int was_cut;
  runnel_address peer;
} runnel_datagram;

// Receives up to `count` datagrams, at most 64. Returns their number.
int runnel_receive_datagrams(int socket, runnel_datagram *datagrams, int count);
ssize_t runnel_send_datagram(
    int socket, const void *bytes, size_t count, const runnel_address *peer);
// Joins or leaves a multicast group on the interface with an index; 0 lets the system choose.
int runnel_change_group(int socket, const runnel_address *group, unsigned interface, int joins);
// The options of sending to multicast groups, for IPv4, and for IPv6 if the socket has that family.
// An interface of 0 lets the system choose.
int runnel_set_group_options(int socket, int is_ipv6, int hops, int loops, unsigned interface);
// Returns the index of a network interface; 0 if there is none with this name.
unsigned runnel_interface_index(const char *name);

// Resolves a name in IPv4 and IPv6 on the calling thread. Returns the number of addresses, or a
// negative error of getaddrinfo; then `error` is the value of errno.
int runnel_resolve(const char *name, runnel_address *addresses, int most, int *error);
const char *runnel_resolve_message(int code);

// Opens a folder for looking up names in it. A relative path is below an open folder. `follows` is 0
// if a link at its end is refused.
int runnel_open_folder(int folder, const char *path, int follows);
// Opens a path below an open folder. Neither `..` nor a link leads out of the folder, and the links
// of /proc are not followed. Fails with ENOSYS or EPERM where the system does not have the call.
int runnel_open_beneath(int folder, const char *path, int flags);
