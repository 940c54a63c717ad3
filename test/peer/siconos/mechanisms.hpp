// Mechanisms for comparisons, and what their programs read and print.
//
// C++ and not Python, because the kernel calls the time derivative of a relation's Jacobian without looking for an
// override: it can only be a function that is plugged in.
//
// A model is its name, the step, the number of steps, and numbers:
//     stops         q0 v0 (1 each)  mass length gravity damping  low high  eLow eHigh
//     string        q0 v0 (2 each)  mass length gravity  e
//     block         q0 v0 (3 each)  mass halfWidth halfHeight slope gravity  eLeft eRight
//     ball          q0 v0 (1 each)  mass gravity  e
//     bar           count  q0 v0 (count each)  mass stiffness gravity  e
//     slider-crank  q0 v0 (3 each)  lengths (2) masses (3) inertias (3)  halfLength halfHeight clearance gravity  e
#pragma once

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

// A pendulum of two rods, crank and connecting rod, with a slider at its end: angles of all three from the axis of the
// guide, in which the slider has room.
struct Crank {
  double length[2], mass[3], inertia[3], halfLength, halfHeight, clearance, gravity;
} crank;

class SliderCrank : public LagrangianDS {
 public:
  SliderCrank(SP::SiconosVector q0, SP::SiconosVector v0) : LagrangianDS(q0, v0) {
    setMassPtr(std::make_shared<SimpleMatrix>(3, 3));
    setFIntPtr(vector({0.0, 0.0, 0.0}));
    setJacobianFIntqPtr(std::make_shared<SimpleMatrix>(3, 3));
    setJacobianFIntqDotPtr(std::make_shared<SimpleMatrix>(3, 3));
    _hasConstantMass = false;
  }

  void computeMass() override { computeMass(q()); }
  void computeMass(SP::SiconosVector position) override {
    const auto& [l, m, inertia, a, b, c, g] = crank;
    const double tip = 0.5 * m[1] + m[2];
    const double coupled = tip * l[0] * l[1] * std::cos((*position)(0) - (*position)(1));
    mass()->setValue(0, 0, inertia[0] + (0.25 * m[0] + m[1] + m[2]) * l[0] * l[0]);
    mass()->setValue(0, 1, coupled);
    mass()->setValue(1, 0, coupled);
    mass()->setValue(1, 1, inertia[1] + (0.25 * m[1] + m[2]) * l[1] * l[1]);
    mass()->setValue(2, 2, inertia[2]);
  }
  void computeFInt(double time) override { computeFInt(time, q(), velocity()); }
  void computeFInt(double, SP::SiconosVector position, SP::SiconosVector rate) override {
    const auto& [l, m, inertia, a, b, c, g] = crank;
    const double first = (*position)(0), second = (*position)(1), tip = 0.5 * m[1] + m[2];
    const double coupled = tip * l[0] * l[1] * std::sin(first - second);
    fInt()->setValue(0, coupled * (*rate)(1) * (*rate)(1) + (0.5 * m[0] + m[1] + m[2]) * g * l[0] * std::cos(first));
    fInt()->setValue(1, -coupled * (*rate)(0) * (*rate)(0) + tip * g * l[1] * std::cos(second));
  }
  void computeJacobianFIntq(double) override {}
  void computeJacobianFIntq(double, SP::SiconosVector, SP::SiconosVector) override {}
  void computeJacobianFIntqDot(double) override {}
  void computeJacobianFIntqDot(double, SP::SiconosVector, SP::SiconosVector) override {}
};

// Distance of a corner of the slider from the guide: side 1 is to the right, wall 1 above.
template <int side, int wall>
class SliderCorner : public Gap {
 public:
  SliderCorner() : Gap(3, &rate) {}
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const double tip = crank.length[0] * std::sin(q(0)) + crank.length[1] * std::sin(q(1));
    const double corner = tip + side * crank.halfLength * std::sin(q(2)) + wall * crank.halfHeight * std::cos(q(2));
    y.setValue(0, crank.halfHeight + crank.clearance - wall * corner);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const double turned = side * crank.halfLength * std::cos(q(2)) - wall * crank.halfHeight * std::sin(q(2));
    setJacobian({-wall * crank.length[0] * std::cos(q(0)), -wall * crank.length[1] * std::cos(q(1)), -wall * turned});
  }
  static void rate(unsigned, double* q, unsigned, double* v, double* out, unsigned, double*) {
    for (int i = 0; i < 2; ++i) out[i] = wall * crank.length[i] * std::sin(q[i]) * v[i];
    out[2] = (wall * side * crank.halfLength * std::sin(q[2]) + crank.halfHeight * std::cos(q[2])) * v[2];
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

Mechanism readBall() {
  const auto q0 = readVector(1), v0 = readVector(1);
  const double mass = number(), gravity = number();
  Mechanism made{std::make_shared<LagrangianLinearTIDS>(q0, v0, diagonal({mass})), {}};
  made.body->setFExtPtr(vector({-mass * gravity}));
  made.contact(std::make_shared<LagrangianLinearTIR>(diagonal({1.0})), number());
  return made;
}

// A bar of equal lumps and springs above a floor, upright.
Mechanism readBar() {
  const unsigned count = static_cast<unsigned>(number());
  const auto q0 = readVector(count), v0 = readVector(count);
  const double mass = number(), stiffness = number(), gravity = number();
  const auto K = std::make_shared<SimpleMatrix>(count, count), H = std::make_shared<SimpleMatrix>(1, count);
  for (unsigned i = 0; i + 1 < count; ++i)
    for (unsigned j = 0; j < 2; ++j) {
      K->setValue(i + j, i + j, K->getValue(i + j, i + j) + stiffness);
      K->setValue(i + j, i + 1 - j, -stiffness);
    }
  H->setValue(0, 0, 1.0);
  const auto masses = diagonal(std::vector<double>(count, mass));
  const auto C = std::make_shared<SimpleMatrix>(count, count);
  Mechanism made{std::make_shared<LagrangianLinearTIDS>(q0, v0, masses, K, C), {}};
  made.body->setFExtPtr(vector(std::vector<double>(count, -mass * gravity)));
  made.contact(std::make_shared<LagrangianLinearTIR>(H), number());
  return made;
}

Mechanism readSliderCrank() {
  const auto q0 = readVector(3), v0 = readVector(3);
  for (double& length : crank.length) length = number();
  for (double& mass : crank.mass) mass = number();
  for (double& inertia : crank.inertia) inertia = number();
  crank.halfLength = number();
  crank.halfHeight = number();
  crank.clearance = number();
  crank.gravity = number();
  const double restitution = number();
  Mechanism made{std::make_shared<SliderCrank>(q0, v0), {}};
  made.contact(std::make_shared<SliderCorner<-1, -1>>(), restitution);
  made.contact(std::make_shared<SliderCorner<1, -1>>(), restitution);
  made.contact(std::make_shared<SliderCorner<-1, 1>>(), restitution);
  made.contact(std::make_shared<SliderCorner<1, 1>>(), restitution);
  return made;
}

Mechanism readMechanism(const std::string& name) {
  if (name == "stops") return readStops();
  if (name == "string") return readString();
  if (name == "block") return readBlock();
  if (name == "ball") return readBall();
  if (name == "bar") return readBar();
  if (name == "slider-crank") return readSliderCrank();
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

}  // namespace
