// Runs a pendulum or a rocking block event-driven in Siconos and prints its non-smooth events and its states.
//
// C++ and not Python, because the kernel calls the time derivative of a relation's Jacobian without looking for an
// override: it can only be a function that is plugged in.
//
// Standard input: a model, then numbers.
//     stops   h steps  q0 v0 (1 each)  mass length gravity damping  low high  eLow eHigh
//     string  h steps  q0 v0 (2 each)  mass length gravity  e
//     block   h steps  q0 v0 (3 each)  mass halfWidth halfHeight slope gravity  eLeft eRight
// Standard output, one JSON object: "events" [{"time", "impulses" [contact], "q", "v"}], positions and right limits of
// velocities; "t" [row], "q", "v" [row][coordinate], "forces" [row][contact] at the points of the time discretisation;
// "failure", what Siconos said when it stopped before the end, or null.
#include <SiconosKernel.hpp>

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

double number() {
  double value = 0.0;
  if (!(std::cin >> value)) throw std::invalid_argument("a number is missing");
  return value;
}

SP::SiconosVector vector(const std::vector<double>& entries) {
  auto result = std::make_shared<SiconosVector>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) result->setValue(i, entries[i]);
  return result;
}

SP::SiconosVector readVector(unsigned size) {
  std::vector<double> entries(size);
  for (double& entry : entries) entry = number();
  return vector(entries);
}

SP::SimpleMatrix diagonal(const std::vector<double>& entries) {
  auto result = std::make_shared<SimpleMatrix>(entries.size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) result->setValue(i, i, entries[i]);
  return result;
}

// The angle from the vertical: m l^2 q'' + c q' + m g l sin q = p.
class Pendulum : public LagrangianDS {
 public:
  Pendulum(SP::SiconosVector q0, SP::SiconosVector v0, double mass, double length, double gravity, double damping)
      : LagrangianDS(q0, v0), moment_(mass * gravity * length), damping_(damping) {
    setMassPtr(diagonal({mass * length * length}));
    setFIntPtr(vector({0.0}));
    setJacobianFIntqPtr(diagonal({0.0}));
    setJacobianFIntqDotPtr(diagonal({damping}));
  }

  void computeFInt(double time) override { computeFInt(time, q(), velocity()); }
  void computeFInt(double, SP::SiconosVector position, SP::SiconosVector rate) override {
    fInt()->setValue(0, moment_ * std::sin((*position)(0)) + damping_ * (*rate)(0));
  }
  void computeJacobianFIntq(double time) override { computeJacobianFIntq(time, q(), velocity()); }
  void computeJacobianFIntq(double, SP::SiconosVector position, SP::SiconosVector) override {
    jacobianFIntq()->setValue(0, 0, moment_ * std::cos((*position)(0)));
  }
  void computeJacobianFIntqDot(double) override {}
  void computeJacobianFIntqDot(double, SP::SiconosVector, SP::SiconosVector) override {}

 private:
  double moment_, damping_;
};

// A relation y = h(q) of one row. `rate` writes the time derivative of its Jacobian, from q and its velocity.
using Rate = void (*)(unsigned, double* q, unsigned, double* v, double* out, unsigned, double*);

class Gap : public LagrangianScleronomousR {
 protected:
  Gap(unsigned columns, Rate rate) {
    setJachqPtr(std::make_shared<SimpleMatrix>(1, columns));
    _dotjachq = std::make_shared<SimpleMatrix>(1, columns);
    _plugindotjacqh->fPtr = reinterpret_cast<void*>(rate);
  }
  void setJacobian(const std::vector<double>& row) {
    for (std::size_t j = 0; j < row.size(); ++j) jachq()->setValue(0, j, row[j]);
  }
};

// A string from the origin to a particle in the plane: y = l - |q|.
class String : public Gap {
 public:
  explicit String(double length) : Gap(2, &rate), length_(length) {}
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    y.setValue(0, length_ - std::hypot(q(0), q(1)));
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const double r = std::hypot(q(0), q(1));
    setJacobian({-q(0) / r, -q(1) / r});
  }
  static void rate(unsigned, double* q, unsigned, double* v, double* out, unsigned, double*) {
    const double r = std::hypot(q[0], q[1]), along = (q[0] * v[0] + q[1] * v[1]) / (r * r);
    for (int i = 0; i < 2; ++i) out[i] = -(v[i] - along * q[i]) / r;
  }

 private:
  double length_;
};

