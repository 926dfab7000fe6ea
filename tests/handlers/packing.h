/* Compressed bytes for tests, made and undone by the libraries themselves. */
#ifndef PACKING_H
#define PACKING_H

#include <stddef.h>

#include "coding.h"

/* One gzip member; free() it. */
char *pack_gzip(const char *bytes, size_t size, size_t *packed_size);

/* The bytes that went in; free() them. NULL when it is no whole stream of that coding. */
char *unpack(enum coding coding, const char *packed, size_t packed_size, size_t *size);

#endif
