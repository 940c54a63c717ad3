// Event-driven simulations of Siconos: EventDriven with LsodarOSI and problems for impacts and accelerations. Arguments: model
// (ball, column or cam), h (s), steps, repeat (timed simulations), and those of the model. Output is
//
//     {"seconds": …, "rows": …, "times": […], "state": […]}
//
// where `seconds` is the mean wall time from the first to the last event, without making the model; `rows` counts the points of the time discretisation that were reached, `times` are those of the non-smooth events in
// order, and `state` is the final state, positions before velocities.
#include "time-loop.hpp"

#include <cmath>

namespace {

constexpr double pi = 3.14159265358979323846;

// Lift of the cam, m, with its first two derivatives by the angle. It is symmetric about pi (Siconos developer's notes, chapter 11).
struct Lift {
  double value, slope, curvature;
};

Lift lift(double angle) {
  const double k1 = 0.45, rho1 = 0.85, k2 = 0.40393320723821, rho3 = 0.15, base = 0.3;
  const bool mirrored = angle > pi;
  const double beta = mirrored ? 2.0 * pi - angle : angle;
  const double sign = mirrored ? -1.0 : 1.0;
  if (beta < 0.5 * pi) return {0.4 - base, 0.0, 0.0};
  if (beta < 0.5 * pi + 1.050328174371336) {
    const double c = k1 * std::cos(beta), s = k1 * std::sin(beta), root = std::sqrt(rho1 * rho1 - c * c);
    return {root - s - base, sign * (c * s / root - c), s + (c * c - s * s) / root - c * c * s * s / (root * root * root)};
  }
  if (beta < 0.5 * pi + 1.22173047639603) {
    const double x = beta + pi / 9.0, c = k2 * std::cos(x), s = k2 * std::sin(x), root = std::sqrt(rho3 * rho3 - s * s);
    return {root - c - base, sign * (s - c * s / root), c - (c * c - s * s) / root - c * c * s * s / (root * root * root)};
  }
  return {k2 + rho3 - base, 0.0, 0.0};
}

// The follower in coordinates relative to the cam, as the Siconos developer's notes have it: a fixed wall, and the force -(mu c'' + kappa c).
class Follower : public LagrangianLinearTIDS {
 public:
  Follower(const Arguments& given, double q, double v)
      : LagrangianLinearTIDS(vector({q}), vector({v}), matrix({{given.number("mu")}})),
        force_(vector({0.0})),
        mass_(given.number("mu")),
        stiffness_(given.number("kappa")),
        turns_(given.number("rpm") / 60.0) {
    setKPtr(matrix({{stiffness_}}));
    setFExtPtr(force_);
  }

  void computeFExt(double time) override {
    const double turns = turns_ * time + 0.25;
    const Lift cam = lift(2.0 * pi * (turns - std::floor(turns)));
    const double speed = 2.0 * pi * turns_;
    force_->setValue(0, -(mass_ * cam.curvature * speed * speed + stiffness_ * cam.value));
  }

 private:
  SP::SiconosVector force_;
  double mass_, stiffness_, turns_;
};

using Bodies = std::vector<std::shared_ptr<LagrangianLinearTIDS>>;

SP::Interaction contact(const std::vector<double>& row, double offset, double restitution) {
  return std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(restitution),
                                       std::make_shared<LagrangianLinearTIR>(matrix({row}), vector({offset})));
}

// Beads above each other and a floor, every one with the same gap below it.
void addColumn(const Arguments& given, NonSmoothDynamicalSystem& model, Bodies& bodies) {
  const long count = given.integer("N");
  const double mass = given.number("m"), radius = given.number("radius"), spacing = given.number("spacing");
  for (long k = 0; k < count; ++k) {
    auto bead = std::make_shared<LagrangianLinearTIDS>(
        vector({radius + spacing + static_cast<double>(k) * (2.0 * radius + spacing)}), vector({0.0}), matrix({{mass}}));
    bead->setFExtPtr(vector({-mass * given.number("g")}));
    model.insertDynamicalSystem(bead);
    bodies.push_back(bead);
  }
  model.link(contact({1.0}, -radius, given.number("e")), bodies.front());
  for (std::size_t k = 1; k < bodies.size(); ++k)
    model.link(contact({-1.0, 1.0}, -2.0 * radius, given.number("e")), bodies[k - 1], bodies[k]);
}

void addBall(const Arguments& given, NonSmoothDynamicalSystem& model, Bodies& bodies) {
  const double mass = given.number("m");
  auto ball = std::make_shared<LagrangianLinearTIDS>(vector({given.number("height")}), vector({0.0}), matrix({{mass}}));
  ball->setFExtPtr(vector({-mass * given.number("g")}));
  model.insertDynamicalSystem(ball);
  model.link(contact({1.0}, 0.0, given.number("e")), ball);
  bodies.push_back(ball);
}

void addFollower(const Arguments& given, NonSmoothDynamicalSystem& model, Bodies& bodies) {
  auto follower = std::make_shared<Follower>(given, given.number("height0"), given.number("speed0"));
  model.insertDynamicalSystem(follower);
  model.link(contact({1.0}, 0.0, given.number("r")), follower);
  bodies.push_back(follower);
}

}  // namespace

struct Result {
  double seconds = 0.0;
  long rows = 0;
  std::vector<double> times;
  std::vector<double> state;
};

static Result simulate(const Arguments& given) {
  const double h = given.number("h");
  const long steps = given.integer("steps");
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, h * (static_cast<double>(steps) + 0.5));
  Bodies bodies;
  const std::string& name = given.text("model");
  if (name == "ball") addBall(given, *model, bodies);
  else if (name == "column") addColumn(given, *model, bodies);
  else if (name == "cam") addFollower(given, *model, bodies);
  else throw std::invalid_argument("unknown model " + name);

  // Its parts hold references to it.
  auto simulation = std::make_shared<EventDriven>(model, std::make_shared<TimeDiscretisation>(0.0, h));
  auto integrator = std::make_shared<LsodarOSI>();
  simulation->insertIntegrator(integrator);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  simulation->initialize();
  // A force that jumps costs more steps than the 500 of the default.
  integrator->setMaxNstep(1000000);
  const auto manager = simulation->eventsManager();
  Result result;
  const auto began = std::chrono::steady_clock::now();
  while (simulation->hasNextEvent() && result.rows < steps) {
    simulation->advanceToEvent();
    const int kind = manager->nextEvent()->getType();
    simulation->processEvents();
    if (kind == NS_EVENT) result.times.push_back(simulation->startingTime());
    else ++result.rows;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  result.seconds = taken.count();
  for (const auto& body : bodies) result.state.push_back(body->q()->getValue(0));
  for (const auto& body : bodies) result.state.push_back(body->velocity()->getValue(0));
  return result;
}

static void print(const char* name, const std::vector<double>& values) {
  std::printf(", \"%s\": [", name);
  for (std::size_t k = 0; k < values.size(); ++k) std::printf("%s%.17g", k == 0 ? "" : ", ", values[k]);
  std::printf("]");
}

static int run(const Arguments& given) {
  const long repeat = given.integer("repeat");
  // The first one finds nothing in the caches.
  Result result = simulate(given);
  double seconds = 0.0;
  for (long k = 0; k < repeat; ++k) {
    result = simulate(given);
    seconds += result.seconds;
  }
  std::printf("{\"seconds\": %.17g, \"rows\": %ld", seconds / static_cast<double>(repeat), result.rows);
  print("times", result.times);
  print("state", result.state);
  std::printf("}\n");
  return EXIT_SUCCESS;
}

int main(int count, char** words) { return guarded(count, words, run); }
