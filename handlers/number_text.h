/*
 * Numbers as text: the shortest decimal that reads back to the same value, and the nearest value of
 * a decimal. Thin C functions over std::to_chars and std::from_chars (number_text.cc); no locale,
 * no allocation.
 */
#ifndef POSENC_NUMBER_TEXT_H
#define POSENC_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posenc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that any number printed here needs at most; no NUL byte is written. */
#define NUMBER_TEXT_MAX 32

/*
 * Writes the shortest JSON number that reads back to the same value *of that dtype*, and returns
 * its length: 0.1f is 0.1. Values that are not finite become the JSON strings "NaN", "Infinity" and
 * "-Infinity", quotes included. Minus zero is -0.0. `value` must be a value of the dtype (a widened
 * one).
 */
size_t number_print(enum posenc_dtype dtype, double value, char *text);

/* Writes an integer's digits and returns their length: the way for int64 beyond 2^53. */
size_t number_print_integer(int64_t integer, char *text);

/*
 * Reads a JSON number (RFC 8259, section 6) from the start of text: the nearest double. Returns the
 * bytes read, 0 when there is no number, and sets *overflow when its magnitude is beyond the
 * doubles (the value is then an infinity). Underflow gives the nearest subnormal or zero.
 */
size_t number_parse(const char *text, size_t size, double *value, bool *overflow);

/*
 * On which side of `value` the decimal lies that number_parse() has read as it, all `size` bytes of
 * the text: -1 below, 1 above, 0 when the two are the same. `value` must be an integer of at most
 * 2^53 in magnitude. The time is linear in `size`.
 */
int number_side(const char *text, size_t size, double value);

/* Reads one of the words NaN, Infinity and -Infinity from the start of text, as number_parse()
 * does. */
size_t number_parse_word(const char *text, size_t size, double *value);

/* True when the `size` bytes of a number that read as zero hold another digit before the exponent.
 */
bool number_underflowed(const char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
