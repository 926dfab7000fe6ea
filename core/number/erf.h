/* The error function and its inverse, with the same bits on every machine. */
#ifndef POSENC_ERF_H
#define POSENC_ERF_H

/* erf(x), right to 0.51 ulp for every finite x. Slow: for bounds, not for tables. */
double posenc__erf(double x);

/* The x with erf(x) = y: relative error below 1e-15; infinite at -1 and 1, NaN beyond. */
double posenc__erf_inverse(double y);

#endif
