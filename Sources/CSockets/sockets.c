#define _GNU_SOURCE
#include "sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

_Static_assert(sizeof(struct sockaddr_storage) == 128, "runnel_address holds any socket address");

static struct sockaddr *any(runnel_address *address) { return (struct sockaddr *)address->bytes; }

static const struct sockaddr *any_of(const runnel_address *address) {
  return (const struct sockaddr *)address->bytes;
}

// MARK: Addresses

runnel_address runnel_ip_address(int family, const uint8_t *bytes, uint16_t port, uint32_t scope) {
  runnel_address result;
  memset(&result, 0, sizeof result);
  if (family == runnel_ipv4) {
    struct sockaddr_in *address = (struct sockaddr_in *)result.bytes;
    address->sin_family = AF_INET;
    address->sin_port = htons(port);
    memcpy(&address->sin_addr, bytes, 4);
    result.length = sizeof *address;
  } else {
    struct sockaddr_in6 *address = (struct sockaddr_in6 *)result.bytes;
    address->sin6_family = AF_INET6;
    address->sin6_port = htons(port);
    address->sin6_scope_id = scope;
    memcpy(&address->sin6_addr, bytes, 16);
    result.length = sizeof *address;
  }
  return result;
}

runnel_address runnel_unix_address(const uint8_t *name, size_t count) {
  runnel_address result;
  memset(&result, 0, sizeof result);
  struct sockaddr_un *address = (struct sockaddr_un *)result.bytes;
  address->sun_family = AF_UNIX;
  int is_abstract = count > 0 && name[0] == 0;
  // A path ends with a zero byte.
  if (count == 0 || count > sizeof address->sun_path - (is_abstract ? 0 : 1)) return result;
  memcpy(address->sun_path, name, count);
  result.length = offsetof(struct sockaddr_un, sun_path) + count + (is_abstract ? 0 : 1);
  return result;
}

int runnel_address_family(const runnel_address *address) {
  if (address->length < sizeof(sa_family_t)) return runnel_other;
  switch (any_of(address)->sa_family) {
    case AF_INET: return runnel_ipv4;
    case AF_INET6: return runnel_ipv6;
    case AF_UNIX: return runnel_unix;
    default: return runnel_other;
  }
}

void runnel_ip_parts(
    const runnel_address *address, uint8_t *bytes, uint16_t *port, uint32_t *scope) {
  if (any_of(address)->sa_family == AF_INET) {
    const struct sockaddr_in *parts = (const struct sockaddr_in *)address->bytes;
    memcpy(bytes, &parts->sin_addr, 4);
    *port = ntohs(parts->sin_port);
    *scope = 0;
  } else {
    const struct sockaddr_in6 *parts = (const struct sockaddr_in6 *)address->bytes;
    memcpy(bytes, &parts->sin6_addr, 16);
    *port = ntohs(parts->sin6_port);
    *scope = parts->sin6_scope_id;
  }
}

const uint8_t *runnel_unix_name(const runnel_address *address, size_t *count) {
  const struct sockaddr_un *parts = (const struct sockaddr_un *)address->bytes;
  size_t start = offsetof(struct sockaddr_un, sun_path);
  size_t length = address->length > start ? address->length - start : 0;
  const uint8_t *name = (const uint8_t *)parts->sun_path;
  if (length > 0 && name[0] != 0) length = strnlen((const char *)name, length);
  *count = length;
  return name;
}

int runnel_parse_ip(const char *text, uint16_t port, runnel_address *address) {
  uint8_t bytes[16];
  if (inet_pton(AF_INET, text, bytes) == 1) {
    *address = runnel_ip_address(runnel_ipv4, bytes, port, 0);
    return 1;
  }
  const char *percent = strchr(text, '%');
  char host[64];
  uint32_t scope = 0;
  if (percent) {
    size_t length = (size_t)(percent - text);
    if (length >= sizeof host) return 0;
    memcpy(host, text, length);
    host[length] = 0;
    scope = if_nametoindex(percent + 1);
    if (scope == 0) {
      char *end;
      unsigned long number = strtoul(percent + 1, &end, 10);
      if (*end || end == percent + 1 || number > UINT32_MAX) return 0;
      scope = (uint32_t)number;
    }
    text = host;
  }
  if (inet_pton(AF_INET6, text, bytes) != 1) return 0;
  *address = runnel_ip_address(runnel_ipv6, bytes, port, scope);
  return 1;
}

