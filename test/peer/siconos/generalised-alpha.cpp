// Runs a pendulum, q'' + c q' + sin q = 0, that may strike a wall at q = -wall, from event to event with generalised-alpha,
// which has no Python binding, and prints its states. It ends with the first impact: this integrator finds it, but the
// velocity stays what it was, and the same event comes again and again.
//
// Standard input, numbers: h steps rho damping q0 v0 wall e. A wall that is not positive is none.
// Standard output, one line each: 0 at a point of the time discretisation or 1 at an impact, then t, q, v, q''.
#include <unistd.h>

#include <SiconosKernel.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace {

double number() {
  double value = 0.0;
  if (!(std::cin >> value)) throw std::invalid_argument("a number is missing");
  return value;
}

SP::SiconosVector scalar(double value) {
  auto result = std::make_shared<SiconosVector>(1);
  result->setValue(0, value);
  return result;
}

SP::SimpleMatrix entry(double value) {
  auto result = std::make_shared<SimpleMatrix>(1, 1);
  result->setValue(0, 0, value);
  return result;
}

class Swing : public LagrangianDS {
 public:
  Swing(double q0, double v0, double damping) : LagrangianDS(scalar(q0), scalar(v0)), damping_(damping) {
    setMassPtr(entry(1.0));
    setFIntPtr(scalar(0.0));
    setJacobianFIntqPtr(entry(0.0));
    setJacobianFIntqDotPtr(entry(damping));
  }
  void computeFInt(double time) override { computeFInt(time, q(), velocity()); }
  void computeFInt(double, SP::SiconosVector position, SP::SiconosVector rate) override {
    fInt()->setValue(0, std::sin((*position)(0)) + damping_ * (*rate)(0));
  }
  void computeJacobianFIntq(double time) override { computeJacobianFIntq(time, q(), velocity()); }
  void computeJacobianFIntq(double, SP::SiconosVector position, SP::SiconosVector) override {
    jacobianFIntq()->setValue(0, 0, std::cos((*position)(0)));
  }
  void computeJacobianFIntqDot(double) override {}
  void computeJacobianFIntqDot(double, SP::SiconosVector, SP::SiconosVector) override {}

 private:
  double damping_;
};

}  // namespace

int main() {
  // Messages of the library go to standard output, where only the answer belongs.
  std::FILE* answer = fdopen(dup(1), "w");
  dup2(2, 1);
  const double h = number();
  const long steps = static_cast<long>(number());
  const double rho = number(), damping = number(), q0 = number(), v0 = number(), wall = number(), restitution = number();
  auto swing = std::make_shared<Swing>(q0, v0, damping);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, h * (static_cast<double>(steps) + 0.5));
  model->insertDynamicalSystem(swing);
  if (wall > 0.0) {
    auto gap = std::make_shared<LagrangianLinearTIR>(entry(1.0), scalar(wall));
    model->link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(restitution), gap), swing);
  }
  // Its parts hold references to it.
  auto simulation = std::make_shared<EventDriven>(model, std::make_shared<TimeDiscretisation>(0.0, h));
  simulation->insertIntegrator(std::make_shared<NewMarkAlphaOSI>(rho, false));
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_POS);
  simulation->setNewtonTolerance(1e-14);
  try {
    simulation->initialize();
    const auto manager = simulation->eventsManager();
    bool isImpact = false;
    for (long points = 0; simulation->hasNextEvent() && points < steps && !isImpact;) {
      simulation->advanceToEvent();
      isImpact = manager->nextEvent()->getType() == NS_EVENT;
      simulation->processEvents();
      if (!isImpact) ++points;
      std::fprintf(answer, "%d %.17g %.17g %.17g %.17g\n", isImpact ? 1 : 0, simulation->startingTime(), (*swing->q())(0),
                   (*swing->velocity())(0), (*swing->acceleration())(0));
    }
  } catch (const Siconos::exception& error) {
    const std::string* message = boost::get_error_info<Siconos::exception::extra_message>(error);
    std::fprintf(stderr, "%s\n", message == nullptr ? "without a message" : message->c_str());
    std::fclose(answer);
    return 1;
  }
  std::fclose(answer);
  return 0;
}
