/** Contacts that pull: what they hold, what they let go, and which bonds come back. */
import { describe, expect, it } from 'vitest';
import { ContactDynamicsCertificate } from '@engine/contact-dynamics/certificate/certificate';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { CohesiveMaterial } from '@engine/model/contact-laws/cohesive';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { SpatialModel } from '@engine/spatial/compile';
import { GivenContacts } from './sources';
import { certified, dry, G, simulate, weight } from './worlds';

const MASS = 2;
const RADIUS = 0.5;
const H = 1e-3;
const sticky = (pull: number, breaks = false, friction = 0, range = 0): CohesiveMaterial => ({
  kind: 'cohesive',
  friction,
  restitution: 0,
  pull,
  range,
  breaks,
});

const ballAt = (id: string, z: number): SpatialModel['bodies'][number] => ({
  id,
  mass: MASS,
  inertia: [0.2, 0.2, 0.2],
  position: [0, 0, z],
});
/** At height 0. */
const ceiling = { body: 0, point: [0, 0, 0], radius: RADIUS, normal: [0, 0, -1], offset: 0 };

function hung(material: ContactMaterial, loads: SpatialModel['loads'] = []): ContactDynamics {
  const model = { bodies: [ballAt('ball', -RADIUS)], loads: [weight(0, 0, -G), ...loads] };
  return simulate(model, { h: H }, new GivenContacts([ceiling]), material);
}

describe('a ball under a ceiling', () => {
  it('hangs while m g < C, and pulls with its weight', () => {
    const material = sticky(1.001 * MASS * G);
    const dynamics = hung(material);
    certified(dynamics, 2000, material);
    expect(dynamics.q[2]).toBe(-RADIUS);
    expect(dynamics.impulses[0]).toBeCloseTo(-H * MASS * G, 12);
  });

  it.each([false, true])(
    'falls when m g > C, and breaking has cost the pull of one step (breaks: %s)',
    (breaks) => {
      const pull = 0.999 * MASS * G;
      const material = sticky(pull, breaks);
      const dynamics = hung(material);
      certified(dynamics, 1, material);
      const speed = H * (G - pull / MASS);
      expect(dynamics.u[2]).toBeCloseTo(-speed, 13);
      expect(dynamics.energy[ENERGY.contactNormal]).toBeCloseTo(-H * pull * 0.5 * speed, 13);
      certified(dynamics, 999, material);
      expect(dynamics.activeCount).toBe(0);
      expect(dynamics.u[2]).toBeCloseTo(-speed - 999 * H * G, 11);
      expect(dynamics.totalEnergy[ENERGY.contactNormal]).toBeCloseTo(-H * pull * 0.5 * speed, 13);
    },
  );

  it('is caught when it comes from below, if bonds come back', () => {
    const thrown = (material: CohesiveMaterial): ContactDynamics => {
      const body = { ...ballAt('ball', -RADIUS - 0.05), velocity: [0, 0, 2] };
      const model = { bodies: [body], loads: [weight(0, 0, -G)] };
      const dynamics = simulate(model, { h: H }, new GivenContacts([ceiling]), material);
      certified(dynamics, 500, material);
      return dynamics;
    };
    const caught = thrown(sticky(2 * MASS * G));
    expect(caught.u[2]).toBe(0);
    expect(caught.q[2]).toBeGreaterThan(-RADIUS - 1e-12);
    expect(thrown(sticky(2 * MASS * G, true)).q[2]).toBeLessThan(-RADIUS - 0.5);
  });

  it('that has been torn off and comes back hangs again or does not', () => {
    // Pulled down more strongly than the bond holds, then pushed up, then left to itself.
    const tugged = (breaks: boolean): { dynamics: ContactDynamics; torn: number; back: number } => {
      const material = sticky(2 * MASS * G, breaks);
      const tug: SpatialModel['loads'][number] = {
        type: 'bodyForce',
        id: 'tug',
        on: 'ball',
        value: ([t], _q, _v, out) => {
          out.fill(0);
          out[2] = t < 0.1 ? 0 : t < 0.11 ? -3 * MASS * G : t < 0.4 ? 2 * MASS * G : 0;
        },
      };
      const dynamics = hung(material, [tug]);
      let [torn, back] = [0, 0];
      certified(dynamics, 1000, material, () => {
        if (torn === 0 && dynamics.activeCount === 0) torn = dynamics.time;
        else if (torn > 0 && back === 0 && dynamics.activeCount > 0) back = dynamics.time;
      });
      return { dynamics, torn, back };
    };
    const returns = tugged(false);
    const breaks = tugged(true);
    for (const { torn, back } of [returns, breaks]) {
      expect(torn).toBeGreaterThan(0.1);
      expect(torn).toBeLessThan(0.105);
      expect(back).toBeGreaterThan(0.11);
      expect(back).toBeLessThan(0.4);
    }
    expect(returns.dynamics.u[2]).toBe(0);
    expect(returns.dynamics.impulses[0]).toBeCloseTo(-H * MASS * G, 12);
    // Left to itself at 0.4 s.
    expect(breaks.dynamics.u[2]).toBeCloseTo(-G * 0.6, 1);
    expect(breaks.dynamics.activeCount).toBe(0);
  });
});

