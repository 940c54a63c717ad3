/* A mass on a belt, m x'' - fall x' + k x = -fall speed + F, |F| <= friction, and F = friction sgn(speed - x')
 * while it slides. What a C programmer would write for exactly this job: arcs in closed form; between zeros of
 * the acceleration, which are half a period apart, the sliding velocity is monotone and has at most one zero,
 * which Newton's method within a bracket finds to rounding; sticking ends at a known time.
 *
 * Output: number of events, position and velocity at the end. Time is that of an event. */
#include "twin.h"

static double sigma, w, w0, belt;

/* Sliding velocity at tau of an arc c + exp(sigma tau) (a cos + b sin), and its rate. */
static inline double slip(double tau, double a, double b, double* rate) {
  const double s = sin(w * tau), c = cos(w * tau), grown = exp(sigma * tau);
  const double free = grown * (a * c + b * s), v = sigma * free + grown * w * (b * c - a * s);
  *rate = 2 * sigma * v - w0 * free;
  return v - belt;
}

/* Zero of the sliding velocity between two times at which its signs differ. */
static double zero_between(double low, double high, double a, double b, double sign) {
  double t = 0.5 * (low + high);
  for (int i = 0; i < 100; ++i) {
    double rate;
    const double u = sign * slip(t, a, b, &rate);
    if (u > 0) low = t;
    else high = t;
    double next = t - u / (sign * rate);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    /* Newton's method leaves the square of its last step. */
    if (fabs(next - t) <= 1e-9) return next;
    t = next;
  }
  return t;
}

static void run(void) {
  const double m = number("m"), k = number("k"), friction = number("friction"), fall = number("fall");
  const double end = number("tEnd"), stretch = friction / k;
  belt = number("speed");
  sigma = fall / (2 * m);
  w0 = k / m;
  w = sqrt(w0 - sigma * sigma);
  double t = 0, x = number("x0"), v = number("v0"), state[3] = {0, 0, 0};
  /* +1 while the belt drags it forwards, -1 while it is faster, 0 while it sticks */
  int drags = v < belt ? 1 : v > belt ? -1 : 0;
  long events = 0;
  const double half = M_PI / w, began = spent();
  while (t < end) {
    if (drags == 0) {
      /* It sticks until the spring pulls as much as friction can. */
      const double leaves = t + (stretch - x) / belt;
      if (leaves >= end) {
        x += belt * (end - t);
        v = belt;
        break;
      }
      t = leaves;
      x = stretch;
      v = belt;
      drags = 1;
      ++events;
      continue;
    }
    const double centre = (drags * friction - fall * belt) / k, a = x - centre, b = (v - sigma * a) / w;
    /* x'' = exp(sigma tau) (f cos + g sin) is zero where w tau = atan2(-f, g) + n pi. */
    const double f = 2 * sigma * v - w0 * a, rate1 = 2 * sigma * f - w0 * v, g = (rate1 - sigma * f) / w;
    double low = 0, high = atan2(-f, g) / w, root = -1;
    const double sign = -drags;
    while (high <= 1e-9) high += half;
    while (root < 0 && t + low < end) {
      double rate;
      if (sign * slip(high, a, b, &rate) < 0) root = zero_between(low, high, a, b, sign);
      low = high;
      high += half;
    }
    const int is_over = root < 0 || t + root >= end;
    const double tau = is_over ? end - t : root, s = sin(w * tau), c = cos(w * tau), grown = exp(sigma * tau);
    const double free = grown * (a * c + b * s);
    x = centre + free;
    if (is_over) {
      v = sigma * free + grown * w * (b * c - a * s);
      break;
    }
    t += root;
    v = belt;
    ++events;
    drags = fabs(x) <= stretch ? 0 : x > 0 ? 1 : -1;
  }
  const double taken = spent() - began;
  state[0] = (double)events;
  state[1] = x;
  state[2] = v;
  report(taken / (double)events, state, 3);
}
