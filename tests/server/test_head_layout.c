/* Heads as libmicrohttpd 0.9.75 leaves them: cut up in place, with NUL bytes behind each part. */
#include "head_layout.h"

#include <criterion/criterion.h>
#include <string.h>

#define HEADERS_MAX 4

/* Two fields behind a request line of "GET /a?b HTTP/1.1", where '|' stands for a NUL byte. */
struct cut_head {
    char bytes[256];
    struct header headers[HEADERS_MAX];
    struct head_layout layout;
};

static void cut(struct cut_head *head, const char *text)
{
    const size_t size = strlen(text);

    cr_assert_lt(size, sizeof(head->bytes));
    memset(head, 0, sizeof(*head));
    for (size_t i = 0; i < size; i++)
        head->bytes[i] = (char)(text[i] == '|' ? '\0' : text[i]);
    head->layout = (struct head_layout){.method = head->bytes,
                                        .size = size,
                                        .url = head->bytes + 4,
                                        .target_length = 4,
                                        .version = head->bytes + 9,
                                        .headers = head->headers};
}

/* A field whose name and value stand at these places of the bytes. */
static void add(struct cut_head *head, size_t name, size_t value)
{
    head->headers[head->layout.header_count++] =
        (struct header){head->bytes + name, head->bytes + value};
}

#define LINE "GET|/a|b|HTTP/1.1||" /* 19 bytes; the library has cut the query off, too */

Test(head_layout, knows_a_request_line_with_single_blanks)
{
    struct cut_head head;

    cut(&head, LINE "||");
    cr_expect_not(head_layout_has_odd_line(&head.layout));
    head.layout.url++;
    cr_expect(head_layout_has_odd_line(&head.layout));
    head.layout.url--;
    head.layout.target_length = 3;
    cr_expect(head_layout_has_odd_line(&head.layout));
}

Test(head_layout, takes_lines_that_end_in_crlf_or_in_lf)
{
    struct cut_head head;

    cut(&head, LINE "||");
    cr_expect_not(head_layout_has_odd_fields(&head.layout));
    cut(&head, "GET|/a|b|HTTP/1.1||");
    cr_expect_not(head_layout_has_odd_fields(&head.layout), "both lines end in LF alone");
    cut(&head, LINE "A| b||C|\t d||||");
    add(&head, 19, 22);
    add(&head, 25, 29);
    cr_expect_not(head_layout_has_odd_fields(&head.layout));
    cut(&head, LINE "A|b|C|||"); /* an empty value: it begins where its line ends */
    add(&head, 19, 21);
    add(&head, 23, 25);
    cr_expect_not(head_layout_has_odd_fields(&head.layout));
}

Test(head_layout, finds_bytes_that_are_in_no_part)
{
    static const struct {
        const char *bytes;
        size_t name, value;
    } rows[] = {
        {LINE "A|b|c||||", 19, 21},    /* a NUL byte in the value */
        {LINE "A|b||||||", 19, 21},    /* NUL bytes behind it */
        {LINE "A|b|||X: c||", 19, 21}, /* a line that begins with one */
        {LINE "A|b|||||c||", 19, 21},  /* a line that begins with a colon */
        {LINE "A|x b||||", 19, 23},    /* something between colon and value */
        {LINE "A|b|", 19, 21},         /* no empty line */
        {LINE "XA|b||||", 20, 22},     /* something before the name */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct cut_head head;

        cut(&head, rows[i].bytes);
        add(&head, rows[i].name, rows[i].value);
        cr_expect(head_layout_has_odd_fields(&head.layout), "row %zu", i);
    }
}

Test(head_layout, finds_parts_that_stand_elsewhere)
{
    static const char folded[] = "Content-Length";
    struct cut_head head;

    cut(&head, LINE "Content|5|| -Length||||");
    head.headers[head.layout.header_count++] = (struct header){folded, head.bytes + 27};
    cr_expect(head_layout_has_odd_fields(&head.layout));
    cut(&head, LINE "A|5||||");
    head.headers[head.layout.header_count++] = (struct header){head.bytes + 19, folded};
    cr_expect(head_layout_has_odd_fields(&head.layout));
    cut(&head, LINE "A|5||||"); /* no size is known */
    add(&head, 19, 21);
    head.layout.size = 0;
    cr_expect(head_layout_has_odd_fields(&head.layout));
}
