/*
 * Hostile HTTP, row by row, on raw sockets. Every stream of bytes gets the answer that stands here
 * and leaves the server as it was. Where libmicrohttpd itself refuses, its words are "html", and
 * two versions of it may differ.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "attack.h"
#include "rows.h"

#define POST   "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
#define GET    "GET /livez HTTP/1.1\r\nHost: a\r\n"
#define SECOND "GET /version HTTP/1.1\r\nHost: smuggled\r\n\r\n"
#define BODY   "{\"length\":1,\"dim\":2}" /* 20 bytes */

/* H1 to H6, H11 to H13: how long the body is. The second request must never run. */
static const struct attack_case framings[] = {
    {"H1", POST "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" SECOND, NULL, 0,
     NULL, "400 ambiguous-length", "400 html"},
    {"H1", POST "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" SECOND, NULL, 0,
     NULL, "400 ambiguous-length", "400 html"},
    {"H2", POST "Content-Length: 20\r\nContent-Length: 2\r\n\r\n" BODY SECOND, NULL, 0, NULL,
     "400 ambiguous-length", NULL},
    {"H3", POST "Content-Length: 20\r\nContent-Length: 20\r\n\r\n" BODY SECOND, NULL, 0, NULL,
     "400 ambiguous-length", NULL},
    {"H3", POST "Content-Length: 20, 20\r\n\r\n" BODY SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H4", POST "Content-Length: +5\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H4", POST "Content-Length: -1\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H4", POST "Content-Length: 0x5\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H4", POST "Content-Length: 5e0\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H4", POST "Content-Length: 5 5\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H4", POST "Content-Length:\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H4", POST "Content-Length: -0\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H5", POST "Content-Length: 9223372036854775808\r\n\r\n" SECOND, NULL, 0, NULL,
     "413 body-too-large", NULL},
    {"H5", POST "Content-Length: 18446744073709551615\r\n\r\n" SECOND, NULL, 0, NULL,
     "413 body-too-large", "413 html"},
    {"H5", POST "Content-Length: 18446744073709551616\r\n\r\n" SECOND, NULL, 0, NULL, "413 html",
     NULL},
    {"H5", POST "Content-Length: 100000000000000000000000000000\r\n\r\n" SECOND, NULL, 0, NULL,
     "413 html", NULL},
    {"H6", POST "Content-Length: 67108865\r\n\r\n", NULL, 0, NULL, "413 body-too-large", NULL},
    {"H11", POST "Transfer-Encoding: gzip\r\n\r\n" SECOND, NULL, 0, NULL,
     "501 unknown-transfer-encoding", "400 html"},
    {"H11", POST "Transfer-Encoding: xchunked\r\n\r\n" SECOND, NULL, 0, NULL,
     "501 unknown-transfer-encoding", "400 html"},
    {"H11", POST "Transfer-Encoding: gzip, chunked\r\n\r\n" SECOND, NULL, 0, NULL,
     "501 unknown-transfer-encoding", "400 html"},
    {"H11", POST "Transfer-Encoding: chunked, identity\r\n\r\n" SECOND, NULL, 0, NULL,
     "501 unknown-transfer-encoding", "400 html"},
    {"H11", POST "Transfer-Encoding:\r\n\r\n" SECOND, NULL, 0, NULL,
     "501 unknown-transfer-encoding", "400 html"},
    {"H11", POST "Transfer-Encoding: chunked,\r\n\r\n" SECOND, NULL, 0, NULL,
     "501 unknown-transfer-encoding", "400 html"},
    {"H12", POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" SECOND,
     NULL, 0, NULL, "400 ambiguous-length", NULL},
    {"H12", POST "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" SECOND, NULL, 0, NULL,
     "400 malformed-header", "400 html"},
    {"H12", POST "Transfer_Encoding: chunked\r\n\r\n" SECOND, NULL, 0, NULL,
     "400 malformed-body keep, 200 keep", NULL},
    {"H13",
     "POST /v1/sinusoidal HTTP/1.0\r\nContent-Type: application/json\r\n"
     "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" SECOND,
     NULL, 0, NULL, "400 malformed-encoding", NULL},
};
ROWS_OF(framings);

