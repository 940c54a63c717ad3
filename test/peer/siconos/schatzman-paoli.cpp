// Runs a Lagrangian linear time-invariant system with linear relations under the Schatzman-Paoli scheme, which has no
// Python binding, and prints its states.
//
// Standard input, numbers: n m h steps theta e, then M, K, C (n x n each), F, q0, v0 (n each), H (m x n), b (m).
// Standard output, one line a step: q (n), v (n), the multipliers (m).
#include <SiconosKernel.hpp>

#include <cstdio>
#include <iostream>
#include <memory>
#include <vector>

static double number() {
  double value = 0.0;
  if (!(std::cin >> value)) throw std::invalid_argument("a number is missing");
  return value;
}

static SP::SimpleMatrix matrix(unsigned rows, unsigned columns) {
  auto result = std::make_shared<SimpleMatrix>(rows, columns);
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < columns; ++j) result->setValue(i, j, number());
  }
  return result;
}

static SP::SiconosVector vector(unsigned size) {
  auto result = std::make_shared<SiconosVector>(size);
  for (unsigned i = 0; i < size; ++i) result->setValue(i, number());
  return result;
}

static void print(const SiconosVector& values) {
  for (unsigned i = 0; i < values.size(); ++i) std::printf("%.17g ", values(i));
}

int main() {
  const auto n = static_cast<unsigned>(number());
  const auto m = static_cast<unsigned>(number());
  const double h = number();
  const auto steps = static_cast<long>(number());
  const double theta = number();
  const double restitution = number();
  auto mass = matrix(n, n);
  auto stiffness = matrix(n, n);
  auto damping = matrix(n, n);
  auto force = vector(n);
  auto q0 = vector(n);
  auto v0 = vector(n);
  auto system = std::make_shared<LagrangianLinearTIDS>(q0, v0, mass, stiffness, damping);
  system->setFExtPtr(force);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, 2.0 * h * static_cast<double>(steps));
  model->insertDynamicalSystem(system);
  auto gaps = matrix(m, n);
  auto offsets = vector(m);
  auto law = std::make_shared<NewtonImpactNSL>(m, restitution);
  auto contact = std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(gaps, offsets));
  model->link(contact, system);
  auto simulation =
      std::make_shared<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0.0, h),
                                     std::make_shared<SchatzmanPaoliOSI>(theta), std::make_shared<LCP>());
  for (long step = 0; step < steps; ++step) {
    simulation->computeOneStep();
    print(*system->q());
    print(*system->velocity());
    print(*contact->lambda(0));
    std::printf("\n");
    simulation->nextStep();
  }
  return 0;
}
