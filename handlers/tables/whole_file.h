/* Reading a file whole that somebody may be writing. */
#ifndef POSENC_WHOLE_FILE_H
#define POSENC_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * Reads the file from its start to its end, and looks whether it still is what fstat() said
 * `before`: size and time of change.
 *
 * bytes  before->st_size + 1 of them: the last finds out whether the file has grown
 *
 * NULL, or why it cannot be used: words to put behind its name. errno counts where these end in a
 * colon.
 */
const char *read_whole_file(int fd, const struct stat *before, char *bytes);

#endif