/* H8 to H10, H14 to H19: what the body's bytes are. */
static const struct attack_case bodies[] = {
    {"H8", POST "Content-Length: 200\r\n\r\n" BODY, NULL, 0, NULL, "408 request-timeout", NULL},
    {"H10", POST "Content-Length: 20\r\n\r\n" BODY "garbage\r\n\r\n", NULL, 0, NULL,
     "200 keep, closed", NULL},
    {"H10", POST "Content-Length: 19\r\n\r\n" BODY "\r\n\r\n", NULL, 0, NULL,
     "400 malformed-body keep, closed", NULL},
    {"H10", "GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /" SECOND, NULL, 0,
     NULL, "200 keep, 200 keep", NULL},
#define CHUNKED   POST "Transfer-Encoding: chunked\r\n\r\n"
#define CHUNK_END "\r\n" BODY "\r\n0\r\n\r\n" SECOND
    {"H14", CHUNKED "14" CHUNK_END, NULL, 0, NULL, "200 keep, 200 keep", NULL},
    {"H14", CHUNKED "-1" CHUNK_END, NULL, 0, NULL, "400 html", NULL},
    {"H14", CHUNKED "0x14" CHUNK_END, NULL, 0, NULL, "400 html", NULL},
    {"H14", CHUNKED "0_3" CHUNK_END, NULL, 0, NULL, "400 html", NULL},
    {"H14", CHUNKED "+14" CHUNK_END, NULL, 0, NULL, "400 html", NULL},
    {"H14", CHUNKED " 14" CHUNK_END, NULL, 0, NULL, "400 html", NULL},
    {"H14", CHUNKED "14 " CHUNK_END, NULL, 0, NULL, "400 html", NULL},
    {"H14", CHUNKED "" CHUNK_END, NULL, 0, NULL, "400 html", NULL},
    {"H14", CHUNKED "FFFFFFFFFFFFFFFFF" CHUNK_END, NULL, 0, NULL, "413 html", NULL},
    {"H15", CHUNKED "FFFFFFFFFFFFFFFF\r\n", NULL, 0, NULL, "408 request-timeout", NULL},
    {"H17", CHUNKED "14;", "x", 16000, CHUNK_END, "200 keep, 200 keep", "400 html"},
    {"H17", CHUNKED "14;", "x", 65536, CHUNK_END, "408 request-timeout", "none"},
    {"H17", CHUNKED "14;", "x", 10000000, CHUNK_END, "408 request-timeout", "none"},
    {"H18", CHUNKED "14\r\n" BODY "0\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H18", CHUNKED "14\r\n" BODY "\r\r\n0\r\n\r\n" SECOND, NULL, 0, NULL, "400 html", NULL},
    {"H19", CHUNKED "14\r\n" BODY "\r\n0\r\nContent-Length: 4\r\nHost: b\r\n\r\n" SECOND, NULL, 0,
     NULL, "200 keep, 200 keep", NULL},
    {"H19", CHUNKED "14\r\n" BODY "\r\n0\r\n", "X-Trailer: of some length\r\n", 1000, "\r\n" SECOND,
     "431 html", NULL},
};
ROWS_OF(bodies);

