// Time and accuracy of one of Siconos' own solvers on one friction-contact problem in block-sparse storage.
//
// Arguments name=value: file (int32 dimension, contacts, blocks, row starts, block columns; doubles: blocks by rows, q, mu), solver
// (a key of `SOLVERS` below), tolerance (of the natural map, relative to the largest of |q|, |r|, |u|), iterations (limit), seconds
// (shortest time to measure). Prints one line: nanoseconds per solve, failures (1 where the answer misses the tolerance), and as
// state the iterations and the residual.
//
// Siconos stops by a residual relative to |q| alone, or by the change of a sweep. It is therefore given the loosest tolerance of its
// own with which its answer meets the one asked for, found before the time is taken: it makes no iteration more than that accuracy
// needs. A solver that never meets it is measured once.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

namespace {

// Factor by which Siconos' own tolerance begins above the one asked for, by which it falls, and where that ends.
const double LOOSEST = 100;
const double TIGHTER = 0.7;
const double TIGHTEST = 1e-4;

struct Solver {
  const char* name;
  int space;
  int plane;
};

const Solver SOLVERS[] = {
    {"nsgs", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_2D_NSGS},
    {"nsgs-light", SICONOS_FRICTION_3D_NSGS, 0},
    {"nsn-ac", SICONOS_FRICTION_3D_NSN_AC, 0},
    {"admm", SICONOS_FRICTION_3D_ADMM, 0},
    {"prox", SICONOS_FRICTION_3D_PROX, 0},
    {"tfp", SICONOS_FRICTION_3D_TFP, 0},
    {"cpg", 0, SICONOS_FRICTION_2D_CPG},
};

std::string argument(int count, char** words, const char* name) {
  const std::size_t length = std::strlen(name);
  for (int i = 1; i < count; i++) {
    if (std::strncmp(words[i], name, length) == 0 && words[i][length] == '=') return words[i] + length + 1;
  }
  std::fprintf(stderr, "argument %s is missing\n", name);
  std::exit(2);
}

struct Data {
  int dimension = 0;
  int contacts = 0;
  int blocks = 0;
  std::vector<std::int32_t> starts, columns;
  std::vector<double> values, q, mu;
};

template <typename T>
bool readAll(std::FILE* file, std::vector<T>& to, std::size_t size) {
  to.resize(size);
  return std::fread(to.data(), sizeof(T), size, file) == size;
}

Data read(const std::string& path) {
  Data data;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  std::vector<std::int32_t> head;
  bool ok = file != nullptr && readAll(file, head, 3);
  if (ok) {
    data.dimension = head[0];
    data.contacts = head[1];
    data.blocks = head[2];
    const std::size_t d = data.dimension, n = data.contacts;
    ok = readAll(file, data.starts, n + 1) && readAll(file, data.columns, data.blocks) &&
         readAll(file, data.values, data.blocks * d * d) && readAll(file, data.q, d * n) && readAll(file, data.mu, n);
  }
  if (file != nullptr) std::fclose(file);
  if (!ok) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    std::exit(2);
  }
  return data;
}

// The matrix in Siconos' block storage, whose blocks are stored by columns.
NumericsMatrix* blockMatrix(const Data& data) {
  const int n = data.contacts, d = data.dimension;
  SparseBlockStructuredMatrix* m = SBM_new();
  m->nbblocks = data.blocks;
  m->blocknumber0 = m->blocknumber1 = n;
  m->blocksize0 = static_cast<unsigned*>(std::malloc(n * sizeof(unsigned)));
  m->blocksize1 = static_cast<unsigned*>(std::malloc(n * sizeof(unsigned)));
  for (int i = 0; i < n; i++) m->blocksize0[i] = m->blocksize1[i] = d * (i + 1);
  m->filled1 = n + 1;
  m->filled2 = data.blocks;
  m->index1_data = static_cast<std::size_t*>(std::malloc((n + 1) * sizeof(std::size_t)));
  m->index2_data = static_cast<std::size_t*>(std::malloc(data.blocks * sizeof(std::size_t)));
  for (int i = 0; i <= n; i++) m->index1_data[i] = data.starts[i];
  m->block = static_cast<double**>(std::malloc(data.blocks * sizeof(double*)));
  for (int k = 0; k < data.blocks; k++) {
    m->index2_data[k] = data.columns[k];
    m->block[k] = static_cast<double*>(std::malloc(d * d * sizeof(double)));
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) m->block[k][i + d * j] = data.values[d * d * k + d * i + j];
    }
  }
  return NM_new_SBM(d * n, d * n, m);
}

