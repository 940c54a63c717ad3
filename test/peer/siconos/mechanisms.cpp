// Runs a mechanism event-driven in Siconos and prints its non-smooth events and its states.
//
// Standard input: a model (`mechanisms.hpp`).
// Standard output, one JSON object: "events" [{"time", "impulses" [contact], "q", "v"}], positions and right limits of
// velocities; "t" [row], "q", "v" [row][coordinate], "forces" [row][contact] at the points of the time discretisation;
// "failure", what Siconos said when it stopped before the end, or null.
#include "mechanisms.hpp"

namespace {

struct Result {
  std::string events;
  Row times;
  std::vector<Row> q, v, forces;
};

void run(const Mechanism& mechanism, EventDriven& simulation, long steps, Result& result) {
  const auto manager = simulation.eventsManager();
  while (simulation.hasNextEvent() && static_cast<long>(result.times.size()) < steps) {
    simulation.advanceToEvent();
    const int kind = manager->nextEvent()->getType();
    simulation.processEvents();
    const double time = simulation.startingTime();
    const Row q = entries(*mechanism.body->q()), v = entries(*mechanism.body->velocity());
    if (kind == NS_EVENT) {
      char buffer[48];
      std::snprintf(buffer, sizeof buffer, "%s{\"time\": %.17g", result.events.empty() ? "" : ", ", time);
      result.events += buffer + (", \"impulses\": " + json(multipliers(mechanism, 1))) + ", \"q\": " + json(q) +
                       ", \"v\": " + json(v) + "}";
      continue;
    }
    result.times.push_back(time);
    result.q.push_back(q);
    result.v.push_back(v);
    result.forces.push_back(multipliers(mechanism, 2));
  }
}

}  // namespace

int main() {
  // Messages of the library go to standard output, where only the answer belongs.
  std::FILE* answer = fdopen(dup(1), "w");
  dup2(2, 1);
  std::string name;
  std::cin >> name;
  const double h = number();
  const long steps = static_cast<long>(number());
  const Mechanism mechanism = readMechanism(name);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, h * (static_cast<double>(steps) + 0.5));
  model->insertDynamicalSystem(mechanism.body);
  for (const auto& contact : mechanism.contacts) model->link(contact, mechanism.body);
  // Its parts hold references to it.
  auto simulation = std::make_shared<EventDriven>(model, std::make_shared<TimeDiscretisation>(0.0, h));
  simulation->insertIntegrator(std::make_shared<LsodarOSI>());
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  Result result;
  std::string failure = "null";
  try {
    simulation->initialize();
    run(mechanism, *simulation, steps, result);
  } catch (const Siconos::exception& error) {
    const std::string* message = boost::get_error_info<Siconos::exception::extra_message>(error);
    failure = "\"" + (message == nullptr ? std::string("without a message") : *message) + "\"";
  }
  std::fprintf(answer, "{\"events\": [%s], \"t\": %s, \"q\": %s, \"v\": %s, \"forces\": %s, \"failure\": %s}\n",
               result.events.c_str(), json(result.times).c_str(), json(result.q).c_str(), json(result.v).c_str(),
               json(result.forces).c_str(), failure.c_str());
  std::fclose(answer);
  return 0;
}
