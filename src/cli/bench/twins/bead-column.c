/* N beads on each other, Moreau-Jean: m (v+ - v) = -m g h + H^T p, 0 <= H v+ + e H v  ⊥  p >= 0 for the contacts with
 * gap + h H v / 2 <= 0. W = H H^T / m has three diagonals; which contacts push is guessed to be as in the step before,
 * and changed until no push is negative and no contact that does not push closes. */
#include "twin.h"

static long n;
static double w;            /* 1 / m */
static char *takes, *pushes; /* takes part; is in the set */
static double *lower, *inverse;

/* L D L^T of W on the set; the other rows are those of the identity. */
static void factorise(void) {
  for (long i = 0; i < n; ++i) {
    const double diagonal = pushes[i] ? (i == 0 ? w : 2 * w) : 1;
    const double off = i > 0 && pushes[i] && pushes[i - 1] ? -w : 0;
    lower[i] = i == 0 ? 0 : off * inverse[i - 1];
    inverse[i] = 1 / (i == 0 ? diagonal : diagonal - off * lower[i]);
  }
}

static void run(void) {
  n = (long)number("N");
  const long warm = (long)number("warm"), steps = (long)number("steps");
  const double m = number("m"), radius = number("radius"), g = number("g"), e = number("e");
  const double spacing = number("spacing"), h = number("h"), theta = number("theta");
  w = 1 / m;
  takes = calloc((size_t)n, 1);
  pushes = calloc((size_t)n, 1);
  lower = numbers(n);
  inverse = numbers(n);
  double *q = numbers(n), *v = numbers(n), *next = numbers(n), *p = numbers(n), *free = numbers(n);
  for (long i = 0; i < n; ++i) q[i] = radius + (double)i * 2 * radius + (double)(i + 1) * spacing;
  factorise();

  double began = 0;
  for (long step = 0; step < warm + steps; ++step) {
    if (step == warm) began = now();
    for (long i = 0; i < n; ++i) next[i] = v[i] - h * g;
    int changed = 0;
    for (long i = 0; i < n; ++i) {
      const double gap = i == 0 ? q[0] - radius : q[i] - q[i - 1] - 2 * radius;
      const double speed = i == 0 ? v[0] : v[i] - v[i - 1];
      const char is = gap + 0.5 * h * speed <= 0;
      changed |= is != takes[i];
      takes[i] = is;
      free[i] = (i == 0 ? next[0] : next[i] - next[i - 1]) + e * speed;
    }
    if (changed) {
      memcpy(pushes, takes, (size_t)n);
      factorise();
    }
    for (;;) {
      for (long i = 0; i < n; ++i) p[i] = pushes[i] ? -free[i] : 0;
      for (long i = 1; i < n; ++i) p[i] -= lower[i] * p[i - 1];
      p[n - 1] *= inverse[n - 1];
      for (long i = n - 2; i >= 0; --i) p[i] = p[i] * inverse[i] - lower[i + 1] * p[i + 1];
      int wrong = 0;
      for (long i = 0; i < n; ++i) {
        if (!takes[i]) continue;
        const double below = i == 0 ? 0 : p[i - 1], above = i == n - 1 ? 0 : p[i + 1];
        const double y = free[i] + w * ((i == 0 ? 1 : 2) * p[i] - below - above);
        const int out = pushes[i] ? p[i] < 0 : y < 0;
        if (out) pushes[i] = !pushes[i];
        wrong |= out;
      }
      if (!wrong) break;
      factorise();
    }
    for (long i = 0; i < n; ++i) {
      next[i] += w * (p[i] - (i == n - 1 ? 0 : p[i + 1]));
      q[i] += h * (theta * next[i] + (1 - theta) * v[i]);
      v[i] = next[i];
    }
  }
  const double taken = now() - began;
  report(taken / (double)steps, (double[]){q[0], q[n - 1], p[0], p[n - 1]}, 4);
}
