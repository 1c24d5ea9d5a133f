// libevent.
#pragma once

// These headers come first because event2/event-config.h defines _GNU_SOURCE. With it, fd_set would
// differ from the one in the Glibc and Dispatch modules.
#include <sys/types.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/socket.h>
#include <netdb.h>

#if __has_include(<event2/event.h>)
#include <event2/event.h>
#else
#error "RunnelLoop needs libevent. Install the package libevent-dev (Fedora: libevent-devel)."
#endif
