/* The cam-follower from event to event: mu q'' + kappa q = 0 above the cam, q >= L(t), Newton's impact law with r.
 *
 * Flights are exact arcs that begin anew at each impact and each section point. The gap g = q - L is searched
 * piece by piece of the cam, on each of which L'' is monotone in the angle: with a lower bound m of g'' up to
 * the end of the piece, g + g' s + m s^2 / 2 stays below the gap, so that its first zero oversteps none; near
 * the root such steps converge as Newton's do. Below SLOW the follower rests until the force of the contact
 * has to pull: that is where impacts accumulate, and the error is the height of so slow a flight. */
#ifndef MOREAU_CAM_H
#define MOREAU_CAM_H

#include "twin.h"

#define PIECES 6
#define SLOW 1e-6
#define SHORT 1e-14
#define LEAVING 1e-6

static const double k1 = 0.45, rho1 = 0.85, k2 = 0.40393320723821, rho3 = 0.15, base = 0.3;

/* Shapes of pieces; those on the way down are run through backwards. */
enum shape { FLANK, NOSE, LEVEL };
struct piece {
  enum shape shape;
  double direction;
  /* angles at which it begins and ends, less that of a section point, rad */
  double begin, end;
  /* largest L'' and |L'''| by the angle, m/rad^2, m/rad^3; the lift of a level one, m */
  double bend, jerk, level;
};
static struct piece pieces[PIECES];

struct lift {
  double l, d, dd;
};

/* Lift and its derivatives by the angle; `phase` counts from the section point, at pi/2. */
static inline struct lift lift(const struct piece* piece, double phase) {
  if (piece->shape == LEVEL) return (struct lift){piece->level, 0, 0};
  const double beta = piece->direction > 0 ? M_PI_2 + phase : 3 * M_PI_2 - phase;
  const int is_flank = piece->shape == FLANK;
  const double x = is_flank ? beta - M_PI_2 : beta + M_PI / 9, k = is_flank ? k1 : k2;
  /* -k cos x + sqrt(rho^2 - k^2 sin^2 x) for both: sin beta = cos(beta - pi/2) */
  const double s = k * sin(x), c = k * cos(x), rho = is_flank ? rho1 : rho3;
  const double root = sqrt(rho * rho - s * s), ratio = c / root;
  return (struct lift){root - c - base, piece->direction * s * (1 - ratio),
                       c - ratio * c + s * s / root * (1 - ratio * ratio)};
}

static void make_pieces(void) {
  const double to1 = 1.050328174371336, to2 = 1.22173047639603, turn = 2 * M_PI;
  const double ends[PIECES] = {to1, to2, M_PI - to2, M_PI - to1, M_PI, turn};
  const enum shape shapes[PIECES] = {FLANK, NOSE, LEVEL, NOSE, FLANK, LEVEL};
  for (int i = 0; i < PIECES; ++i) {
    struct piece* piece = &pieces[i];
    *piece = (struct piece){shapes[i], i < 3 ? 1 : -1, i == 0 ? 0 : ends[i - 1], ends[i], 0, 0, 0};
    if (shapes[i] == LEVEL) {
      piece->level = i == 2 ? k2 + rho3 - base : 0.4 - base;
      continue;
    }
    piece->bend = fmax(lift(piece, piece->begin).dd, lift(piece, piece->end).dd);
    /* |L'''| is largest where flank and nose meet, or within the flank */
    piece->jerk = shapes[i] == FLANK ? 0.18543 : 5.92516;
  }
}

/* Frequency of the follower and of the cam, rad/s; restitution. */
static double w, turning, r;
/* Two disturbances of position and velocity, columns one after the other, where they are carried along. */
static double frame[4] = {1, 0, 0, 1};
static int has_frame;

/* Carries them along an arc. */
static inline void carry(double tau) {
  const double c = cos(w * tau), s = sin(w * tau);
  for (double* column = frame; column < frame + 4; column += 2) {
    const double q = column[0], v = column[1];
    column[0] = c * q + s / w * v;
    column[1] = c * v - w * s * q;
  }
}

struct state {
  /* phase of the cam's turn, s, and the piece it is on */
  double t;
  int at;
  int rests;
  /* the arc: it began at `from` with q = a, v = w b */
  double from, a, b;
  /* 1 right after an impact or where the contact has opened: the gap is zero, its rate known */
  int is_fresh;
  double rate;
};

