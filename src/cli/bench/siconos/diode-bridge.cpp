// A resonant circuit that feeds a resistor R through a bridge of four ideal diodes. State x = (v, i): voltage v1 - v2 of
// the capacitor between the nodes 1 and 2, current of the inductor from 1 to 2. F1, F2 lead from the nodes to the plus
// rail, R1, R2 from the minus rail to the nodes. With
//
//     lambda = (-u_R1, -u_F1, i_R2, i_F2),   y = (i_R1, i_F1, -u_R2, -u_F2)
//
// the rails are at v1 - lambda_1 and v1 + lambda_2, so R carries (lambda_1 + lambda_2)/R, which is what both rails
// collect: y_1 = (lambda_1 + lambda_2)/R - lambda_3, y_2 = (lambda_1 + lambda_2)/R - lambda_4. The voltages are
// y_3 = -v + lambda_1, y_4 = v + lambda_2, and C v' = -i - lambda_3 + lambda_4, L i' = v.
#include "time-loop.hpp"

static int run(const Arguments& given) {
  const double inductance = given.number("L");
  const double capacitance = given.number("C");
  const double conductance = 1.0 / given.number("R");
  auto circuit = std::make_shared<FirstOrderLinearTIDS>(vector({given.number("v0"), 0.0}),
                                                        matrix({{0.0, -1.0 / capacitance}, {1.0 / inductance, 0.0}}));
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, endTime(given));
  model->insertDynamicalSystem(circuit);

  auto relation = std::make_shared<FirstOrderLinearTIR>(
      matrix({{0.0, 0.0}, {0.0, 0.0}, {-1.0, 0.0}, {1.0, 0.0}}),
      matrix({{0.0, 0.0, -1.0 / capacitance, 1.0 / capacitance}, {0.0, 0.0, 0.0, 0.0}}));
  relation->setDPtr(matrix({{conductance, conductance, -1.0, 0.0},
                            {conductance, conductance, 0.0, -1.0},
                            {1.0, 0.0, 0.0, 0.0},
                            {0.0, 1.0, 0.0, 0.0}}));
  auto bridge = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(4), relation);
  model->link(bridge, circuit);

  auto simulation = std::make_shared<TimeStepping>(
      model, std::make_shared<TimeDiscretisation>(0.0, given.number("h")),
      std::make_shared<EulerMoreauOSI>(given.number("theta")), std::make_shared<LCP>(SICONOS_LCP_LEMKE));
  return timeLoop(given, *simulation, [&] {
    std::vector<double> values{circuit->x()->getValue(0), circuit->x()->getValue(1)};
    for (unsigned i = 0; i < 4; ++i) values.push_back(bridge->lambda(0)->getValue(i));
    return values;
  });
}

int main(int count, char** words) { return guarded(count, words, run); }