/* H20 to H22: header fields. */
static const struct attack_case fields[] = {
    {"H20", "GET /livez HTTP/1.1\r\n\r\n", NULL, 0, NULL, "400 malformed-host", "400 html"},
    {"H20", GET "Host: b\r\n\r\n", NULL, 0, NULL, "400 malformed-host", NULL},
    {"H20", GET "Host: a\r\n\r\n", NULL, 0, NULL, "400 malformed-host", NULL},
    {"H20", "GET /livez HTTP/1.1\r\nHost: a, b\r\n\r\n", NULL, 0, NULL, "400 malformed-host", NULL},
    {"H20", "GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n", NULL, 0, NULL, "400 malformed-host", NULL},
    {"H20", "GET /livez HTTP/1.1\r\nHost:\r\n\r\n", NULL, 0, NULL, "400 malformed-host", NULL},
    {"H21", "GET /livez HTTP/1.1\nHost: a\n\n", NULL, 0, NULL, "200 keep", "400 html"},
    {"H21", "GET /livez HTTP/1.1\rHost: a\r\r", NULL, 0, NULL, "none", "400 html"},
    {"H21", GET "X-A: b\r\n c\r\n\r\n" SECOND, NULL, 0, NULL, "400 malformed-header", "400 html"},
    /* Once the field "Content-Length: 20". */
    {"H21", POST "Content: 20\r\n -Length\r\n\r\n" BODY, NULL, 0, NULL, "400 malformed-header",
     "400 html"},
    {"H21", " GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "none", NULL},
    {"H21", "GET /livez HTTP/1.1\r\n Host: a\r\n\r\n", NULL, 0, NULL, "400 malformed-header",
     "400 html"},
    {"H22", GET "X" NUL ": b\r\n\r\n", NULL, 0, NULL, "400 html", NULL},
    {"H22", GET "X-A: b" NUL "c\r\n\r\n", NULL, 0, NULL, "400 malformed-header", "400 html"},
    {"H22", GET "X\x7f: b\r\n\r\n", NULL, 0, NULL, "400 malformed-header", NULL},
    {"H22", GET "X-A: b\x7f\r\n\r\n", NULL, 0, NULL, "400 malformed-header", NULL},
    {"H22", GET "X\x01: b\r\n\r\n", NULL, 0, NULL, "400 malformed-header", NULL},
    {"H22", GET "X-A: b\x01\r\n\r\n", NULL, 0, NULL, "400 malformed-header", NULL},
    {"H22", GET "X A: b\r\n\r\n", NULL, 0, NULL, "400 malformed-header", "400 html"},
    /* Each of these once ended the head, and the rest of it was the next request. */
    {"H22", GET ": b\r\n" SECOND, NULL, 0, NULL, "400 malformed-header", "400 html"},
    {"H22", GET NUL "X: b\r\n" SECOND, NULL, 0, NULL, "400 malformed-header", "400 html"},
    {"H22", GET NUL "\r\n" SECOND, NULL, 0, NULL, "400 malformed-header", "400 html"},
    {"H22", GET "no colon\r\n\r\n", NULL, 0, NULL, "400 html", NULL},
};
ROWS_OF(fields);

#define LINE(target) "GET " target " HTTP/1.1\r\nHost: a\r\n\r\n"

/* H23 to H25, H27 to H31: request lines, and what is none. */
static const struct attack_case lines[] = {
    {"H23", LINE("/livez" NUL "x"), NULL, 0, NULL, "400 malformed-request-line", "none"},
    {"H23", LINE("/livez%00"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H23", LINE("/livez%00.json"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H23", LINE("/livez%zz"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H23", LINE("/livez%"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H23", LINE("/livez%0d%0aX-Evil:%201"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H23", LINE("/%c0%af%c0%afetc"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H23", LINE("/\xc0\xaf"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H23", LINE("\\livez"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H23", LINE("/\\livez"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("//livez"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("/./livez"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("/v1/../livez"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("/../../etc/passwd"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("/livez;x=1"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("/livez/"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("/%2flivez"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("/%2e%2e/%2e%2e/etc/passwd"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H24", LINE("/%6civez"), NULL, 0, NULL, "404 not-found keep", NULL},
    {"H25", "GET /", "a", 8192, " HTTP/1.1\r\nHost: a\r\n\r\n", "404 not-found keep", NULL},
    {"H25", "GET /", "a", 32768, " HTTP/1.1\r\nHost: a\r\n\r\n", "414 html", NULL},
    {"H25", "GET /", "a", 1 << 20, " HTTP/1.1\r\nHost: a\r\n\r\n", "414 html", NULL},
    {"H25", "GET /livez?", "a&", 4096, " HTTP/1.1\r\nHost: a\r\n\r\n", "none", "431 html"},
    {"H27", "get /livez HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "501 unknown-method", NULL},
    {"H27", "G@T /livez HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "501 unknown-method", NULL},
    {"H27", "", "M", 1000, " /livez HTTP/1.1\r\nHost: a\r\n\r\n", "501 unknown-method", NULL},
    {"H27", " /livez HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "none", NULL},
    {"H28", "PUT /livez HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "405 method-not-allowed keep",
     NULL},
    {"H28", "DELETE /v1/rope HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL,
     "405 method-not-allowed keep", NULL},
    {"H28", "TRACE /livez HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "501 unknown-method", NULL},
    {"H28", "CONNECT /livez HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "501 unknown-method",
     NULL},
    {"H29", LINE("http://a/livez"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H29", LINE("*"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H29", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "400 malformed-target", NULL},
    {"H29", "OPTIONS /livez HTTP/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "204 keep", NULL},
    {"H29", LINE("a:443"), NULL, 0, NULL, "400 malformed-target", NULL},
    {"H30", "GET /livez\r\n\r\n", NULL, 0, NULL, "400 html", NULL},
    {"H30", "GET /livez HTTP/0.9\r\n\r\n", NULL, 0, NULL, "505 html", NULL},
    {"H30", "GET /livez HTTP/1.2\r\nHost: a\r\n\r\n", NULL, 0, NULL, "505 http-version", NULL},
    {"H30", "GET /livez HTTP/1.10\r\nHost: a\r\n\r\n", NULL, 0, NULL, "400 html", NULL},
    {"H30", "GET /livez HTTP/2.0\r\nHost: a\r\n\r\n", NULL, 0, NULL, "505 html", NULL},
    {"H30", "GET /livez http/1.1\r\nHost: a\r\n\r\n", NULL, 0, NULL, "400 html", NULL},
    {"H30", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", NULL, 0, NULL, "505 html", NULL},
    {"H31",
     "\x16\x03\x01\x01" NUL "\x01" NUL NUL "\xfc\x03\x03" NUL NUL NUL NUL NUL NUL NUL NUL "\n\n",
     NULL, 0, NULL, "none", NULL},
    {"H31", "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", NULL, 0, NULL, "400 html", "none"},
    {"H31", "\x03\xf7\n\x91" NUL "\xaa\x80\r\xe2", "\xc5\x9d\n\x01 \xee\xb8" NUL "\r", 7000, "\x02",
     "none", NULL},
    {"H31", "", "\r\n", 4096, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", "200 keep", "none"},
};
ROWS_OF(lines);

/* H26, H32 to H37: heads that ask for too much, or for what nobody does. */
static const struct attack_case wishes[] = {
    {"H26", GET, "X: y\r\n", 2000, "\r\n", "431 html", NULL},
    {"H26", GET, "X: y\r\n", 300, "\r\n", "431 head-too-large", NULL},
    {"H26", GET "X: ", "y", 65536, "\r\n\r\n", "431 html", NULL},
    {"H26", GET, "X", 65536, ": y\r\n\r\n", "431 html", NULL},
    {"H32", POST "Expect: 100-continue\r\nContent-Length: 67108865\r\n\r\n", NULL, 0, NULL,
     "413 body-too-large", NULL},
    {"H33", GET "Expect: tea\r\n\r\n", NULL, 0, NULL, "417 unknown-expectation", NULL},
    {"H33", POST "Expect: 100-continue, tea\r\nContent-Length: 20\r\n\r\n" BODY SECOND, NULL, 0,
     NULL, "417 unknown-expectation", NULL},
#define TYPED(type)                                                                                \
    "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\n" type "Content-Length: 20\r\n\r\n" BODY
    {"H34", TYPED(""), NULL, 0, NULL, "415 unsupported-media-type keep", NULL},
    {"H34", TYPED("Content-Type: text/plain\r\n"), NULL, 0, NULL, "415 unsupported-media-type keep",
     NULL},
    {"H34", TYPED("Content-Type: application/json; charset=utf-16\r\n"), NULL, 0, NULL,
     "415 unsupported-media-type keep", NULL},
    {"H34", TYPED("Content-Type: application/json\r\nContent-Type: text/plain\r\n"), NULL, 0, NULL,
     "400 malformed-header", NULL},
    {"H35", TYPED("Content-Type: application/json\r\nContent-Encoding: br\r\n"), NULL, 0, NULL,
     "415 unsupported-content-encoding keep", NULL},
    {"H35", TYPED("Content-Type: application/json\r\nContent-Encoding: gzip, gzip\r\n"), NULL, 0,
     NULL, "415 unsupported-content-encoding keep", NULL},
    {"H35", TYPED("Content-Type: application/json\r\nContent-Encoding: gzip\r\n"), NULL, 0, NULL,
     "400 malformed-body keep", NULL},
#define TABLE "GET /v1/sinusoidal?length=2&dim=4 HTTP/1.1\r\nHost: a\r\n"
    {"H36", TABLE "Accept: video/mp4\r\n\r\n", NULL, 0, NULL, "406 not-acceptable keep", NULL},
    {"H36", TABLE "Accept: a/b", ", a/b;q=0.5", 1000, "\r\n\r\n", "406 not-acceptable keep", NULL},
    {"H36", TABLE "Accept: a/b", ", a/b;q=0.5", 1000, ", application/json\r\n\r\n",
     "406 not-acceptable keep", NULL},
    {"H36", TABLE "Accept: application/json;q=9e999\r\n\r\n", NULL, 0, NULL,
     "406 not-acceptable keep", NULL},
    {"H37", TABLE "Range: bytes=0-1\r\n\r\n", NULL, 0, NULL, "200 keep", NULL},
    {"H37", TABLE "Accept: application/x-npy\r\nRange: bytes=0-0", ",0-100", 1000, "\r\n\r\n",
     "200 keep", NULL},
    {"H37", TABLE "Accept: application/x-npy\r\nRange: bytes=9-2\r\n\r\n", NULL, 0, NULL,
     "200 keep", NULL},
    {"H37", TABLE "Accept: application/x-npy\r\nRange: bytes=18446744073709551616-\r\n\r\n", NULL,
     0, NULL, "416 range-not-satisfiable keep", NULL},
    {"H37", TABLE "Accept: application/x-npy\r\nIf-Range: \"x\"\r\nRange: bytes=0-1\r\n\r\n", NULL,
     0, NULL, "200 keep", NULL},
};
ROWS_OF(wishes);

static void run_all(const struct attack_case *cases, size_t count)
{
    struct attacked attacked = attack_start(NULL);

    for (size_t i = 0; i < count; i++)
        attack_run(&attacked, &cases[i]);
    attack_stop(&attacked);
}

#define RUN_ALL(cases) run_all((cases), sizeof(cases) / sizeof(*(cases)))

Test(attack_http, framings_that_disagree_are_refused_and_nothing_is_smuggled)
{
    RUN_ALL(framings);
}

Test(attack_http, bodies_that_break_their_framing_are_refused)
{
    RUN_ALL(bodies);
}

Test(attack_http, malformed_header_fields_are_refused)
{
    RUN_ALL(fields);
}

Test(attack_http, malformed_request_lines_reach_no_route)
{
    RUN_ALL(lines);
}

Test(attack_http, heads_that_ask_too_much_are_refused_and_odd_wishes_ignored)
{
    RUN_ALL(wishes);
}
