// What the comparison programs share: their arguments, the timed loop, and the one line of JSON they print.
//
// Arguments are words NAME=VALUE. Every program takes h (s), warm (steps before the clock starts: the first step
// initialises the simulation) and steps (timed steps); others are its own. Output is
//
//     {"nsPerStep": …, "failures": …, "newtonIterations": …, "state": […]}
//
// where `failures` counts steps at which the non-smooth solver did not reach its tolerance and `state` is the final
// state with 17 significant digits, so that the caller can check that both programs computed the same.
#ifndef MOREAU_TIME_LOOP_HPP
#define MOREAU_TIME_LOOP_HPP

#include <SiconosKernel.hpp>
#include <SolverOptions.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class Arguments {
 public:
  Arguments(int count, char** words) {
    for (int i = 1; i < count; ++i) {
      const std::string word(words[i]);
      const auto sign = word.find('=');
      if (sign == std::string::npos) throw std::invalid_argument("not of the form NAME=VALUE: " + word);
      values_[word.substr(0, sign)] = word.substr(sign + 1);
    }
  }

  double number(const std::string& name) const { return std::stod(text(name)); }
  long integer(const std::string& name) const { return std::stol(text(name)); }
  const std::string& text(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::invalid_argument("missing argument " + name);
    return found->second;
  }

 private:
  std::map<std::string, std::string> values_;
};

inline long& solverFailures() {
  static long failures = 0;
  return failures;
}

// In place of Siconos' own check, which prints in the time loop.
inline void countFailures(int info, Simulation*) {
  if (info != 0) ++solverFailures();
}

// A square or rectangular matrix from its rows.
inline SP::SimpleMatrix matrix(const std::vector<std::vector<double>>& rows) {
  auto result = std::make_shared<SimpleMatrix>(rows.size(), rows.front().size());
  for (unsigned i = 0; i < rows.size(); ++i) {
    for (unsigned j = 0; j < rows[i].size(); ++j) result->setValue(i, j, rows[i][j]);
  }
  return result;
}

inline SP::SiconosVector vector(const std::vector<double>& values) {
  auto result = std::make_shared<SiconosVector>(values.size());
  for (unsigned i = 0; i < values.size(); ++i) result->setValue(i, values[i]);
  return result;
}

// End of the simulated interval: later than the last step, or rounding could drop that step.
inline double endTime(const Arguments& given) {
  return 2.0 * given.number("h") * static_cast<double>(given.integer("warm") + given.integer("steps"));
}

// Runs and prints.
inline int timeLoop(const Arguments& given, TimeStepping& simulation,
                    const std::function<std::vector<double>()>& state) {
  simulation.setCheckSolverFunction(countFailures);
  const long warm = given.integer("warm");
  const long steps = given.integer("steps");
  for (long step = 0; step < warm; ++step) {
    simulation.computeOneStep();
    simulation.nextStep();
  }
  solverFailures() = 0;
  const auto began = std::chrono::steady_clock::now();
  for (long step = 0; step < steps; ++step) {
    simulation.computeOneStep();
    simulation.nextStep();
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - began;
  std::printf("{\"nsPerStep\": %.17g, \"failures\": %ld, \"newtonIterations\": %u, \"state\": [",
              taken.count() / static_cast<double>(steps), solverFailures(),
              static_cast<unsigned>(simulation.getNewtonCumulativeNbIterations()));
  const char* separator = "";
  for (const double value : state()) {
    std::printf("%s%.17g", separator, value);
    separator = ", ";
  }
  std::printf("]}\n");
  return EXIT_SUCCESS;
}

// Runs a program's body, and says on standard error what went wrong.
inline int guarded(int count, char** words, const std::function<int(const Arguments&)>& body) {
  try {
    return body(Arguments(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (...) {
    // Siconos throws exceptions of boost, which this function prints with the place in its sources.
    Siconos::exception::process();
  }
  return EXIT_FAILURE;
}

#endif
