/* Lyapunov exponents of the cam-follower (cam.h): two disturbances are carried along arcs in closed form and
 * across impacts by their saltation matrix, and made orthonormal after each interval of whole revolutions.
 * Those of the first intervals only turn into their directions.
 *
 * Output: exponents, 1/s, the larger first. Time is that of a revolution. */
#include "cam.h"

static void run(void) {
  const double speed = number("speed0");
  const long transient = (long)number("transient"), intervals = (long)number("intervals");
  const long turns = (long)number("turns"), aligned = (long)number("aligned");
  r = number("r");
  w = sqrt(number("kappa") / number("mu"));
  turning = 2 * M_PI * number("rpm") / 60;
  make_pieces();
  struct state f = {0, 0, 0, 0, number("height0") + 0.1, speed / w, 0, 0};
  double sums[2] = {0, 0};
  const double began = spent();
  for (long k = 0; k < transient; ++k) turn(&f);
  has_frame = 1;
  for (long k = 0; k < intervals + aligned; ++k) {
    if (k == aligned) sums[0] = sums[1] = 0;
    for (long i = 0; i < turns; ++i) turn(&f);
    const double length = hypot(frame[0], frame[1]), x = frame[0] / length, y = frame[1] / length;
    const double area = frame[0] * frame[3] - frame[1] * frame[2];
    sums[0] += log(length);
    sums[1] += log(fabs(area) / length);
    /* The second column is at a right angle to the first; its sign does not matter. */
    frame[0] = x, frame[1] = y, frame[2] = -y, frame[3] = x;
  }
  const double time = (double)(intervals * turns) * 2 * M_PI / turning, taken = spent() - began;
  const double found[2] = {fmax(sums[0], sums[1]) / time, fmin(sums[0], sums[1]) / time};
  report(taken / (double)(transient + (intervals + aligned) * turns), found, 2);
}