// |r - P_K(r - (u + mu |u_T| e_N))| / max(|q|, |r|, |u|) with u multiplied out here.
double residual(const Data& data, const std::vector<double>& r) {
  const int d = data.dimension;
  double defect = 0, ofQ = 0, ofR = 0, ofU = 0;
  for (int c = 0; c < data.contacts; c++) {
    double u[3] = {0, 0, 0};
    for (int i = 0; i < d; i++) u[i] = data.q[d * c + i];
    for (int k = data.starts[c]; k < data.starts[c + 1]; k++) {
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) u[i] += data.values[d * d * k + d * i + j] * r[d * data.columns[k] + j];
      }
    }
    const double mu = data.mu[c], slip = std::hypot(u[1], u[2]);
    double x[3] = {r[d * c] - u[0] - mu * slip, r[d * c + 1] - u[1], d == 3 ? r[d * c + 2] - u[2] : 0};
    const double tangent = std::hypot(x[1], x[2]);
    if (mu * tangent <= -x[0]) {
      x[0] = x[1] = x[2] = 0;
    } else if (tangent > mu * x[0]) {
      const double normal = (x[0] + mu * tangent) / (1 + mu * mu);
      x[0] = normal;
      x[1] *= mu * normal / tangent;
      x[2] *= mu * normal / tangent;
    }
    for (int i = 0; i < d; i++) {
      const double ri = r[d * c + i];
      defect += (ri - x[i]) * (ri - x[i]);
      ofQ += data.q[d * c + i] * data.q[d * c + i];
      ofR += ri * ri;
      ofU += u[i] * u[i];
    }
  }
  const double scale = std::sqrt(std::max(ofQ, std::max(ofR, ofU)));
  return scale > 0 ? std::sqrt(defect) / scale : std::sqrt(defect);
}

}  // namespace

int main(int count, char** words) {
  using clock = std::chrono::steady_clock;
  Data data = read(argument(count, words, "file"));
  const std::string name = argument(count, words, "solver");
  int id = 0;
  for (const Solver& solver : SOLVERS) {
    if (name == solver.name) id = data.dimension == 3 ? solver.space : solver.plane;
  }
  if (id == 0) {
    std::fprintf(stderr, "no solver %s in dimension %d\n", name.c_str(), data.dimension);
    return 2;
  }
  NumericsMatrix* matrix = blockMatrix(data);
  FrictionContactProblem* problem =
      frictionContactProblem_new_with_data(data.dimension, data.contacts, matrix, data.q.data(), data.mu.data());

  const double asked = std::atof(argument(count, words, "tolerance").c_str());
  const double shortest = std::atof(argument(count, words, "seconds").c_str());
  SolverOptions* options = solver_options_create(id);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = std::atoi(argument(count, words, "iterations").c_str());
  if (data.dimension == 3 && id == SICONOS_FRICTION_3D_NSGS) {
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
        name == "nsgs" ? SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL : SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT;
  }

  const int size = data.dimension * data.contacts;
  std::vector<double> r(size), u(size);
  double tolerance = LOOSEST * asked;
  const auto solve = [&] {
    std::fill(r.begin(), r.end(), 0.0);
    std::fill(u.begin(), u.end(), 0.0);
    // Solvers change their own tolerances while they run.
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    if (data.dimension == 3) {
      fc3d_driver(problem, r.data(), u.data(), options);
    } else {
      fc2d_driver(problem, r.data(), u.data(), options);
    }
  };
  const auto isReached = [&] { return residual(data, r) <= asked; };
  const auto timed = [&] {
    const auto began = clock::now();
    solve();
    return std::chrono::duration<double>(clock::now() - began).count();
  };

  double taken = timed();
  while (!isReached() && tolerance > TIGHTEST * asked && options->iparam[SICONOS_IPARAM_ITER_DONE] < options->iparam[SICONOS_IPARAM_MAX_ITER]) {
    tolerance *= TIGHTER;
    taken = timed();
  }
  const bool ok = isReached();
  const double reached = residual(data, r);
  const int iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  long solves = 1;
  if (ok && taken < shortest) {
    solves = std::max(1L, static_cast<long>(shortest / std::max(taken, 1e-8)));
    const auto began = clock::now();
    for (long k = 0; k < solves; k++) solve();
    taken = std::chrono::duration<double>(clock::now() - began).count();
  }
  std::printf("\n{\"nsPerStep\":%.17g,\"failures\":%d,\"state\":[%d,%.17g]}\n", 1e9 * taken / solves, ok ? 0 : 1, iterations,
              std::isfinite(reached) ? reached : 1e300);
  return 0;
}
