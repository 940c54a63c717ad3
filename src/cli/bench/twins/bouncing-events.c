/* A ball that bounces on a floor, or between floor and ceiling where `top` is above it, from event to event.
 * What a C programmer would write for exactly this job: the times of flight are roots of quadratic equations in
 * closed form, without cancellation.
 *
 * Output: times of the last `kept` impacts on the floor and velocities after them. Time is that of an event. */
#include "twin.h"

static void run(void) {
  const double g = number("g"), e = number("e"), top = number("top");
  const long impacts = (long)number("impacts"), kept = (long)number("kept");
  double* section = numbers(2 * impacts);
  double t = 0, q = number("height"), v = number("speed");
  long events = 0;
  const double began = spent();
  for (long k = 0; k < impacts; ++k) {
    const double left = top - q, reach = v * v - 2 * g * left;
    if (v > 0 && reach > 0) {
      const double speed = sqrt(reach);
      t += 2 * left / (v + speed);
      q = top;
      v = -e * speed;
      ++events;
    }
    const double speed = sqrt(v * v + 2 * g * q);
    t += v > 0 ? (v + speed) / g : 2 * q / (speed - v);
    q = 0;
    v = e * speed;
    ++events;
    section[2 * k] = t;
    section[2 * k + 1] = v;
  }
  const double taken = spent() - began;
  report(taken / (double)events, section + 2 * (impacts - kept), 2 * kept);
}
