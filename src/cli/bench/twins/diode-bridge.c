/* A resonant circuit that feeds a resistor through a bridge of four ideal diodes, implicit Euler:
 *
 *     x+ = F (x + h B λ),  F = (1 - h A)^-1,   0 <= y = C x+ + D λ  ⊥  λ >= 0.
 *
 * Which λ are positive is one of 16 sets. For each, λ is a matrix times C F x, formed once; the set of the step before is
 * tried first. */
#include "twin.h"

static double table[16][4][4]; /* λ = table[set] C F x; rows of what is not in the set are zero */

/* -W^-1 on the set, by Gauss-Jordan with pivots; a set whose matrix is singular is left zero. */
static int invert(double W[4][4], int set) {
  double a[4][8] = {{0}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int in = (set >> i & 1) && (set >> j & 1);
      a[i][j] = in ? W[i][j] : i == j;
      a[i][4 + j] = i == j;
    }
  for (int c = 0; c < 4; ++c) {
    int best = c;
    for (int r = c + 1; r < 4; ++r)
      if (fabs(a[r][c]) > fabs(a[best][c])) best = r;
    if (fabs(a[best][c]) < 1e-14) return 0;
    for (int k = 0; k < 8; ++k) {
      const double swap = a[c][k];
      a[c][k] = a[best][k];
      a[best][k] = swap;
    }
    for (int k = 7; k >= c; --k) a[c][k] /= a[c][c];
    for (int r = 0; r < 4; ++r)
      for (int k = 7; r != c && k >= c; --k) a[r][k] -= a[r][c] * a[c][k];
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) table[set][i][j] = (set >> i & 1) && (set >> j & 1) ? -a[i][4 + j] : 0;
  return 1;
}

static void run(void) {
  const double L = number("L"), C = number("C"), G = 1 / number("R"), h = number("h");
  const long warm = (long)number("warm"), steps = (long)number("steps");
  /* 1 - h A = (1, h/C; -h/L, 1) */
  const double det = 1 + h * h / (L * C);
  const double F[2][2] = {{1 / det, -h / C / det}, {h / L / det, 1 / det}};
  const double s = h / C; /* h B: the voltage falls with λ_3 and rises with λ_4 */
  /* y_3 = -v + λ_1, y_4 = v + λ_2 */
  double W[4][4] = {{G, G, -1, 0}, {G, G, 0, -1}, {1, 0, F[0][0] * s, -F[0][0] * s}, {0, 1, -F[0][0] * s, F[0][0] * s}};
  int regular[16];
  for (int set = 0; set < 16; ++set) regular[set] = invert(W, set);

  double v = number("v0"), i = 0, began = 0, lambda[4] = {0};
  int set = 0;
  for (long step = 0; step < warm + steps; ++step) {
    if (step == warm) began = now();
    const double free = F[0][0] * v + F[0][1] * i;
    const double q[4] = {0, 0, -free, free};
    for (int tried = 0; tried <= 16; ++tried) {
      if (tried > 0) set = tried - 1;
      if (!regular[set]) continue;
      int right = 1;
      for (int r = 0; r < 4; ++r) {
        lambda[r] = table[set][r][2] * q[2] + table[set][r][3] * q[3];
        right &= lambda[r] >= 0;
      }
      for (int r = 0; r < 4; ++r) {
        double y = q[r];
        for (int k = 0; k < 4; ++k) y += W[r][k] * lambda[k];
        right &= (set >> r & 1) || y >= -1e-12;
      }
      if (right) break;
    }
    const double charge = v + s * (lambda[3] - lambda[2]);
    const double current = F[1][0] * charge + F[1][1] * i;
    v = F[0][0] * charge + F[0][1] * i;
    i = current;
  }
  const double taken = now() - began;
  report(taken / (double)steps, (double[]){v, i, lambda[0], lambda[1], lambda[2], lambda[3]}, 6);
}
