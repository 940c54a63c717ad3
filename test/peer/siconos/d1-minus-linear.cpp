// Runs a mechanism by D1MinusLinearOSI in Siconos and prints its states after the impacts of each step.
//
// Standard input: "acceleration" or "velocity", the level of contact forces, and a model (`mechanisms.hpp`).
// Standard output, one JSON object: "q", "v" [step][coordinate].
#include "mechanisms.hpp"

int main() {
  std::FILE* answer = fdopen(dup(1), "w");
  dup2(2, 1);
  std::string level, name;
  std::cin >> level >> name;
  const double h = number();
  const long steps = static_cast<long>(number());
  const Mechanism mechanism = readMechanism(name);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, h * (static_cast<double>(steps) + 0.5));
  model->insertDynamicalSystem(mechanism.body);
  for (const auto& contact : mechanism.contacts) model->link(contact, mechanism.body);
  auto simulation = std::make_shared<TimeSteppingD1Minus>(model, std::make_shared<TimeDiscretisation>(0.0, h), 2);
  simulation->insertIntegrator(std::make_shared<D1MinusLinearOSI>(
      level == "velocity" ? D1MinusLinearOSI::halfexplicit_velocity_level
                          : D1MinusLinearOSI::halfexplicit_acceleration_level));
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_TS_VELOCITY);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_TS_VELOCITY + 1);
  std::vector<Row> q, v;
  for (long step = 0; step < steps; ++step) {
    simulation->advanceToEvent();
    q.push_back(entries(*mechanism.body->q()));
    v.push_back(entries(*mechanism.body->velocity()));
    simulation->processEvents();
  }
  std::fprintf(answer, "{\"q\": %s, \"v\": %s}\n", json(q).c_str(), json(v).c_str());
  std::fclose(answer);
  return 0;
}
