/* Bifurcation diagram of the buck converter whose switch conducts while gain (v - vref) is below a sawtooth:
 * filter of inductor and loaded capacitor, ideal switch and diode. What a C programmer would write for exactly
 * this job: the three modes (switch on, diode on, none) are exact arcs, and the first event of each stretch is
 * found to rounding by steps that oversteps none.
 *
 * Output: current and voltage at the last `kept` ends of periods of each input voltage. Time is that of a
 * period. */
#include "twin.h"
#include "search.h"

/* The step after one so short is known to the square of it. */
#define SHORT 1e-12

enum mode { ON, FREE, BLOCKED };

static double E, L, C, R, sigma, w, w0, gain, vref, low, ramp, T;

/* An arc from `from` on: v = level + exp(-sigma tau) (a cos + b sin); in the mode BLOCKED v = a exp(-tau/RC). */
struct arc {
  double from, level, a, b;
  enum mode mode;
};

struct point {
  double v, rate, bend;
};

static struct arc arc_from(double t, double i, double v, enum mode mode) {
  const double level = mode == ON ? E : 0, a = v - level, rate = (i - v / R) / C;
  return (struct arc){t, level, mode == BLOCKED ? v : a, mode == BLOCKED ? 0 : (rate + sigma * a) / w, mode};
}

static inline struct point at(const struct arc* arc, double t) {
  const double tau = t - arc->from;
  if (arc->mode == BLOCKED) {
    const double v = arc->a * exp(-2 * sigma * tau), rate = -2 * sigma * v;
    return (struct point){v, rate, -2 * sigma * rate};
  }
  const double s = sin(w * tau), c = cos(w * tau), decay = exp(-sigma * tau);
  const double free = decay * (arc->a * c + arc->b * s);
  const double rate = decay * w * (arc->b * c - arc->a * s) - sigma * free;
  return (struct point){arc->level + free, rate, -2 * sigma * rate - w0 * w0 * free};
}

static inline double current(const struct arc* arc, const struct point* p) {
  return arc->mode == BLOCKED ? 0 : C * p->rate + p->v / R;
}

/* First time up to `end` at which the comparator turns, gain (v - vref) - sawtooth = 0; `end` for none. */
static double turns(const struct arc* arc, double end) {
  const double size = arc->mode == BLOCKED ? fabs(arc->a) : hypot(arc->a, arc->b);
  const double rate = arc->mode == BLOCKED ? 2 * sigma : w0;
  const double least = -gain * rate * rate * size, jerk = -rate * least, sign = arc->mode == ON ? -1 : 1;
  double t = arc->from;
  for (int is_first = 1;; is_first = 0) {
    const struct point p = at(arc, t);
    double value = sign * (gain * (p.v - vref) - low - ramp * t);
    const double slope = sign * (gain * p.rate - ramp);
    if (value <= 0) {
      if (!is_first && slope < 0) return t;
      value = 0;
    }
    /* Where it has just turned it is zero but for rounding. */
    const double step = safe_step(value, slope, sign * gain * p.bend, least, jerk, end - t);
    if (t + step >= end) return end;
    if (step < SHORT && slope < 0) return t + step;
    t += step;
  }
}

/* First time up to `end` at which the current of the diode ends. */
static double ends(const struct arc* arc, double end) {
  const double size = hypot(arc->a, arc->b), least = -w0 * size / L, jerk = -w0 * least;
  double t = arc->from;
  for (;;) {
    const struct point p = at(arc, t);
    const double i = current(arc, &p), slope = (arc->level - p.v) / L;
    if (i <= 0 && slope < 0) return t;
    const double step = safe_step(fmax(i, 0), slope, -p.rate / L, least, jerk, end - t);
    if (t + step >= end) return end;
    if (step < SHORT && slope < 0) return t + step;
    t += step;
  }
}

static void run(void) {
  const double first = number("from"), last = number("to");
  const long voltages = (long)number("voltages"), transient = (long)number("transient");
  const long points = (long)number("points"), kept = (long)number("kept");
  L = number("L"), C = number("C"), R = number("R"), gain = number("gain"), vref = number("vref");
  low = number("low"), T = number("T");
  ramp = (number("high") - low) / T;
  sigma = 1 / (2 * R * C);
  w0 = 1 / sqrt(L * C);
  w = sqrt(w0 * w0 - sigma * sigma);
  double* found = numbers(2 * voltages * kept);
  double* section = numbers(2 * points);
  const double began = spent();
  for (long k = 0; k < voltages; ++k) {
    E = voltages == 1 ? first : first + (last - first) * (double)k / (double)(voltages - 1);
    double i = number("i0"), v = number("v0");
    for (long n = 0; n < transient + points; ++n) {
      if (n >= transient) {
        section[2 * (n - transient)] = i;
        section[2 * (n - transient) + 1] = v;
      }
      double t = 0;
      enum mode mode = gain * (v - vref) < low ? ON : i > 0 ? FREE : BLOCKED;
      while (t < T) {
        const struct arc arc = arc_from(t, i, v, mode);
        double end = turns(&arc, T);
        enum mode next = mode == ON ? FREE : ON;
        if (mode == FREE) {
          const double blocked = ends(&arc, end);
          if (blocked < end) {
            next = BLOCKED;
            end = blocked;
          }
        }
        const struct point p = at(&arc, end);
        i = next == BLOCKED && end < T ? 0 : current(&arc, &p);
        v = p.v;
        t = end;
        mode = next;
      }
    }
    memcpy(found + 2 * k * kept, section + 2 * (points - kept), 2 * (size_t)kept * sizeof(double));
  }
  const double taken = spent() - began;
  report(taken / (double)(voltages * (transient + points)), found, 2 * voltages * kept);
}
