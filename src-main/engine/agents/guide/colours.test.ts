import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dominantColours, nameColour } from './colours.ts';

/** An image of vertical stripes, each `[red, green, blue, alpha, columns]`. */
function stripes(height: number, ...parts: [number, number, number, number, number][]) {
  const columns = parts.flatMap(([red, green, blue, alpha, count]) =>
    Array.from({ length: count }, () => [red, green, blue, alpha]),
  );
  const data = Uint8Array.from(Array.from({ length: height }, () => columns).flat(2));
  return { width: columns.length, height, data };
}

describe('dominantColours', () => {
  it('names the colours by how much of the image they are', () => {
    const image = stripes(50, [20, 60, 200, 255, 70], [250, 250, 250, 255, 20], [200, 20, 20, 255, 10]);
    const { colours, transparent } = dominantColours(image);
    expect(colours.map(({ name, hex }) => [name, hex])).toEqual([
      ['blue', '#143cc8'],
      ['white', '#fafafa'],
      ['red', '#c81414'],
    ]);
    expect(colours.map(({ share }) => Math.round(share * 100))).toEqual([70, 20, 10]);
    expect(transparent).toBe(0);
  });

  it('counts shades of one colour together', () => {
    const image = stripes(20, [20, 60, 200, 255, 30], [30, 70, 215, 255, 30], [10, 50, 190, 255, 40]);
    const { colours } = dominantColours(image);
    expect(colours).toHaveLength(1);
    expect(colours[0]).toMatchObject({ name: 'blue', share: 1 });
  });

  it('leaves transparent pixels out, and says how many there are', () => {
    const { colours, transparent } = dominantColours(stripes(10, [255, 0, 0, 255, 5], [0, 255, 0, 0, 15]));
    expect(colours).toEqual([{ name: 'red', hex: '#ff0000', share: 1 }]);
    expect(transparent).toBe(0.75);
  });

  it('has no colour for an image that is all transparent', () => {
    expect(dominantColours(stripes(4, [9, 9, 9, 0, 4]))).toEqual({ colours: [], transparent: 1 });
  });

  it('samples a large image evenly', () => {
    const { colours } = dominantColours(stripes(1_000, [0, 0, 0, 255, 600], [255, 255, 255, 255, 400]));
    const shares = new Map(colours.map(({ name, share }) => [name, share]));
    expect(shares.get('black')).toBeCloseTo(0.6, 1);
    expect(shares.get('white')).toBeCloseTo(0.4, 1);
  });

  it('never throws and never counts more than there is, even when data and size disagree', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), fc.uint8Array({ maxLength: 400 }), (width, height, data) => {
        const { colours, transparent } = dominantColours({ width, height, data });
        expect(colours.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1.000001);
        expect(transparent).toBeGreaterThanOrEqual(0);
        expect(transparent).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('nameColour', () => {
  it.each([
    [[0, 0, 0], 'black'],
    [[255, 255, 255], 'white'],
    [[128, 128, 128], 'grey'],
    [[255, 0, 0], 'red'],
    [[255, 140, 0], 'orange'],
    [[120, 60, 10], 'brown'],
    [[210, 187, 169], 'beige'],
    [[250, 240, 30], 'yellow'],
    [[30, 160, 60], 'green'],
    [[0, 60, 0], 'dark green'],
    [[20, 170, 180], 'teal'],
    [[30, 60, 220], 'blue'],
    [[170, 200, 250], 'light blue'],
    [[130, 40, 200], 'purple'],
    [[240, 90, 180], 'pink'],
  ] as const)('%j is %s', (colour, name) => {
    expect(nameColour(colour)).toBe(name);
  });
});
