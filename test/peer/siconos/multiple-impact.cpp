// Runs balls on a line that touch, of which the first meets the others, through one impact by the law of Liu, Zhao and Brogliato, which has no Python
// binding, and prints their velocities after it.
//
// Standard input, numbers: n step eta, then masses (n), e (n - 1), K (n - 1). The first ball has the velocity 1 and touches after 0.5 s.
// Standard output: v (n).
#include <SiconosKernel.hpp>
#include <MultipleImpact.hpp>
#include <MultipleImpactNSL.hpp>

#include <cstdio>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

static double number() {
  double value = 0.0;
  if (!(std::cin >> value)) throw std::invalid_argument("a number is missing");
  return value;
}

static std::vector<double> numbers(unsigned count) {
  std::vector<double> result(count);
  for (double& value : result) value = number();
  return result;
}

int main() {
  const auto n = static_cast<unsigned>(number());
  const double step = number();
  const double exponent = number();
  const auto masses = numbers(n);
  const auto restitution = numbers(n - 1);
  const auto stiffness = numbers(n - 1);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1.0);
  std::vector<SP::LagrangianLinearTIDS> balls;
  for (unsigned k = 0; k < n; ++k) {
    auto q = std::make_shared<SiconosVector>(1);
    auto v = std::make_shared<SiconosVector>(1);
    auto mass = std::make_shared<SimpleMatrix>(1, 1);
    q->setValue(0, k == 0 ? -0.5 : 0.0);
    v->setValue(0, k == 0 ? 1.0 : 0.0);
    mass->setValue(0, 0, masses[k]);
    balls.push_back(std::make_shared<LagrangianLinearTIDS>(q, v, mass));
    model->insertDynamicalSystem(balls.back());
  }
  for (unsigned k = 0; k + 1 < n; ++k) {
    auto rows = std::make_shared<SimpleMatrix>(1, 2);
    rows->setValue(0, 0, -1.0);
    rows->setValue(0, 1, 1.0);
    auto law = std::make_shared<MultipleImpactNSL>(restitution[k], stiffness[k], exponent);
    auto contact = std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(rows));
    model->link(contact, balls[k], balls[k + 1]);
  }
  auto simulation = std::make_shared<EventDriven>(model, std::make_shared<TimeDiscretisation>(0.0, 0.1));
  simulation->insertIntegrator(std::make_shared<LsodarOSI>());
  auto impact = std::make_shared<MultipleImpact>("BiStiffness", step);
  impact->SetNstepMax(100000000);
  simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  simulation->initialize();
  while (simulation->hasNextEvent() && simulation->startingTime() < 0.7) {
    simulation->advanceToEvent();
    simulation->processEvents();
  }
  for (const auto& ball : balls) std::printf("%.17g ", (*ball->velocity())(0));
  std::printf("\n");
  return 0;
}
