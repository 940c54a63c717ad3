/* Lyapunov exponents of the Lorenz equations: the pair of Dormand and Prince of order 8(5, 3) with control of
 * the state at the engine's tolerances, three disturbances integrated along by the same steps, made orthonormal
 * after each interval. Those of the first intervals only turn into their directions. What a C programmer would
 * write for exactly this job with a general method of high order.
 *
 * Output: exponents, the largest first. Time is that of a unit of time of the model.
 *
 * Coefficients: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 1993, II.5 and II.10. */
#include "twin.h"

#define D 3
#define N (D + D * D)

static double sigma, rho, beta;

/* The state, then the columns of disturbances. */
static inline void rate(const double* x, double* out) {
  out[0] = sigma * (x[1] - x[0]);
  out[1] = x[0] * (rho - x[2]) - x[1];
  out[2] = x[0] * x[1] - beta * x[2];
  for (int c = D; c < N; c += D) {
    out[c] = sigma * (x[c + 1] - x[c]);
    out[c + 1] = (rho - x[2]) * x[c] - x[c + 1] - x[0] * x[c + 2];
    out[c + 2] = x[1] * x[c] + x[0] * x[c + 1] - beta * x[c + 2];
  }
}

/* Rates of the stages, the first of which is that at the start of a step. */
static double k[12][N];

