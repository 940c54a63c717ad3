/** A number prescribed as a function of time, such as the angle of a driven crank. */

/** Fills value, first and second derivative by time into out[0 … 2]. `clock[0]` is the time, s. */
export type Motion = (clock: Float64Array, out: Float64Array) => void;

export const constantMotion =
  (value: number): Motion =>
  (_, out) => {
    out[0] = value;
    out[1] = 0;
    out[2] = 0;
  };

/** value(t) = start + rate t */
export const uniformMotion =
  (start: number, rate: number): Motion =>
  (clock, out) => {
    out[0] = start + rate * clock[0];
    out[1] = rate;
    out[2] = 0;
  };

/** value(t) = mean + amplitude sin(ω t + phase). @param omega rad/s */
export const harmonicMotion =
  (mean: number, amplitude: number, omega: number, phase: number): Motion =>
  (clock, out) => {
    const sine = amplitude * Math.sin(omega * clock[0] + phase);
    out[0] = mean + sine;
    out[1] = omega * amplitude * Math.cos(omega * clock[0] + phase);
    out[2] = -omega * omega * sine;
  };