// MARK: Sockets

int runnel_socket(const runnel_address *address, int kind) {
  return socket(any_of(address)->sa_family, kind | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

int runnel_bind(int socket, const runnel_address *address) {
  return bind(socket, any_of(address), address->length);
}

int runnel_connect(int socket, const runnel_address *address) {
  return connect(socket, any_of(address), address->length);
}

int runnel_accept(int socket, runnel_address *peer) {
  peer->length = sizeof peer->bytes;
  return accept4(socket, any(peer), &peer->length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int runnel_local_address(int socket, runnel_address *address) {
  address->length = sizeof address->bytes;
  return getsockname(socket, any(address), &address->length);
}

int runnel_peer_address(int socket, runnel_address *address) {
  address->length = sizeof address->bytes;
  return getpeername(socket, any(address), &address->length);
}

int runnel_take_error(int socket) {
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return errno;
  return error;
}

int runnel_set_option(int socket, int level, int option, int value) {
  return setsockopt(socket, level, option, &value, sizeof value);
}

int runnel_get_option(int socket, int level, int option, int *value) {
  socklen_t length = sizeof *value;
  return getsockopt(socket, level, option, value, &length);
}

int runnel_reset_on_close(int socket) {
  struct linger linger = {.l_onoff = 1, .l_linger = 0};
  return setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

int runnel_unacknowledged_count(int socket) {
  int waiting = 0;
  return ioctl(socket, SIOCOUTQ, &waiting) < 0 ? 0 : waiting;
}

int64_t runnel_unacknowledged(int socket) {
  int waiting = 0;
  if (ioctl(socket, SIOCOUTQ, &waiting) < 0 || waiting == 0) return -1;
  struct tcp_info info;
  memset(&info, 0, sizeof info);
  socklen_t length = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) < 0) return -1;
  // The peer has no room. The system probes it at growing intervals, and one probe may be lost.
  if (info.tcpi_unacked == 0 && info.tcpi_probes < 3) return 0;
  return info.tcpi_last_ack_recv;
}

int runnel_peer_credentials(int socket, int32_t *process, uint32_t *user, uint32_t *group) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -1;
  *process = credentials.pid;
  *user = credentials.uid;
  *group = credentials.gid;
  return 0;
}

// MARK: Bytes

ssize_t runnel_write(
    int socket, const void *first, size_t first_count, const void *second, size_t second_count) {
  if (second_count == 0) return send(socket, first, first_count, MSG_NOSIGNAL | MSG_DONTWAIT);
  struct iovec buffers[2] = {
      {.iov_base = (void *)first, .iov_len = first_count},
      {.iov_base = (void *)second, .iov_len = second_count}};
  struct msghdr message = {.msg_iov = buffers, .msg_iovlen = 2};
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t runnel_send_file(int socket, int file, int64_t offset, size_t count) {
  off_t position = offset;
  return sendfile(socket, file, &position, count);
}

ssize_t runnel_pass(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
  if (descriptor_count > runnel_most_descriptors) {
    errno = EINVAL;
    return -1;
  }
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * runnel_most_descriptors)];
  } control;
  memset(&control, 0, sizeof control);
  struct iovec buffer = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &buffer, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count)};
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
  memcpy(CMSG_DATA(&control.header), descriptors, sizeof(int) * descriptor_count);
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t runnel_receive(
    int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
    int *was_cut) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * runnel_most_descriptors)];
  } control;
  struct iovec buffer = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &buffer, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = sizeof control};
  *descriptor_count = 0;
  *was_cut = 0;
  ssize_t result = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (result < 0) return result;
  *was_cut = (message.msg_flags & MSG_CTRUNC) != 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t passed = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < passed; i++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      if (*descriptor_count < runnel_most_descriptors) {
        descriptors[(*descriptor_count)++] = descriptor;
      } else {
        close(descriptor);
        *was_cut = 1;
      }
    }
  }
  return result;
}

// MARK: Datagrams

