// sd-bus, the D-Bus library of systemd.
#pragma once

#if __has_include(<systemd/sd-bus.h>)
#include <systemd/sd-bus.h>
#else
#error "RunnelDBus needs sd-bus. Install the package libsystemd-dev (Fedora: systemd-devel)."
#endif

// The C library declares it for GNU programs only.
char *secure_getenv(const char *name);