describe('two balls that hang on one another', () => {
  const pair = (pull: number): ContactDynamics => {
    const material = sticky(pull);
    const contacts = new GivenContacts([ceiling], [{ first: 1, second: 0, radius: RADIUS }]);
    const model = {
      bodies: [ballAt('upper', -RADIUS), ballAt('lower', -3 * RADIUS)],
      loads: [weight(0, 0, -G)],
    };
    return simulate(model, { h: H }, contacts, material);
  };

  it('pull with one and with two weights', () => {
    const dynamics = pair(2.01 * MASS * G);
    certified(dynamics, 1000, sticky(2.01 * MASS * G));
    expect([dynamics.q[2], dynamics.q[9]]).toEqual([-RADIUS, -3 * RADIUS]);
    expect(dynamics.impulses[0]).toBeCloseTo(-2 * H * MASS * G, 12);
    expect(dynamics.impulses[3]).toBeCloseTo(-H * MASS * G, 12);
  });

  it('fall together where the upper bond opens', () => {
    const pull = 1.5 * MASS * G;
    const dynamics = pair(pull);
    certified(dynamics, 1, sticky(pull));
    // Both have the velocity that C leaves them, and the lower bond carries what accelerates the lower ball.
    expect(dynamics.u[2]).toBeCloseTo(-H * (G - pull / (2 * MASS)), 13);
    expect(dynamics.u[8]).toBeCloseTo(dynamics.u[2], 13);
    expect(dynamics.impulses[3]).toBeCloseTo(-0.5 * H * pull, 12);
    certified(dynamics, 300, sticky(pull));
    expect(dynamics.activeCount).toBe(1);
    expect(dynamics.q[2] - dynamics.q[9]).toBeCloseTo(2 * RADIUS, 10);
    expect(Math.abs(dynamics.impulses[0])).toBeLessThan(1e-12);
  });
});

describe('a bond with a range', () => {
  it('takes the work C d to break, with an error of order 1', () => {
    const [pull, range] = [0.8 * MASS * G, 0.01];
    const errors = [1e-3, 5e-4, 2.5e-4].map((h) => {
      const material = sticky(pull, false, 0, range);
      const model = { bodies: [ballAt('ball', -RADIUS)], loads: [weight(0, 0, -G)] };
      const dynamics = simulate(model, { h }, new GivenContacts([ceiling]), material);
      certified(dynamics, Math.round(0.3 / h), material);
      expect(dynamics.activeCount).toBe(0);
      return Math.abs(-dynamics.totalEnergy[ENERGY.contactNormal] / (pull * range) - 1);
    });
    for (const [n, h] of [1e-3, 5e-4, 2.5e-4].entries()) expect(errors[n]).toBeLessThan(100 * h);
  });

  /** Two balls that circle about the point where they touch. */
  const circling = (pull: number, range: number): ContactDynamics => {
    const v = 0.5;
    const model = {
      bodies: [
        { ...ballAt('a', 0), position: [-RADIUS, 0, 0], velocity: [0, -v, 0], spin: [0, 0, v / RADIUS] },
        { ...ballAt('b', 0), position: [RADIUS, 0, 0], velocity: [0, v, 0], spin: [0, 0, v / RADIUS] },
      ],
      loads: [],
    } satisfies Partial<SpatialModel>;
    const material = sticky(pull, false, 0.5, range);
    const pair = new GivenContacts([], [{ first: 0, second: 1, radius: RADIUS }]);
    const dynamics = simulate(model, { h: H }, pair, material);
    certified(dynamics, 3000, material);
    return dynamics;
  };
  const needed = (MASS * 0.5 ** 2) / RADIUS;

  it('holds two balls that circle about each other with m v²/r', () => {
    const dynamics = circling(1.05 * needed, 1e-4);
    expect(dynamics.activeCount).toBe(1);
    expect(Math.hypot(dynamics.q[7] - dynamics.q[0], dynamics.q[8] - dynamics.q[1])).toBeCloseTo(
      2 * RADIUS,
      6,
    );
    expect(-dynamics.impulses[0] / H / needed).toBeCloseTo(1, 3);
    expect(Math.hypot(dynamics.u[0], dynamics.u[1])).toBeCloseTo(0.5, 3);
  });

  it('lets them go where that is more than C, and at once without a range', () => {
    for (const [part, range] of [
      [0.95, 1e-4],
      [1.05, 0],
    ]) {
      const dynamics = circling(part * needed, range);
      expect(dynamics.activeCount).toBe(0);
      expect(Math.hypot(dynamics.q[7] - dynamics.q[0], dynamics.q[8] - dynamics.q[1])).toBeGreaterThan(2);
    }
  });
});

