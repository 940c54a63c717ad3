// Runs a free 3D body by D1MinusLinearOSI in Siconos, forces from velocities, and prints its states after every step.
//
// Standard input: the step, the number of steps, mass, moments of inertia (3), position and quaternion (7), velocity
// and angular velocity about its own axes (6), gravity along -z.
// Standard output, one JSON object: "q", "v" [step][number].
#include "mechanisms.hpp"

int main() {
  std::FILE* answer = fdopen(dup(1), "w");
  dup2(2, 1);
  const double h = number();
  const long steps = static_cast<long>(number());
  const double mass = number();
  std::vector<double> moments(3);
  for (double& moment : moments) moment = number();
  auto position = readVector(7);
  auto twist = readVector(6);
  auto body = std::make_shared<NewtonEulerDS>(position, twist, mass, diagonal(moments));
  body->setFExtPtr(vector({0.0, 0.0, -mass * number()}));
  // The first step begins with the rate of the positions that is in memory.
  body->computeT();
  for (unsigned i = 0; i < 7; ++i) {
    double rate = 0.0;
    for (unsigned j = 0; j < 6; ++j) rate += body->T()->getValue(i, j) * twist->getValue(j);
    body->dotq()->setValue(i, rate);
  }
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, h * (static_cast<double>(steps) + 0.5));
  model->insertDynamicalSystem(body);
  auto simulation = std::make_shared<TimeSteppingD1Minus>(model, std::make_shared<TimeDiscretisation>(0.0, h), 2);
  simulation->insertIntegrator(std::make_shared<D1MinusLinearOSI>(D1MinusLinearOSI::halfexplicit_velocity_level));
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_TS_VELOCITY);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_TS_VELOCITY + 1);
  std::vector<Row> q, v;
  for (long step = 0; step < steps; ++step) {
    simulation->advanceToEvent();
    q.push_back(entries(*body->q()));
    v.push_back(entries(*body->twist()));
    simulation->processEvents();
  }
  std::fprintf(answer, "{\"q\": %s, \"v\": %s}\n", json(q).c_str(), json(v).c_str());
  std::fclose(answer);
  return 0;
}
