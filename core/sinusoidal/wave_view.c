/* Waves as analysis sees them. */
#include "wave_view.h"

bool posenc__names_positions(const struct posenc_arguments *arguments)
{
    static const char *const names[] = {"length", "positions", "grid", "timesteps"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (posenc__present(arguments, names[i]))
            return true;
    return false;
}

bool posenc__wave_row_init(struct posenc__wave_row *row, const struct posenc__wave_view *view,
                           struct posenc_memory *memory)
{
    row->sines = posenc_allocate(memory, view->waves.count, 2 * sizeof(*row->sines));
    row->cosines = row->sines ? row->sines + view->waves.count : NULL;
    return row->sines != NULL;
}

void posenc__wave_view_place(const struct posenc__wave_view *view,
                             const struct posenc__wave_row *row, double *out)
{
    for (size_t column = 0; column < view->width; column++)
        out[column] = 0;
    for (size_t i = 0; i < view->waves.count; i++)
        out[view->sine_start + i * view->stride] = view->amplitude * row->sines[i];
    for (size_t i = 0; i < view->cosines; i++)
        out[view->cosine_start + i * view->stride] = view->amplitude * row->cosines[i];
}
