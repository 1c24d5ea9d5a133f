// zlib, with functions for its macros.
#pragma once

#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "RunnelGzip needs zlib. Install the package zlib1g-dev (Fedora: zlib-devel)."
#endif

// The bits select the format: 9 to 15 for zlib, 16 more for gzip, and their negative for raw data.
static inline int runnel_deflate_begin(z_stream *stream, int level, int bits, int memory) {
  return deflateInit2(stream, level, Z_DEFLATED, bits, memory, Z_DEFAULT_STRATEGY);
}

static inline int runnel_inflate_begin(z_stream *stream, int bits) {
  return inflateInit2(stream, bits);
}
