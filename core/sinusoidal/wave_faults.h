/* What people make of tables of waves, where no parameter makes it. */
#ifndef POSENC_WAVE_FAULTS_H
#define POSENC_WAVE_FAULTS_H

#include "internal.h"

/* Of the operations `table` and `apply` of an encoding that has a wave source, whose table is the
 * tensor `encoding` and whose apply, if it has one, adds the rows. */
extern const struct posenc__fault posenc__wave_faults[];

#endif
