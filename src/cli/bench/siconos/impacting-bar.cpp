// An elastic bar that flies against a rigid wall with its left end, free at both ends: linear finite elements, lumped
// mass (each node carries its own, so that an impact has a well-posed velocity jump at the node that hits),
//
//     M q'' + K q = p e_1,  0 <= q_1 + gap  ⊥  p >= 0.
//
// `storage` is dense or sparse.
#include "time-loop.hpp"

static int run(const Arguments& given) {
  const long nodes = given.integer("N");
  const double element = given.number("length") / static_cast<double>(nodes - 1);
  const double stiffness = given.number("E") * given.number("A") / element;
  const double mass = given.number("rho") * given.number("A") * element;
  const bool sparse = given.text("storage") == "sparse";
  if (!sparse && given.text("storage") != "dense") throw std::invalid_argument("unknown storage");

  const auto storage = sparse ? Siconos::SPARSE : Siconos::DENSE;
  const auto entries = static_cast<unsigned>(3 * nodes);
  auto massMatrix = std::make_shared<SimpleMatrix>(nodes, nodes, storage, entries);
  auto stiffnessMatrix = std::make_shared<SimpleMatrix>(nodes, nodes, storage, entries);
  for (long i = 0; i < nodes; ++i) {
    const bool end = i == 0 || i == nodes - 1;
    massMatrix->setValue(i, i, end ? 0.5 * mass : mass);
    if (i > 0) stiffnessMatrix->setValue(i, i - 1, -stiffness);
    stiffnessMatrix->setValue(i, i, end ? stiffness : 2.0 * stiffness);
    if (i < nodes - 1) stiffnessMatrix->setValue(i, i + 1, -stiffness);
  }
  auto bar = std::make_shared<LagrangianLinearTIDS>(vector(std::vector<double>(nodes, 0.0)),
                                                    vector(std::vector<double>(nodes, given.number("v0"))), massMatrix);
  bar->setKPtr(stiffnessMatrix);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, endTime(given));
  model->insertDynamicalSystem(bar);

  auto normal = std::make_shared<SimpleMatrix>(1, nodes);
  normal->zero();
  normal->setValue(0, 0, 1.0);
  auto wall = std::make_shared<Interaction>(
      std::make_shared<NewtonImpactNSL>(given.number("e")),
      std::make_shared<LagrangianLinearTIR>(normal, vector({given.number("gap")})));
  model->link(wall, bar);

  auto simulation = std::make_shared<TimeStepping>(
      model, std::make_shared<TimeDiscretisation>(0.0, given.number("h")),
      std::make_shared<MoreauJeanOSI>(given.number("theta")), std::make_shared<LCP>(SICONOS_LCP_LEMKE));
  return timeLoop(given, *simulation, [&] {
    return std::vector<double>{bar->q()->getValue(0), bar->q()->getValue(nodes - 1), bar->velocity()->getValue(0),
                               bar->velocity()->getValue(nodes - 1), wall->lambda(1)->getValue(0)};
  });
}

int main(int count, char** words) { return guarded(count, words, run); }
