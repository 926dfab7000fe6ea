/* Well-formed UTF-8 (RFC 3629): what may stand in names, texts and replies. */
#ifndef POSENC_UTF8_H
#define POSENC_UTF8_H

#include <stddef.h>

/*
 * Bytes of the character at the start of text, 1 to 4; 0 when what stands there is not well-formed:
 * a lone continuation, an overlong form, a surrogate, beyond U+10FFFF, or cut off by `size`.
 */
size_t utf8_character(const char *text, size_t size);

#endif
