// A ball on a floor, one degree of freedom: m q'' = -m g + p, 0 <= q, Newton's impact law.
#include "time-loop.hpp"

static int run(const Arguments& given) {
  const double mass = given.number("m");
  const double height = given.number("height");
  auto ball = std::make_shared<LagrangianLinearTIDS>(vector({height}), vector({0.0}), matrix({{mass}}));
  ball->setFExtPtr(vector({-mass * given.number("g")}));
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, endTime(given));
  model->insertDynamicalSystem(ball);
  auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(given.number("e")),
                                             std::make_shared<LagrangianLinearTIR>(matrix({{1.0}})));
  model->link(floor, ball);

  auto simulation = std::make_shared<TimeStepping>(
      model, std::make_shared<TimeDiscretisation>(0.0, given.number("h")),
      std::make_shared<MoreauJeanOSI>(given.number("theta")), std::make_shared<LCP>(SICONOS_LCP_LEMKE));
  return timeLoop(given, *simulation, [&] {
    return std::vector<double>{ball->q()->getValue(0), ball->velocity()->getValue(0)};
  });
}

int main(int count, char** words) { return guarded(count, words, run); }
