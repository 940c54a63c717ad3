/**
 * How near a motion comes to grazing: the smallest gap at which a contact turns round without touching, and
 * the smallest speed at which one touches. Gaps have their minima where ẏ rises through zero; it is looked
 * for between a few places of each stretch.
 */
import { refineRoot, type ScalarFunction } from '../../smooth/bracketing';
import { type FlightObserver, type ObservedParts, UnseenPart } from './flight-observer';
import { ACTIVE } from '../rows/row-laws';

/** Places between which ẏ is taken for monotone; a stretch is at most a few reciprocal rates long. */
const PLACES = 12;
const RESOLUTION = 1e-14;

export class ApproachWatch implements FlightObserver {
  /** smallest gap at a turn, and the row that has it; infinite and −1 where there is none */
  gap = Infinity;
  gapRow = -1;
  /** smallest speed of approach at an impact, likewise */
  speed = Infinity;
  speedRow = -1;
  readonly #unseen = new UnseenPart();
  readonly #x: Float64Array;
  readonly #speeds: Float64Array;
  readonly #last: Float64Array;
  readonly #outputs: Float64Array;
  readonly #none: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #bracket = new Float64Array(2);
  readonly #resolution = Float64Array.of(RESOLUTION);
  readonly #speed: ScalarFunction;
  #row = 0;

  constructor(private readonly parts: ObservedParts) {
    const { count } = parts.laws;
    this.#x = new Float64Array(parts.flow.size);
    this.#speeds = new Float64Array(count);
    this.#last = new Float64Array(count);
    this.#outputs = new Float64Array(count);
    this.#none = new Float64Array(count);
    const place = new Float64Array(1);
    const result = new Float64Array(1);
    this.#speed = {
      place,
      result,
      evaluate: () => {
        this.#read(place);
        result[0] = this.#speeds[this.#row];
      },
    };
  }

  /** ẏ of all rows at a place of the stretch. */
  #read(place: Float64Array): void {
    const { flight, joints, rows } = this.parts;
    flight.sample(place, this.#x);
    this.#clock[0] = flight.stretch[0] + place[0];
    joints.complete(this.#clock, this.#x);
    rows.update(this.#clock, this.#x);
    rows.speeds(this.#clock, this.#x, this.#speeds);
  }

  passed(): void {
    const { laws, flight, flow } = this.parts;
    if (!this.#unseen.look(flight.stretch)) return;
    const [from, to] = this.#unseen.span;
    const { place } = this.#speed;
    for (let k = 0; k <= PLACES; k++) {
      const at = k === PLACES ? to : from + ((to - from) * k) / PLACES;
      place[0] = at;
      this.#read(place);
      for (let row = 0; row < laws.count; row++) {
        const isOpen = laws.kind[row] === 'contact' && flow.modes[row] !== ACTIVE;
        const turns = k > 0 && this.#last[row] < 0 && this.#speeds[row] >= 0;
        if (isOpen && turns) this.#turn(row, from + ((to - from) * (k - 1)) / PLACES, at);
      }
      // A turn has left the speeds of its own place.
      place[0] = at;
      this.#read(place);
      this.#last.set(this.#speeds);
    }
  }

  #turn(row: number, from: number, to: number): void {
    this.#row = row;
    this.#bracket[0] = from;
    this.#bracket[1] = to;
    refineRoot(this.#speed, this.#bracket, this.#resolution);
    this.#speed.place[0] = this.#bracket[0];
    this.#read(this.#speed.place);
    this.parts.rows.outputs(this.#clock, this.#x, this.#none, this.#outputs);
    if (!(this.#outputs[row] < this.gap)) return;
    this.gap = this.#outputs[row];
    this.gapRow = row;
  }

  eventBegins(): void {
    this.#unseen.leave();
  }

  eventEnded(): void {
    const { laws, event } = this.parts;
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] !== 'contact' || event.impulse[row] === 0) continue;
      const speed = -event.speedBefore[row];
      if (!(speed < this.speed)) continue;
      this.speed = speed;
      this.speedRow = row;
    }
  }
}