describe('a plate that is stuck to a wall', () => {
  const plate = (pull: number, friction: number): ContactDynamics => {
    const corners = [-0.5, 0.5].flatMap((x) =>
      [-0.5, 0.5].map((y) => ({ body: 0, point: [x, y, -0.1], radius: 0, normal: [0, 0, 1], offset: 0 })),
    );
    const model: Partial<SpatialModel> = {
      bodies: [{ id: 'plate', mass: MASS, inertia: [0.2, 0.2, 0.4], position: [0, 0, 0.1] }],
      loads: [weight(G, 0, 0)],
    };
    const material = sticky(pull, false, friction);
    const dynamics = simulate(model, { h: H }, new GivenContacts(corners), material);
    certified(dynamics, 500, material);
    return dynamics;
  };

  it('stays while m g < 4 μ C', () => {
    const dynamics = plate((1.02 * MASS * G) / (4 * 0.5), 0.5);
    expect(dynamics.q[0]).toBe(0);
  });

  it('slides with g − 4 μ C/m otherwise', () => {
    const pull = (0.6 * MASS * G) / (4 * 0.5);
    expect(plate(pull, 0.5).u[0]).toBeCloseTo(0.4 * G * 500 * H, 9);
  });
});

it('without a pull it is the rigid law, to the last bit', () => {
  const contacts = (): GivenContacts =>
    new GivenContacts([{ body: 0, point: [0, 0, 0], radius: RADIUS, normal: [0, 0, 1], offset: 0 }]);
  const body = { ...ballAt('ball', 1), velocity: [1, 0, 0], spin: [3, 1, 2] };
  const model = { bodies: [body], loads: [weight(0, 0, -G)] };
  const rigid = simulate(model, {}, contacts(), dry(0.3, 0.5));
  const loose = simulate(model, {}, contacts(), { ...sticky(0, false, 0.3), restitution: 0.5 });
  for (let k = 0; k < 1000; k++) {
    expect(rigid.advance()).toBe('ok');
    expect(loose.advance()).toBe('ok');
  }
  expect([...loose.q, ...loose.u]).toEqual([...rigid.q, ...rigid.u]);
  expect(rigid.closings).toBeGreaterThan(1);
});

describe('the certificate', () => {
  const worstOf = (judged: ContactMaterial, from: number): number => {
    const material = sticky(2 * MASS * G, true);
    const dynamics = hung(material);
    const certificate = new ContactDynamicsCertificate(dynamics, [judged]);
    for (let k = 0; k < 10; k++) {
      expect(dynamics.advance()).toBe('ok');
      if (k >= from) certificate.judge();
    }
    return Math.max(certificate.worst[0], certificate.worst[1]);
  };

  it('says nothing of a bond that holds', () => {
    expect(worstOf(sticky(2 * MASS * G, true), 0)).toBeLessThan(1e-12);
  });

  it('objects to a pull beyond C, and to a rigid contact that pulls', () => {
    expect(worstOf(sticky(0.9 * MASS * G, true), 0)).toBeGreaterThan(1e-2);
    expect(worstOf(dry(0), 0)).toBeGreaterThan(0.1);
  });

  it('objects to a bond that it has not seen since the start', () => {
    expect(worstOf(sticky(2 * MASS * G, true), 3)).toBeGreaterThan(0.1);
  });
});
