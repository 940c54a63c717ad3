/* Bifurcation diagram of the cam-follower. What a C programmer would write for exactly this job (cam.h), with
 * times of impact as good as double numbers allow, as the engine's are: steps of the root search end below
 * 1e-14 s.
 *
 * Output: the last `kept` section points of each speed, q and v of each. Time is that of a revolution. */
#include "cam.h"

static void run(void) {
  const double mu = number("mu"), kappa = number("kappa"), first = number("from"), last = number("to");
  const long speeds = (long)number("speeds"), transient = (long)number("transient");
  const long points = (long)number("points"), count = (long)number("kept");
  const double height = number("height0"), speed = number("speed0");
  r = number("r");
  w = sqrt(kappa / mu);
  make_pieces();
  double* kept = numbers(2 * speeds * count);
  double* section = numbers(2 * points);
  const double began = spent();
  for (long i = 0; i < speeds; ++i) {
    const double rpm = speeds == 1 ? first : first + (last - first) * (double)i / (double)(speeds - 1);
    turning = 2 * M_PI * rpm / 60;
    struct state f = {0, 0, 0, 0, height + 0.1, speed / w, 0, 0};
    for (long k = 0; k < transient + points; ++k) {
      if (k >= transient) {
        section[2 * (k - transient)] = f.a;
        section[2 * (k - transient) + 1] = w * f.b;
      }
      turn(&f);
    }
    memcpy(kept + 2 * i * count, section + 2 * (points - count), 2 * (size_t)count * sizeof(double));
  }
  const double taken = spent() - began;
  report(taken / (double)(speeds * (transient + points)), kept, 2 * speeds * count);
}
