/* Basins of attraction of an impact oscillator, x'' + 2 zeta x' + x = A cos(omega t), x <= d, Newton's law with
 * r at the stop: starts of a grid, each followed until it has kept to one of the known attractors for `confirm`
 * periods. What a C programmer would write for exactly this job: flights are exact arcs, an arc whose amplitude
 * does not reach the stop costs one multiplication by the map of a period, impacts are found to rounding.
 *
 * Output: the attractor of each start, -1 for none, and the periods it took. Time is that of a period. */
#include "twin.h"
#include "search.h"

#define SLOW 1e-6
#define SHORT 1e-14
#define LEAVING 1e-6
#define MOST_POINTS 64

static double zeta, amplitude, omega, stop, r;
/* particular solution p cos + q sin, its size, and the frequency of free motion */
static double p, q, size, damped;
/* end of a period, and the phase up to which the force presses onto the stop */
static double period, pressed;

struct state {
  double t, x, v;
  int rests, is_fresh;
};

/* Follows the motion to the end of the period or the next impact. @returns whether the period is over */
static int fly(struct state* f) {
  const double from = f->t, c0 = cos(omega * from), s0 = sin(omega * from);
  const double a = f->x - p * c0 - q * s0;
  const double b = (f->v - omega * (q * c0 - p * s0) + zeta * a) / damped;
  const double reach = sqrt(a * a + b * b), far = f->is_fresh ? period : 0;
  const double least = -reach - omega * omega * size, jerk = reach + omega * omega * omega * size;
  double t = from;
  if (reach + size < stop && far == 0) t = period;
  for (;;) {
    const double tau = t - from, c = cos(damped * tau), s = sin(damped * tau), decay = exp(-zeta * tau);
    const double cw = t == period ? 1 : cos(omega * t), sw = t == period ? 0 : sin(omega * t);
    const double free = decay * (a * c + b * s), drift = decay * damped * (b * c - a * s) - zeta * free;
    const double x = free + p * cw + q * sw, v = drift + omega * (q * cw - p * sw);
    if (t >= period) {
      f->t = 0;
      f->x = x;
      f->v = v;
      return 1;
    }
    double gap = stop - x;
    const double rate = -v, bend = 2 * zeta * v + x - amplitude * cw;
    int arrives = 0;
    if (f->is_fresh) {
      f->is_fresh = 0;
      gap = 0;
      if (rate <= SLOW && bend >= 0) {
        t = fmin(period, t + fmax(bend / (2 * jerk), LEAVING));
        continue;
      }
    } else if (gap <= 0) {
      arrives = rate < 0;
      gap = 0;
    }
    double step = 0;
    if (!arrives) {
      step = safe_step(gap, rate, bend, least, jerk, period - t);
      arrives = step < SHORT && rate < 0;
    }
    if (arrives) {
      f->t = t;
      f->x = stop;
      f->v = -r * v;
      f->is_fresh = 1;
      f->rests = -f->v < SLOW && bend < 0;
      return 0;
    }
    t = t + step >= period ? period : t + step;
  }
}

/* @returns whether it rests to the end of the period */
static int rest(struct state* f) {
  f->x = stop;
  f->v = 0;
  if (f->t > pressed && f->t >= period - pressed) {
    f->t = 0;
    return 1;
  }
  f->t = fmax(f->t, pressed);
  f->rests = 0;
  f->is_fresh = 1;
  return 0;
}

static int attractors, cycles[MOST_POINTS], firsts[MOST_POINTS];
static double points[2 * MOST_POINTS], sizes[2], tolerance;

static int is_at(int attractor, int place, const struct state* f) {
  const double* point = points + 2 * (firsts[attractor] + place);
  return fabs(point[0] - f->x) <= tolerance * sizes[0] && fabs(point[1] - f->v) <= tolerance * sizes[1];
}

static int nearest(const struct state* f, int* place) {
  for (int i = 0; i < attractors; ++i)
    for (int k = 0; k < cycles[i]; ++k)
      if (is_at(i, k, f)) {
        *place = k;
        return i;
      }
  return -1;
}

static double numbered(const char* name, int k) {
  char word[32];
  snprintf(word, sizeof word, "%s%d", name, k);
  return number(word);
}

static void run(void) {
  zeta = number("zeta"), amplitude = number("A"), omega = number("omega"), stop = number("d"), r = number("r");
  const double stiff = 1 - omega * omega, loss = 2 * zeta * omega, scale = stiff * stiff + loss * loss;
  p = amplitude * stiff / scale;
  q = amplitude * loss / scale;
  size = hypot(p, q);
  damped = sqrt(1 - zeta * zeta);
  period = 2 * M_PI / omega;
  pressed = amplitude > stop ? acos(stop / amplitude) / omega : -1;
  attractors = (int)number("attractors");
  for (int i = 0, first = 0; i < attractors; first += cycles[i++]) {
    cycles[i] = (int)numbered("cycle", i);
    firsts[i] = first;
    for (int k = 2 * first; k < 2 * (first + cycles[i]); ++k) points[k] = numbered("p", k);
  }
  sizes[0] = number("size0"), sizes[1] = number("size1"), tolerance = number("tolerance");
  const int confirm = (int)number("confirm"), most = (int)number("maxPeriods");
  const double x0 = number("xFrom"), x1 = number("xTo"), y0 = number("yFrom"), y1 = number("yTo");
  const int columns = (int)number("xCount"), rows = (int)number("yCount"), every = (int)number("every");
  const int used = (rows + every - 1) / every;
  double* found = numbers(2L * used * columns);
  double all = 0;
  const double began = spent();
  for (int k = 0; k < used * columns; ++k) {
    const int column = k % columns, row = k / columns * every;
    struct state f = {0, column == columns - 1 ? x1 : x0 + (x1 - x0) * column / (columns - 1),
                      row == rows - 1 ? y1 : y0 + (y1 - y0) * row / (rows - 1), 0, 0};
    if (f.x >= stop) {
      if (f.v > 0) f.v = -r * f.v;
      f.is_fresh = 1;
      f.rests = f.v == 0 && amplitude > stop;
    }
    int followed = -1, place = 0, count = 0, periods = 1;
    for (; periods <= most; ++periods) {
      while (!(f.rests ? rest(&f) : fly(&f)))
        ;
      if (followed >= 0) {
        place = (place + 1) % cycles[followed];
        if (is_at(followed, place, &f)) ++count;
        else followed = -1;
      }
      if (followed < 0) {
        followed = nearest(&f, &place);
        count = followed < 0 ? 0 : 1;
      }
      if (count > confirm) break;
    }
    found[2 * k] = periods <= most ? followed : -1;
    found[2 * k + 1] = fmin(periods, most);
    all += found[2 * k + 1];
  }
  const double taken = spent() - began;
  report(taken / all, found, 2L * used * columns);
}
