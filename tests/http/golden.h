/* Golden requests: one request of the contract a line, with what it must answer
 * (tests/golden/README.md). */
#ifndef GOLDEN_H
#define GOLDEN_H

#include "client.h"
#include "posencd.h"

/*
 * Asks every line of tests/golden/NAME.jsonl and compares; prints each line that fails. Returns how
 * many failed, and counts all in *asked; -1 when the file cannot be read.
 */
int golden_check_file(const struct posencd *server, const char *name, int *asked);

#endif
