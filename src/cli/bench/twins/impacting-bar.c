/* An elastic bar of N nodes against a wall, Moreau-Jean with lumped masses:
 *
 *     (M + h^2 θ^2 K) (v+ - v) = -h K (q + h θ v) + p e_1,   0 <= v+_1 + e v_1  ⊥  p >= 0 while q_1 + gap + h v_1 / 2 <= 0.
 *
 * The iteration matrix has three diagonals and is factorised once, L D L^T. */
#include "twin.h"

static void solve(long n, const double* lower, const double* inverse, double* x) {
  for (long i = 1; i < n; ++i) x[i] -= lower[i] * x[i - 1];
  x[n - 1] *= inverse[n - 1];
  for (long i = n - 2; i >= 0; --i) x[i] = x[i] * inverse[i] - lower[i + 1] * x[i + 1];
}

static void run(void) {
  const long n = (long)number("N"), warm = (long)number("warm"), steps = (long)number("steps");
  const double h = number("h"), theta = number("theta"), e = number("e"), gap = number("gap");
  const double element = number("length") / (double)(n - 1);
  const double k = number("E") * number("A") / element, mass = number("rho") * number("A") * element;
  double *lower = numbers(n), *inverse = numbers(n), *response = numbers(n);
  double *q = numbers(n), *v = numbers(n), *change = numbers(n), *middle = numbers(n);
  for (long i = 0; i < n; ++i) {
    const int end = i == 0 || i == n - 1;
    const double c = h * h * theta * theta * k;
    const double diagonal = (end ? 0.5 * mass : mass) + (end ? c : 2 * c);
    lower[i] = i == 0 ? 0 : -c * inverse[i - 1];
    inverse[i] = 1 / (i == 0 ? diagonal : diagonal + c * lower[i]);
    v[i] = number("v0");
  }
  response[0] = 1;
  solve(n, lower, inverse, response);

  double p = 0, began = 0;
  for (long step = 0; step < warm + steps; ++step) {
    if (step == warm) began = now();
    const double before = v[0];
    const int closes = q[0] + gap + 0.5 * h * before <= 0;
    for (long i = 0; i < n; ++i) middle[i] = q[i] + h * theta * v[i];
    change[0] = -h * k * (middle[0] - middle[1]);
    for (long i = 1; i < n - 1; ++i) change[i] = -h * k * (2 * middle[i] - middle[i - 1] - middle[i + 1]);
    change[n - 1] = -h * k * (middle[n - 1] - middle[n - 2]);
    solve(n, lower, inverse, change);
    p = closes ? fmax(0, -(before + change[0] + e * before) / response[0]) : 0;
    if (p > 0)
      for (long i = 0; i < n; ++i) change[i] += response[i] * p;
    for (long i = 0; i < n; ++i) {
      const double next = v[i] + change[i];
      q[i] += h * (theta * next + (1 - theta) * v[i]);
      v[i] = next;
    }
  }
  const double taken = now() - began;
  report(taken / (double)steps, (double[]){q[0], q[n - 1], v[0], v[n - 1], p}, 5);
}
