import { PNG } from 'pngjs';

export const PICTURE_WIDTH = 320;
export const PICTURE_HEIGHT = 200;

/** Sun, sky and sea, as red, green, blue. */
const SUN = [244, 162, 97];
const SKY = [38, 84, 124];
const SEA = [42, 157, 143];

/**
 * A small picture to talk about: a sun over the sea.
 * @returns {Buffer} PNG
 */
export function drawPicture() {
  const png = new PNG({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT });
  for (let y = 0; y < PICTURE_HEIGHT; y++) {
    for (let x = 0; x < PICTURE_WIDTH; x++) {
      const isSea = y > PICTURE_HEIGHT * 0.65;
      const isSun = Math.hypot(x - PICTURE_WIDTH * 0.7, y - PICTURE_HEIGHT * 0.35) < PICTURE_HEIGHT * 0.2;
      const [red = 0, green = 0, blue = 0] = isSea ? SEA : isSun ? SUN : SKY;
      png.data.set([red, green, blue, 255], (y * PICTURE_WIDTH + x) * 4);
    }
  }
  return PNG.sync.write(png);
}
