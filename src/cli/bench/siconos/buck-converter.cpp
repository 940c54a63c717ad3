// A buck converter under sliding-mode control: a switch that conducts one way connects the source voltage E to the
// inductor, a free-wheeling diode carries its current while the switch is open. State x = (i, v), load R:
//
//     L i' = -v + E lambda_1 + lambda_2,   C v' = i - v/R,
//     y_1 = (v - v_ref) + k (i - v_ref/R),   -y_1 in N_[0,1](lambda_1)   (the switch: closed while y_1 < 0),
//     y_2 = i,                               0 <= y_2  ⊥  lambda_2 >= 0  (no current flows backwards).
//
// `solver` is lemke, avi (Cao-Ferris) or pgs.
#include "time-loop.hpp"

static int solverOf(const std::string& name) {
  if (name == "lemke") return SICONOS_RELAY_LEMKE;
  if (name == "avi") return SICONOS_RELAY_AVI_CAOFERRIS;
  if (name == "pgs") return SICONOS_RELAY_PGS;
  throw std::invalid_argument("unknown solver " + name);
}

static int run(const Arguments& given) {
  const double inductance = given.number("L");
  const double capacitance = given.number("C");
  const double load = given.number("R");
  const double reference = given.number("vref");
  const double gain = given.number("k");
  auto converter = std::make_shared<FirstOrderLinearTIDS>(
      vector({0.0, 0.0}),
      matrix({{0.0, -1.0 / inductance}, {1.0 / capacitance, -1.0 / (load * capacitance)}}));
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, endTime(given));
  model->insertDynamicalSystem(converter);

  auto control = std::make_shared<FirstOrderLinearTIR>(matrix({{gain, 1.0}}),
                                                       matrix({{given.number("E") / inductance}, {0.0}}));
  control->setePtr(vector({-reference - gain * reference / load}));
  auto transistor = std::make_shared<Interaction>(std::make_shared<RelayNSL>(1, 0.0, 1.0), control);
  model->link(transistor, converter);
  auto diode = std::make_shared<Interaction>(
      std::make_shared<ComplementarityConditionNSL>(1),
      std::make_shared<FirstOrderLinearTIR>(matrix({{1.0, 0.0}}), matrix({{1.0 / inductance}, {0.0}})));
  model->link(diode, converter);

  auto relay = std::make_shared<Relay>(solverOf(given.text("solver")));
  relay->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  auto simulation = std::make_shared<TimeStepping>(
      model, std::make_shared<TimeDiscretisation>(0.0, given.number("h")),
      std::make_shared<EulerMoreauOSI>(given.number("theta")), relay);
  return timeLoop(given, *simulation, [&] {
    return std::vector<double>{converter->x()->getValue(0), converter->x()->getValue(1),
                               transistor->lambda(0)->getValue(0), diode->lambda(0)->getValue(0)};
  });
}

int main(int count, char** words) { return guarded(count, words, run); }
