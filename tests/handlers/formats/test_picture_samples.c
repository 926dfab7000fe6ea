#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "picture_samples.h"
#include "pictured.h"

static struct posenc_memory memory;

static void set_up(void)
{
    posenc_memory_init(&memory, POSENC_MEMORY_DEFAULT);
}

static void tear_down(void)
{
    posenc_memory_release(&memory);
}

TestSuite(picture_samples, .init = set_up, .fini = tear_down);

static struct picture_samples sample(const struct posenc_tensor *tensor,
                                     const struct posenc_result *result)
{
    const struct format_input input = {result, tensor, false, NULL};
    struct picture_samples samples;
    struct posenc_problem problem;

    cr_assert_eq(picture_sample(&input, &memory, &samples, &problem), POSENC_OK);
    return samples;
}

static void expect_axis(const struct picture_axis *axis, size_t size, size_t stride, size_t count)
{
    cr_expect_eq(axis->size, size);
    cr_expect_eq(axis->stride, stride, "%zu", axis->stride);
    cr_expect_eq(axis->count, count, "%zu", axis->count);
}

Test(picture_samples, are_all_elements_of_a_small_tensor)
{
    const struct posenc_tensor tensor = pictured_tensor(3, (size_t[]){2, 3, 5}, NULL);
    const struct picture_samples samples = sample(&tensor, NULL);

    expect_axis(&samples.panels, 2, 1, 2);
    expect_axis(&samples.rows, 3, 1, 3);
    expect_axis(&samples.columns, 5, 1, 5);
    for (size_t i = 0; i < 30; i++)
        cr_expect_eq(samples.values[i], (double)i);
    cr_expect_not(samples.is_slice);
}

Test(picture_samples, lie_an_odd_number_of_elements_apart)
{
    const struct posenc_tensor tensor = pictured_tensor(2, (size_t[]){100000, 1200}, NULL);
    const struct picture_samples samples = sample(&tensor, NULL);

    expect_axis(&samples.rows, 100000, 197, 508);
    expect_axis(&samples.columns, 1200, 3, 400);
    cr_expect_eq(samples.values[0], 0);
    cr_expect_eq(samples.values[399], 1197);
    cr_expect_eq(samples.values[400], 197 * 1200);
    cr_expect_eq(samples.values[507 * 400 + 7], 507.0 * 197 * 1200 + 21);
}

Test(picture_samples, compute_little_of_a_wide_tensor)
{
    const struct posenc_tensor tensor = pictured_tensor(2, (size_t[]){4096, 1 << 20}, NULL);
    const struct picture_samples samples = sample(&tensor, NULL);

    cr_expect_leq(samples.rows.count, PICTURE_CELLS_MAX);
    cr_expect_leq(samples.columns.count, PICTURE_CELLS_MAX);
    cr_expect_eq(pictured_filled(), samples.rows.count * samples.columns.count);
    cr_expect_eq(samples.values[1], (double)samples.columns.stride);
}

Test(picture_samples, share_the_picture_among_panels)
{
    const struct posenc_tensor tensor = pictured_tensor(3, (size_t[]){20, 600, 10}, NULL);
    const struct picture_samples samples = sample(&tensor, NULL);

    expect_axis(&samples.panels, 20, 3, 7);
    expect_axis(&samples.rows, 600, 3, 200);
    cr_expect_eq(samples.values[200 * 10], 3 * 6000, "the second panel is place 3");
}

Test(picture_samples, are_the_first_slice_of_higher_ranks)
{
    const struct posenc_tensor thin = pictured_tensor(5, (size_t[]){1, 1, 2, 3, 4}, NULL);
    const struct posenc_tensor thick = pictured_tensor(4, (size_t[]){2, 2, 3, 4}, NULL);

    cr_expect_not(sample(&thin, NULL).is_slice);
    cr_expect(sample(&thick, NULL).is_slice);
    cr_expect_eq(sample(&thick, NULL).high, 23);
}

Test(picture_samples, range_over_the_finite_ones)
{
    static const double values[] = {3, -INFINITY, NAN, -0.5, INFINITY, NAN};
    const struct posenc_tensor tensor = pictured_tensor(1, (size_t[]){6}, values);
    const struct posenc_tensor masked = pictured_tensor(1, (size_t[]){1}, values + 1);
    const struct picture_samples samples = sample(&tensor, NULL);

    cr_expect(samples.has_range);
    cr_expect_eq(samples.low, -0.5);
    cr_expect_eq(samples.high, 3);
    cr_expect_eq(samples.minus_infinities, 1);
    cr_expect_eq(samples.plus_infinities, 1);
    cr_expect_eq(samples.nans, 2);
    cr_expect_not(sample(&masked, NULL).has_range);
}

Test(picture_samples, may_be_one_or_none)
{
    const struct posenc_tensor scalar = pictured_tensor(0, NULL, NULL);
    const struct posenc_tensor empty = pictured_tensor(3, (size_t[]){0, 4, 5}, NULL);

    const struct picture_samples one = sample(&scalar, NULL), none = sample(&empty, NULL);

    expect_axis(&one.columns, 1, 1, 1);
    cr_expect(one.has_range);
    expect_axis(&none.panels, 0, 1, 0);
    cr_expect_not(none.has_range);
}

Test(picture_samples, name_their_axes_from_the_last_one_on)
{
    const struct posenc_tensor three = pictured_tensor(3, (size_t[]){1, 1, 1}, NULL);

    cr_expect_str_eq(sample(&three, NULL).panels.name, "axis 0");
    cr_expect_str_eq(sample(&three, NULL).rows.name, "axis 1");
    cr_expect_str_eq(sample(&three, NULL).columns.name, "axis 2");
}

Test(picture_samples, of_one_value_get_a_range_around_it)
{
    static const double constants[] = {0, 1, -3, 1e-300, DBL_MAX, -DBL_MAX, 5e-324};

    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        double low = constants[i], high = constants[i];

        picture_widen_range(&low, &high);
        cr_expect(isfinite(low) && isfinite(high));
        cr_expect(low < high && low <= constants[i] && constants[i] <= high, "%g: %g to %g",
                  constants[i], low, high);
    }
    double low = 1, high = 1.5;

    picture_widen_range(&low, &high);
    cr_expect(low == 1 && high == 1.5, "a range that is wide enough stays");
}