/* From an impact or a start on the cam. */
static void impact(struct state* f, struct lift lift, double approach) {
  const double rate = -r * approach, pull = -w * w * lift.l - turning * turning * lift.dd;
  f->rests = rate < SLOW && pull < 0;
  if (has_frame) {
    carry(f->t - f->from);
    /* Both states of an impact jump, and when it happens is disturbed as well; at rest nothing is left. */
    for (double* column = frame; column < frame + 4; column += 2) {
      column[1] = f->rests ? 0 : (1 + r) * pull / approach * column[0] - r * column[1];
      column[0] *= f->rests ? 0 : -r;
    }
  }
  f->from = f->t;
  f->a = lift.l;
  f->b = (lift.d * turning + rate) / w;
  f->is_fresh = 1;
  f->rate = rate;
}

/* Goes on in flight to the end of the piece. @returns whether it has come there without an impact */
static int fly(struct state* f, double end) {
  const struct piece* piece = &pieces[f->at];
  const double w2 = w * w, turning2 = turning * turning;
  const double reach = w2 * sqrt(f->a * f->a + f->b * f->b), jerk = w * reach;
  const double change = jerk + piece->jerk * turning2 * turning;
  for (;;) {
    const double tau = w * (f->t - f->from), s = sin(tau), c = cos(tau);
    const double q = f->a * c + f->b * s, v = w * (f->b * c - f->a * s);
    const struct lift l = lift(piece, f->t * turning);
    double gap = q - l.l, rate = v - turning * l.d;
    const double bend = -w2 * q - turning2 * l.dd;
    if (f->is_fresh) {
      gap = 0;
      rate = f->rate;
      f->is_fresh = 0;
      if (rate <= SLOW && bend >= 0) {
        /* It leaves without speed: g'' stays positive for so long. */
        const double clear = fmax(bend / (2 * change), LEAVING);
        if (f->t + clear >= end) return 1;
        f->t += clear;
        continue;
      }
    } else if (gap <= 0) {
      if (rate < 0) {
        impact(f, l, rate);
        return 0;
      }
      gap = 0;
    }
    double window = end - f->t, step = window;
    for (int tries = 0; tries < 2; ++tries) {
      const double most = fmin(piece->bend, l.dd + piece->jerk * turning * window);
      const double m = fmax(-reach, -w2 * q - jerk * window) - turning2 * most;
      const double root = rate * rate - 2 * m * gap;
      if (root < 0 || (rate >= 0 && m >= 0)) {
        step = window;
        break;
      }
      step = rate < 0 ? 2 * gap / (sqrt(root) - rate) : -(rate + sqrt(root)) / m;
      if (step >= window) {
        step = window;
        break;
      }
      window = fmin(window, 2 * step);
    }
    if (f->t + step >= end) return 1;
    if (step < SHORT && rate < 0) {
      impact(f, l, rate);
      return 0;
    }
    f->t += step;
  }
}

/* The force of the contact by mass, positive while it pushes. */
static double force(const struct piece* piece, double t) {
  const struct lift l = lift(piece, t * turning);
  return turning * turning * l.dd + w * w * l.l;
}

/* Rests up to the end of the piece. @returns whether the contact has held until there */
static int rest(struct state* f, double end) {
  const struct piece* piece = &pieces[f->at];
  if (piece->shape == LEVEL) return 1;
  double low = f->t, high = end;
  if (force(piece, low) >= 0) {
    /* On each piece the force is monotone, since L and L'' are. */
    if (force(piece, high) >= 0) return 1;
    while (high - low > SHORT) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      if (force(piece, middle) >= 0) low = middle;
      else high = middle;
    }
  }
  const struct lift l = lift(piece, low * turning);
  *f = (struct state){low, f->at, 0, low, l.l, l.d * turning / w, 1, 0};
  return 0;
}

/* One turn of the cam. */
static void turn(struct state* f) {
  for (f->at = 0; f->at < PIECES; ++f->at) {
    const double end = pieces[f->at].end / turning;
    while (!(f->rests ? rest(f, end) : fly(f, end)))
      ;
    f->t = end;
  }
  const double tau = w * (f->t - f->from);
  if (has_frame) carry(f->t - f->from);
  if (f->rests) f->a = 0.4 - base, f->b = 0;
  else {
    const double s = sin(tau), c = cos(tau), a = f->a;
    f->a = a * c + f->b * s;
    f->b = f->b * c - a * s;
  }
  f->from = f->t = 0;
}

#endif