/* @returns the error of the state in tolerances */
static double step(double h, const double* x, double* next) {
  static double at[N], mean[N];
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.05260015195876773 * k[0][i]);
  rate(at, k[1]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.0197250569845379 * k[0][i] + 0.0591751709536137 * k[1][i]);
  rate(at, k[2]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.02958758547680685 * k[0][i] + 0.08876275643042054 * k[2][i]);
  rate(at, k[3]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.2413651341592667 * k[0][i] - 0.8845494793282861 * k[2][i]
        + 0.924834003261792 * k[3][i]);
  rate(at, k[4]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.037037037037037035 * k[0][i] + 0.17082860872947386 * k[3][i]
        + 0.12546768756682242 * k[4][i]);
  rate(at, k[5]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.037109375 * k[0][i] + 0.17025221101954405 * k[3][i] + 0.06021653898045596 * k[4][i]
        - 0.017578125 * k[5][i]);
  rate(at, k[6]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.03709200011850479 * k[0][i] + 0.17038392571223998 * k[3][i]
        + 0.10726203044637328 * k[4][i] - 0.015319437748624402 * k[5][i] + 0.008273789163814023 * k[6][i]);
  rate(at, k[7]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.6241109587160757 * k[0][i] - 3.3608926294469414 * k[3][i]
        - 0.868219346841726 * k[4][i] + 27.59209969944671 * k[5][i] + 20.154067550477894 * k[6][i]
        - 43.48988418106996 * k[7][i]);
  rate(at, k[8]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (0.47766253643826434 * k[0][i] - 2.4881146199716677 * k[3][i]
        - 0.590290826836843 * k[4][i] + 21.230051448181193 * k[5][i] + 15.279233632882423 * k[6][i]
        - 33.28821096898486 * k[7][i] - 0.020331201708508627 * k[8][i]);
  rate(at, k[9]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (-0.9371424300859873 * k[0][i] + 5.186372428844064 * k[3][i]
        + 1.0914373489967295 * k[4][i] - 8.149787010746927 * k[5][i] - 18.52006565999696 * k[6][i]
        + 22.739487099350505 * k[7][i] + 2.4936055526796523 * k[8][i] - 3.0467644718982196 * k[9][i]);
  rate(at, k[10]);
  for (int i = 0; i < N; ++i)
      at[i] = x[i] + h * (2.273310147516538 * k[0][i] - 10.53449546673725 * k[3][i]
        - 2.0008720582248625 * k[4][i] - 17.9589318631188 * k[5][i] + 27.94888452941996 * k[6][i]
        - 2.8589982771350235 * k[7][i] - 8.87285693353063 * k[8][i] + 12.360567175794303 * k[9][i]
        + 0.6433927460157636 * k[10][i]);
  rate(at, k[11]);
  for (int i = 0; i < N; ++i) {
      mean[i] = 0.054293734116568765 * k[0][i] + 4.450312892752409 * k[5][i] + 1.8915178993145003 * k[6][i]
        - 5.801203960010585 * k[7][i] + 0.3111643669578199 * k[8][i] - 0.1521609496625161 * k[9][i]
        + 0.20136540080403034 * k[10][i] + 0.04471061572777259 * k[11][i];
    next[i] = x[i] + h * mean[i];
  }
  double fifth = 0, third = 0;
  for (int i = 0; i < D; ++i) {
    const double scale = 1 / (1e-12 + 1e-11 * fmax(fabs(x[i]), fabs(next[i])));
    const double e5 = scale * (0.01312004499419488 * k[0][i] - 1.2251564463762044 * k[5][i] - 0.4957589496572502 * k[6][i]
      + 1.6643771824549864 * k[7][i] - 0.35032884874997366 * k[8][i] + 0.3341791187130175 * k[9][i]
      + 0.08192320648511571 * k[10][i] - 0.022355307863886294 * k[11][i]);
    const double e3 = scale * (mean[i] - 0.24409448818897638 * k[0][i] - 0.7338466882816118 * k[8][i]
      - 0.022058823529411766 * k[11][i]);
    fifth += e5 * e5;
    third += e3 * e3;
  }
  const double sum = fifth + 0.01 * third;
  return sum == 0 ? 0 : h * fifth / sqrt(sum * D);
}

static double x[N], suggested = 1e-3;

static void advance(double duration) {
  double next[N], left = duration;
  rate(x, k[0]);
  while (left > 0) {
    const int is_last = suggested >= left;
    const double h = is_last ? left : suggested, error = step(h, x, next);
    const double factor = fmin(6, fmax(1. / 3, 0.9 * pow(fmax(error, 1e-10), -0.125)));
    if (error > 1) {
      suggested = h * factor;
      continue;
    }
    if (!is_last || factor < 1) suggested = h * factor;
    left = is_last ? 0 : left - h;
    memcpy(x, next, sizeof x);
    if (left > 0) rate(x, k[0]);
  }
}

static void run(void) {
  sigma = number("sigma"), rho = number("rho"), beta = number("beta");
  x[0] = number("x"), x[1] = number("y"), x[2] = number("z");
  const double transient = number("transient"), interval = number("interval");
  const long intervals = (long)number("intervals"), aligned = (long)number("aligned");
  double sums[D] = {0};
  const double began = spent();
  if (transient > 0) advance(transient);
  memset(x + D, 0, (N - D) * sizeof(double));
  for (int c = 0; c < D; ++c) x[D + c * D + c] = 1;
  for (long n = 0; n < intervals + aligned; ++n) {
    if (n == aligned) memset(sums, 0, sizeof sums);
    advance(interval);
    for (int c = 0; c < D; ++c) {
      double* column = x + D + c * D;
      for (int pass = 0; pass < 2; ++pass)
        for (int b = 0; b < c; ++b) {
          const double* other = x + D + b * D;
          double product = 0;
          for (int i = 0; i < D; ++i) product += other[i] * column[i];
          for (int i = 0; i < D; ++i) column[i] -= product * other[i];
        }
      double square = 0;
      for (int i = 0; i < D; ++i) square += column[i] * column[i];
      const double length = sqrt(square);
      sums[c] += log(length);
      for (int i = 0; i < D; ++i) column[i] /= length;
    }
  }
  const double taken = spent() - began, counted = interval * (double)intervals;
  double found[D];
  for (int c = 0; c < D; ++c) found[c] = sums[c] / counted;
  report(taken / (transient + interval * (double)(intervals + aligned)), found, D);
}
