// Time and accuracy of one of Siconos' own solvers on one linear complementarity problem.
//
// Arguments name=value: file (int32 n, then doubles: matrix by columns, q), solver (lemke or pgs), tolerance (of the
// residual max |min(z M_ii, w)| / max |q|), iterations (limit), seconds (shortest time to measure). Prints one line:
// nanoseconds per solve, failures (1 when Siconos reports one), and as state the iterations and that residual.
//
// Siconos' Gauss-Seidel stops by another norm of the residual, which may be met several sweeps before or after ours. It
// is therefore given the loosest tolerance of its own with which its answer meets the one that was asked for, found
// before the time is taken: it makes no sweep more than that accuracy needs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

namespace {

std::string argument(int count, char** words, const char* name) {
  const std::size_t length = std::strlen(name);
  for (int i = 1; i < count; i++) {
    if (std::strncmp(words[i], name, length) == 0 && words[i][length] == '=') return words[i] + length + 1;
  }
  std::fprintf(stderr, "argument %s is missing\n", name);
  std::exit(2);
}

struct Data {
  int n = 0;
  std::vector<double> matrix;
  std::vector<double> q;
};

Data read(const std::string& path) {
  Data data;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  std::int32_t n = 0;
  bool ok = file != nullptr && std::fread(&n, sizeof n, 1, file) == 1;
  if (ok) {
    data.n = n;
    data.matrix.resize(static_cast<std::size_t>(n) * n);
    data.q.resize(n);
    ok = std::fread(data.matrix.data(), sizeof(double), data.matrix.size(), file) == data.matrix.size() &&
         std::fread(data.q.data(), sizeof(double), data.q.size(), file) == data.q.size();
  }
  if (file != nullptr) std::fclose(file);
  if (!ok) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    std::exit(2);
  }
  return data;
}

double residual(const Data& data, const std::vector<double>& z) {
  double worst = 0, scale = 0;
  for (int i = 0; i < data.n; i++) {
    double w = data.q[i];
    for (int j = 0; j < data.n; j++) w += data.matrix[i + static_cast<std::size_t>(data.n) * j] * z[j];
    const double diagonal = data.matrix[i + static_cast<std::size_t>(data.n) * i];
    worst = std::max(worst, std::fabs(std::min(w, (diagonal > 0 ? diagonal : 1) * z[i])));
    scale = std::max(scale, std::fabs(data.q[i]));
  }
  return scale > 0 ? worst / scale : worst;
}

}  // namespace

// Factor by which Siconos' own tolerance begins above the one asked for, and by which it falls.
const double LOOSEST = 10;
const double TIGHTER = 0.8;

int main(int count, char** words) {
  using clock = std::chrono::steady_clock;
  Data data = read(argument(count, words, "file"));
  const int n = data.n;

  LinearComplementarityProblem* problem = newLCP();
  problem->size = n;
  // The matrix is copied: Siconos frees what it is given.
  problem->M = NM_create(NM_DENSE, n, n);
  std::copy(data.matrix.begin(), data.matrix.end(), problem->M->matrix0);
  problem->q = static_cast<double*>(std::malloc(n * sizeof(double)));
  std::copy(data.q.begin(), data.q.end(), problem->q);

  const bool isLemke = argument(count, words, "solver") == "lemke";
  SolverOptions* options = solver_options_create(isLemke ? SICONOS_LCP_LEMKE : SICONOS_LCP_PGS);
  options->dparam[SICONOS_DPARAM_TOL] = std::atof(argument(count, words, "tolerance").c_str());
  options->iparam[SICONOS_IPARAM_MAX_ITER] = std::atoi(argument(count, words, "iterations").c_str());
  const double shortest = std::atof(argument(count, words, "seconds").c_str());

  std::vector<double> z(n), w(n);
  int info = 0;
  long solves = 0;
  double taken = 0;
  const auto solve = [&] {
    std::fill(z.begin(), z.end(), 0.0);
    std::fill(w.begin(), w.end(), 0.0);
    info = linearComplementarity_driver(problem, z.data(), w.data(), options);
  };
  const double asked = options->dparam[SICONOS_DPARAM_TOL];
  if (!isLemke) {
    options->dparam[SICONOS_DPARAM_TOL] = LOOSEST * asked;
    solve();
    while (info == 0 && residual(data, z) > asked) {
      options->dparam[SICONOS_DPARAM_TOL] *= TIGHTER;
      solve();
    }
  }
  const auto first = clock::now();
  solve();
  taken = std::chrono::duration<double>(clock::now() - first).count();
  // The first solve warms caches; it counts only where it is long enough alone.
  if (taken >= shortest) {
    solves = 1;
  } else {
    const long batch = std::max(1L, static_cast<long>(shortest / std::max(taken, 1e-8)));
    const auto began = clock::now();
    for (solves = 0; solves < batch; solves++) solve();
    taken = std::chrono::duration<double>(clock::now() - began).count();
  }
  std::printf("{\"nsPerStep\":%.17g,\"failures\":%d,\"state\":[%d,%.17g]}\n", 1e9 * taken / solves, info == 0 ? 0 : 1,
              options->iparam[SICONOS_IPARAM_ITER_DONE], residual(data, z));
  return 0;
}
