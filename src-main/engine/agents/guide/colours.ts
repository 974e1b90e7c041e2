/** A colour of an image and how much of it there is. */
export interface ColourShare {
  /** `#rrggbb`, the mean of what was counted as this colour. */
  hex: string;
  name: string;
  /** 0 to 1, of the pixels that are not transparent. */
  share: number;
}

export interface Palette {
  colours: ColourShare[];
  /** 0 to 1, of all pixels. */
  transparent: number;
}

/** 8-bit RGBA. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

const MAX_SAMPLES = 60_000;
const MAX_COLOURS = 4;
const MIN_SHARE = 0.02;
/** Colours closer than this, in RGB, are counted as one. */
const MERGE_DISTANCE = 56;
const OPAQUE_FROM = 128;

interface Bin {
  count: number;
  red: number;
  green: number;
  blue: number;
}

/** The colours that an image mostly consists of, the most frequent first. Samples evenly; never reads past the data. */
export function dominantColours({ width, height, data }: Pixels): Palette {
  const pixels = Math.min(width * height, Math.floor(data.length / 4));
  // An odd step does not fall into step with rows of even width.
  const step = Math.max(1, Math.floor(pixels / MAX_SAMPLES) | 1);
  const bins = new Map<number, Bin>();
  let sampled = 0;
  let opaque = 0;
  for (let pixel = 0; pixel < pixels; pixel += step) {
    sampled++;
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(pixel * 4, pixel * 4 + 4);
    if (alpha < OPAQUE_FROM) continue;
    opaque++;
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    const bin = bins.get(key) ?? { count: 0, red: 0, green: 0, blue: 0 };
    bin.count++;
    bin.red += red;
    bin.green += green;
    bin.blue += blue;
    bins.set(key, bin);
  }
  const colours = merge([...bins.values()].sort((a, b) => b.count - a.count))
    .map((bin) => ({ ...nameAndHex(mean(bin)), share: bin.count / opaque }))
    .filter(({ share }) => share >= MIN_SHARE)
    .slice(0, MAX_COLOURS);
  return { colours, transparent: sampled === 0 ? 0 : (sampled - opaque) / sampled };
}

type Rgb = readonly [red: number, green: number, blue: number];

function mean({ count, red, green, blue }: Bin): Rgb {
  return [Math.round(red / count), Math.round(green / count), Math.round(blue / count)];
}

/** Takes each bin, the largest first, into the first group that is close enough. */
function merge(sorted: readonly Bin[]): Bin[] {
  const groups: { centre: Rgb; bin: Bin }[] = [];
  for (const bin of sorted) {
    const colour = mean(bin);
    const group = groups.find(({ centre }) => distance(centre, colour) < MERGE_DISTANCE);
    if (group === undefined) {
      groups.push({ centre: colour, bin: { ...bin } });
      continue;
    }
    group.bin.count += bin.count;
    group.bin.red += bin.red;
    group.bin.green += bin.green;
    group.bin.blue += bin.blue;
  }
  return groups.map(({ bin }) => bin).sort((a, b) => b.count - a.count);
}

function distance(a: Rgb, b: Rgb): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function nameAndHex(colour: Rgb): { hex: string; name: string } {
  const hex = `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  return { hex, name: nameColour(colour) };
}

const HUES: readonly (readonly [below: number, name: string])[] = [
  [15, 'red'],
  [42, 'orange'],
  [68, 'yellow'],
  [165, 'green'],
  [200, 'teal'],
  [258, 'blue'],
  [292, 'purple'],
  [340, 'pink'],
  [361, 'red'],
];

/** A plain word for a colour, from its hue, saturation and lightness. */
export function nameColour([red, green, blue]: Rgb): string {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const range = most - least;
  const lightness = (most + least) / 510;
  const saturation = range === 0 ? 0 : range / (255 * (1 - Math.abs(2 * lightness - 1)));
  if (lightness > 0.95) return 'white';
  if (lightness < 0.07) return 'black';
  const shade = lightness > 0.75 ? 'light ' : lightness < 0.3 ? 'dark ' : '';
  if (saturation < 0.12) return `${shade}grey`;
  const hue = hueOf(red, green, blue, most, range);
  const name = HUES.find(([below]) => hue < below)?.[1] ?? 'red';
  if ((name === 'orange' || name === 'yellow') && lightness > 0.6 && saturation < 0.5) return 'beige';
  if (name === 'orange' && lightness < 0.45) return `${lightness < 0.2 ? 'dark ' : ''}brown`;
  return `${shade}${name}`;
}

/** Degrees on the colour wheel. */
function hueOf(red: number, green: number, blue: number, most: number, range: number): number {
  const sixth =
    most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
  return (sixth * 60 + 360) % 360;
}
