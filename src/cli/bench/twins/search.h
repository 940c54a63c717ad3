/* Steps of a search for the first zero of a function along a flight that cannot pass one. */
#ifndef MOREAU_SEARCH_H
#define MOREAU_SEARCH_H

#include <math.h>

/* A step that oversteps no zero of a function with this value >= 0, rate, and second derivative `bend`, which
 * is nowhere below `least` and changes by at most `jerk` in a unit of time: with a lower bound m of it,
 * value + rate s + m s^2 / 2 stays below the function. Steps come to a zero as fast as Newton's method.
 * Returns `window` where there is no zero within it. */
static inline double safe_step(double value, double rate, double bend, double least, double jerk, double window) {
  double step = window;
  /* The second time with a bound for the part that the first one has shown to matter. */
  for (int tries = 0; tries < 2; ++tries) {
    const double m = fmax(least, bend - jerk * window), root = rate * rate - 2 * m * value;
    if (root < 0 || (rate >= 0 && m >= 0)) return window;
    step = rate < 0 ? 2 * value / (sqrt(root) - rate) : -(rate + sqrt(root)) / m;
    if (step >= window) return window;
    window = fmin(window, 2 * step);
  }
  return step;
}

#endif
