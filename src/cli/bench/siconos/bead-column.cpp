// N beads of one degree of freedom on each other and the floor, every contact closed: the one-step problem at its full
// size. `solver` is lemke or pgs on a dense matrix, or nsgs on sparse blocks.
//
// Projected Gauss-Seidel starts from the last solution, which in a column at rest is the solution already. To reach it
// once from zero it would need of the order of N^2 sweeps, so it is given the weights that the contacts will carry.
#include "time-loop.hpp"

// Where an iterative solver stops; ours is exact up to rounding.
static const double TOLERANCE = 1e-10;
static const int MOST_ITERATIONS = 1000000;

static void useIterative(LCP& lcp, int solver) {
  lcp.setSolverId(solver);
  lcp.numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = TOLERANCE;
  lcp.numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = MOST_ITERATIONS;
}

static int run(const Arguments& given) {
  const long beads = given.integer("N");
  const double mass = given.number("m");
  const double radius = given.number("radius");
  const double spacing = given.number("spacing");
  const double restitution = given.number("e");
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, endTime(given));
  std::vector<SP::LagrangianLinearTIDS> bodies;
  std::vector<SP::Interaction> contacts;
  for (long i = 0; i < beads; ++i) {
    const double place = radius + static_cast<double>(i) * 2.0 * radius + static_cast<double>(i + 1) * spacing;
    auto body = std::make_shared<LagrangianLinearTIDS>(vector({place}), vector({0.0}), matrix({{mass}}));
    body->setFExtPtr(vector({-mass * given.number("g")}));
    model->insertDynamicalSystem(body);
    bodies.push_back(body);
  }
  auto law = std::make_shared<NewtonImpactNSL>(restitution);
  for (long i = 0; i < beads; ++i) {
    auto relation = i == 0 ? std::make_shared<LagrangianLinearTIR>(matrix({{1.0}}), vector({-radius}))
                           : std::make_shared<LagrangianLinearTIR>(matrix({{-1.0, 1.0}}), vector({-2.0 * radius}));
    auto contact = std::make_shared<Interaction>(law, relation);
    if (i == 0) {
      model->link(contact, bodies[0]);
    } else {
      model->link(contact, bodies[i - 1], bodies[i]);
    }
    contacts.push_back(contact);
  }

  const std::string& solver = given.text("solver");
  auto lcp = std::make_shared<LCP>(SICONOS_LCP_LEMKE);
  if (solver == "nsgs") {
    lcp->setMStorageType(NM_SPARSE_BLOCK);
    useIterative(*lcp, SICONOS_LCP_NSGS_SBM);
  } else if (solver == "pgs") {
    useIterative(*lcp, SICONOS_LCP_PGS);
  } else if (solver != "lemke") {
    throw std::invalid_argument("unknown solver " + solver);
  }
  auto simulation = std::make_shared<TimeStepping>(
      model, std::make_shared<TimeDiscretisation>(0.0, given.number("h")),
      std::make_shared<MoreauJeanOSI>(given.number("theta")), lcp);
  simulation->initialize();
  for (long i = 0; i < beads; ++i) {
    const double carried = static_cast<double>(beads - i) * mass * given.number("g") * given.number("h");
    contacts[i]->setLambdaOld(1, *vector({carried}));
  }
  const auto state = [&] {
    return std::vector<double>{bodies.front()->q()->getValue(0), bodies.back()->q()->getValue(0),
                               contacts.front()->lambda(1)->getValue(0), contacts.back()->lambda(1)->getValue(0)};
  };
  return timeLoop(given, *simulation, state);
}

int main(int count, char** words) { return guarded(count, words, run); }
