/*
 * The shortest decimal of a float32 of common size, in a third of the time that the general way
 * takes: that must cope with 10^38 and 10^-45, while the values of tables lie around 1.
 */
#ifndef POSENC_SHORT_DECIMAL_H
#define POSENC_SHORT_DECIMAL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHORT_DECIMAL_MAX 24 /* bytes that may be written, whatever the length */

/*
 * Writes what std::to_chars writes, the shortest decimal that reads back to the same float32, of
 * several the nearest, and returns its length. Returns 0 for values that it leaves to the general
 * way: those out of [2^-16, 2^20), powers of two, and those that are shorter with an exponent.
 */
size_t short_decimal_print(float value, char *text);

#ifdef __cplusplus
}
#endif

#endif