// Half width and half height of the block, and the angle of the plane it stands on; plug-ins have no object.
double halfWidth, halfHeight, slope;

// Distance of a lower corner from the plane, by position and angle of the block; side -1 is left, 1 right.
template <int side>
class Corner : public Gap {
 public:
  Corner() : Gap(3, &rate) {}
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const double angle = q(2) - slope;
    y.setValue(0, std::cos(slope) * q(1) - std::sin(slope) * q(0) + side * halfWidth * std::sin(angle) -
                      halfHeight * std::cos(angle));
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const double angle = q(2) - slope;
    setJacobian({-std::sin(slope), std::cos(slope), side * halfWidth * std::cos(angle) + halfHeight * std::sin(angle)});
  }
  static void rate(unsigned, double* q, unsigned, double* v, double* out, unsigned, double*) {
    const double angle = q[2] - slope;
    out[0] = out[1] = 0.0;
    out[2] = (halfHeight * std::cos(angle) - side * halfWidth * std::sin(angle)) * v[2];
  }
};

struct Mechanism {
  std::shared_ptr<LagrangianDS> body;
  std::vector<SP::Interaction> contacts;

  void contact(SP::Relation relation, double restitution) {
    contacts.push_back(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(restitution), relation));
  }
};

Mechanism readStops() {
  const auto q0 = readVector(1), v0 = readVector(1);
  const double mass = number(), length = number(), gravity = number(), damping = number();
  Mechanism made{std::make_shared<Pendulum>(q0, v0, mass, length, gravity, damping), {}};
  const double low = number(), high = number();
  made.contact(std::make_shared<LagrangianLinearTIR>(diagonal({1.0}), vector({-low})), number());
  made.contact(std::make_shared<LagrangianLinearTIR>(diagonal({-1.0}), vector({high})), number());
  return made;
}

Mechanism readString() {
  const auto q0 = readVector(2), v0 = readVector(2);
  const double mass = number(), length = number(), gravity = number();
  Mechanism made{std::make_shared<LagrangianLinearTIDS>(q0, v0, diagonal({mass, mass})), {}};
  made.body->setFExtPtr(vector({0.0, -mass * gravity}));
  made.contact(std::make_shared<String>(length), number());
  return made;
}

Mechanism readBlock() {
  const auto q0 = readVector(3), v0 = readVector(3);
  const double mass = number();
  halfWidth = number();
  halfHeight = number();
  slope = number();
  const double gravity = number(), inertia = mass * (halfWidth * halfWidth + halfHeight * halfHeight) / 3.0;
  Mechanism made{std::make_shared<LagrangianLinearTIDS>(q0, v0, diagonal({mass, mass, inertia})), {}};
  made.body->setFExtPtr(vector({0.0, -mass * gravity, 0.0}));
  made.contact(std::make_shared<Corner<-1>>(), number());
  made.contact(std::make_shared<Corner<1>>(), number());
  return made;
}

Mechanism readMechanism(const std::string& name) {
  if (name == "stops") return readStops();
  if (name == "string") return readString();
  if (name == "block") return readBlock();
  throw std::invalid_argument("unknown model " + name);
}

using Row = std::vector<double>;

std::string json(const Row& row) {
  std::string text = "[";
  char buffer[32];
  for (const double value : row) {
    std::snprintf(buffer, sizeof buffer, "%s%.17g", text.size() > 1 ? ", " : "", value);
    text += buffer;
  }
  return text + "]";
}

std::string json(const std::vector<Row>& rows) {
  std::string text = "[";
  for (const Row& row : rows) text += (text.size() > 1 ? ", " : "") + json(row);
  return text + "]";
}

Row entries(const SiconosVector& values) {
  Row row;
  for (unsigned i = 0; i < values.size(); ++i) row.push_back(values(i));
  return row;
}

// Multipliers of all contacts: level 1 are impulses, level 2 forces.
Row multipliers(const Mechanism& mechanism, unsigned level) {
  Row row;
  for (const auto& contact : mechanism.contacts) row.push_back((*contact->lambda(level))(0));
  return row;
}

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
