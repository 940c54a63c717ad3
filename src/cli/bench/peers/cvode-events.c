/* Small event-driven models by SUNDIALS' CVODE with root finding (6.x), as its users write them: Adams' method
 * with fixed-point iteration, started again after each event.
 *
 * Arguments: model, rtol (the absolute tolerance is a tenth of it), events.
 * Output: times of the events. Time is that of an event. */
#include "twin.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum model { BALL, OSCILLATOR, STICK_SLIP, CAM };

static enum model model;
/* of the stick-slip model: whether the mass sticks */
static int sticks;
static double turning;

/* The cam: its lift and the rate of it by the angle. */
static double lift(double t, double* slope) {
  const double k1 = 0.45, rho1 = 0.85, k2 = 0.40393320723821, rho3 = 0.15, base = 0.3;
  const double beta1 = M_PI_2 + 1.050328174371336, beta2 = M_PI_2 + 1.22173047639603;
  const double turns = turning / (2 * M_PI) * t + 0.25, angle = 2 * M_PI * (turns - floor(turns));
  const int falls = angle > M_PI;
  const double beta = falls ? 2 * M_PI - angle : angle;
  double value = k2 + rho3 - base, d = 0;
  if (beta < M_PI_2) value = 0.4 - base;
  else if (beta < beta1) {
    const double c = k1 * cos(beta), s = k1 * sin(beta), root = sqrt(rho1 * rho1 - c * c);
    value = root - s - base;
    d = c * s / root - c;
  } else if (beta < beta2) {
    const double s = k2 * sin(beta + M_PI / 9), c = k2 * cos(beta + M_PI / 9), root = sqrt(rho3 * rho3 - s * s);
    value = root - c - base;
    d = s - s * c / root;
  }
  *slope = falls ? -d : d;
  return value;
}

static int rate(realtype t, N_Vector state, N_Vector out, void* none) {
  (void)none;
  const double q = NV_Ith_S(state, 0), v = NV_Ith_S(state, 1);
  double a = 0;
  switch (model) {
    case BALL: a = -9.81; break;
    case OSCILLATOR: a = cos(2.8 * t) - 0.04 * v - q; break;
    case STICK_SLIP: a = sticks ? 0 : 0.1 * (v - 0.2) - q + 1; break;
    case CAM: a = -1430.8 / 1.221 * q; break;
  }
  NV_Ith_S(out, 0) = v;
  NV_Ith_S(out, 1) = a;
  return 0;
}

static int gap(realtype t, N_Vector state, realtype* out, void* none) {
  (void)none;
  const double q = NV_Ith_S(state, 0), v = NV_Ith_S(state, 1);
  double slope;
  switch (model) {
    case BALL: out[0] = q; break;
    case OSCILLATOR: out[0] = 0.6 - q; break;
    case STICK_SLIP: out[0] = sticks ? 1 - q : 0.2 - v; break;
    case CAM: out[0] = q - lift(t, &slope); break;
  }
  return 0;
}

/* What an event does to the state. */
static void happen(double t, double* q, double* v) {
  double slope;
  switch (model) {
    case BALL: *v *= -0.999; break;
    case OSCILLATOR: *v *= -0.7; break;
    case STICK_SLIP:
      sticks = !sticks;
      *v = 0.2;
      break;
    case CAM:
      *q = lift(t, &slope);
      *v = 1.8 * slope * turning - 0.8 * *v;
      break;
  }
}

static void run(void) {
  const long events = (long)number("events");
  model = (enum model)(int)number("model");
  const double rtol = number("rtol"), start[4][2] = {{0.9, 0}, {-0.5, 2}, {0, 0}, {0.5, 0.4}};
  turning = 2 * M_PI * number("rpm") / 60;
  double* times = numbers(events);
  SUNContext context;
  if (SUNContext_Create(NULL, &context) != 0) exit(EXIT_FAILURE);
  N_Vector state = N_VNew_Serial(2, context);
  double* x = NV_DATA_S(state);
  x[0] = start[model][0];
  x[1] = start[model][1];
  void* memory = CVodeCreate(CV_ADAMS, context);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(state, 0, context);
  int down = -1, failed = CVodeInit(memory, rate, 0, state) || CVodeSStolerances(memory, rtol, 0.1 * rtol) ||
                          CVodeSetNonlinearSolver(memory, solver) || CVodeRootInit(memory, 1, gap) ||
                          CVodeSetRootDirection(memory, &down) || CVodeSetMaxNumSteps(memory, 1000000);
  double t = 0;
  const double began = spent();
  for (long k = 0; k < events && !failed; ++k) {
    failed = CVode(memory, 1e9, state, &t, CV_NORMAL) != CV_ROOT_RETURN;
    times[k] = t;
    happen(t, &x[0], &x[1]);
    failed = failed || CVodeReInit(memory, t, state);
  }
  const double taken = spent() - began;
  if (failed) exit(EXIT_FAILURE);
  report(taken / (double)events, times, events);
}
