/* A ball on a floor, Moreau-Jean:
 *     m (v+ - v) = -m g h + p,  0 <= v+ + e v-  ⊥  p >= 0 while q + h v / 2 <= 0. */
#include "twin.h"

static void run(void) {
  const double m = number("m"), g = number("g"), e = number("e"), h = number("h"), theta = number("theta");
  const long warm = (long)number("warm"), steps = (long)number("steps");
  double q = number("height"), v = 0, began = 0;
  for (long step = 0; step < warm + steps; ++step) {
    if (step == warm) began = now();
    const double free = v - h * g;
    double next = free;
    if (q + 0.5 * h * v <= 0) {
      /* W p + q = 0 with W = 1 / m, or p = 0 */
      const double p = -m * (free + e * v);
      if (p > 0) next = free + p / m;
    }
    q += h * (theta * next + (1 - theta) * v);
    v = next;
  }
  const double taken = now() - began;
  report(taken / (double)steps, (double[]){q, v}, 2);
}
