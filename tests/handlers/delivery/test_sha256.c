/* SHA-256 against the examples of FIPS 180-2, appendix B, and against itself in pieces. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sha256.h"

static void check(const char *text, size_t repeats, const char *expected)
{
    unsigned char digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    struct sha256 hash;

    sha256_begin(&hash);
    for (size_t i = 0; i < repeats; i++)
        sha256_add(&hash, text, strlen(text));
    sha256_end(&hash, digest);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        (void)snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    cr_expect_str_eq(hex, expected, "%zu times '%s'", repeats, text);
}

Test(sha256, hashes_the_examples_of_the_standard)
{
    check("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check("aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

Test(sha256, does_not_depend_on_the_pieces_that_bytes_come_in)
{
    char bytes[300];
    unsigned char whole[SHA256_BYTES], pieces[SHA256_BYTES];
    struct sha256 hash;

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 7);
    for (size_t size = 0; size <= sizeof(bytes); size++) {
        sha256_begin(&hash);
        sha256_add(&hash, bytes, size);
        sha256_end(&hash, whole);
        sha256_begin(&hash);
        sha256_add(&hash, bytes, size / 3);
        sha256_add(&hash, bytes + size / 3, size - size / 3);
        sha256_end(&hash, pieces);
        cr_assert_eq(memcmp(whole, pieces, sizeof(whole)), 0, "%zu bytes", size);
    }
}