int runnel_receive_datagrams(int socket, runnel_datagram *datagrams, int count) {
  struct mmsghdr messages[64];
  struct iovec buffers[64];
  if (count > 64) count = 64;
  for (int i = 0; i < count; i++) {
    runnel_datagram *datagram = &datagrams[i];
    buffers[i] = (struct iovec){.iov_base = datagram->bytes, .iov_len = datagram->capacity};
    messages[i].msg_hdr = (struct msghdr){
        .msg_iov = &buffers[i], .msg_iovlen = 1, .msg_name = datagram->peer.bytes,
        .msg_namelen = sizeof datagram->peer.bytes};
  }
  int result = recvmmsg(socket, messages, (unsigned)count, MSG_DONTWAIT, NULL);
  for (int i = 0; i < result; i++) {
    datagrams[i].count = messages[i].msg_len;
    datagrams[i].was_cut = (messages[i].msg_hdr.msg_flags & MSG_TRUNC) != 0;
    datagrams[i].peer.length = messages[i].msg_hdr.msg_namelen;
  }
  return result;
}

ssize_t runnel_send_datagram(
    int socket, const void *bytes, size_t count, const runnel_address *peer) {
  return sendto(
      socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, peer ? any_of(peer) : NULL,
      peer ? peer->length : 0);
}

int runnel_change_group(int socket, const runnel_address *group, unsigned interface, int joins) {
  struct group_req request;
  memset(&request, 0, sizeof request);
  request.gr_interface = interface;
  memcpy(&request.gr_group, group->bytes, group->length);
  int level = any_of(group)->sa_family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
  return setsockopt(
      socket, level, joins ? MCAST_JOIN_GROUP : MCAST_LEAVE_GROUP, &request, sizeof request);
}

int runnel_set_group_options(int socket, int is_ipv6, int hops, int loops, unsigned interface) {
  struct ip_mreqn request = {.imr_ifindex = (int)interface};
  if (runnel_set_option(socket, IPPROTO_IP, IP_MULTICAST_TTL, hops) < 0) return -1;
  if (runnel_set_option(socket, IPPROTO_IP, IP_MULTICAST_LOOP, loops) < 0) return -1;
  if (setsockopt(socket, IPPROTO_IP, IP_MULTICAST_IF, &request, sizeof request) < 0) return -1;
  // By default, a socket receives from all groups that any socket of the machine has joined.
  if (runnel_set_option(socket, IPPROTO_IP, IP_MULTICAST_ALL, 0) < 0) return -1;
  if (!is_ipv6) return 0;
  if (runnel_set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, hops) < 0) return -1;
  if (runnel_set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, loops) < 0) return -1;
  if (runnel_set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_IF, (int)interface) < 0) return -1;
  return runnel_set_option(socket, IPPROTO_IPV6, IPV6_MULTICAST_ALL, 0);
}

unsigned runnel_interface_index(const char *name) { return if_nametoindex(name); }

// MARK: Names

int runnel_resolve(const char *name, runnel_address *addresses, int most, int *error) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  struct addrinfo *first = NULL;
  int code = getaddrinfo(name, NULL, &hints, &first);
  *error = errno;
  if (code != 0) return code < 0 ? code : -code;
  int count = 0;
  for (struct addrinfo *info = first; info && count < most; info = info->ai_next) {
    if (info->ai_addrlen > sizeof addresses->bytes) continue;
    memcpy(addresses[count].bytes, info->ai_addr, info->ai_addrlen);
    addresses[count].length = info->ai_addrlen;
    count++;
  }
  freeaddrinfo(first);
  return count;
}

const char *runnel_resolve_message(int code) { return gai_strerror(code); }

// MARK: Files

int runnel_open_folder(int folder, const char *path, int follows) {
  return openat(folder, path, O_PATH | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW));
}

int runnel_open_beneath(int folder, const char *path, int flags) {
  // The structure and the values of <linux/openat2.h>, which older systems lack.
  struct {
    uint64_t flags, mode, resolve;
  } how = {.flags = (uint64_t)flags, .resolve = 0x08 /* BENEATH */ | 0x02 /* NO_MAGICLINKS */};
  const long openat2_call = 437;
  int file, attempts = 0;
  // A rename anywhere in the system may disturb the check.
  do {
    file = (int)syscall(openat2_call, folder, path, &how, sizeof how);
  } while (file < 0 && (errno == EINTR || (errno == EAGAIN && ++attempts < 64)));
  return file;
}
