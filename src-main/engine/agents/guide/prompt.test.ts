import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPrompt } from './prompt.ts';

const FIRST = '/data/attachments/conv/aaaa.png';
const SECOND = '/data/attachments/conv/bbbb.jpg';

describe('readPrompt', () => {
  it('parts the text from the list of images, and takes their names from it', () => {
    const prompt = [
      'What is this?',
      'Look closely:',
      '',
      'Attached images. Open and look at each of them before you answer:',
      `- ${FIRST} (image/png, 5 × 3 px, named “My “best” shot.png”)`,
      `- ${SECOND} (image/jpeg, 9 × 7 px, named “photo.jpg”)`,
      '',
    ].join('\n');
    expect(readPrompt(prompt, [FIRST, SECOND])).toEqual({
      text: 'What is this?\nLook closely:',
      names: ['My “best” shot.png', 'photo.jpg'],
    });
  });

  it('leaves no text when the message is only an image', () => {
    const prompt = `Attached image. Open it:\n- ${FIRST} (image/png, named “a.png”)\n`;
    expect(readPrompt(prompt, [FIRST])).toEqual({ text: '', names: ['a.png'] });
  });

  it('keeps an image path that the operator wrote', () => {
    const prompt = `Compare with ${FIRST} please\n\nAttached image:\n- ${FIRST} (named “a.png”)\n`;
    expect(readPrompt(prompt, [FIRST]).text).toBe(`Compare with ${FIRST} please`);
  });

  it('names an image that the prompt does not list by its file', () => {
    expect(readPrompt('hello', [FIRST])).toEqual({ text: 'hello', names: ['aaaa.png'] });
  });

  it('never throws and never invents text', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (prompt, images) => {
        const { text, names } = readPrompt(prompt, images);
        expect(prompt).toContain(text);
        expect(names).toHaveLength(images.length);
      }),
    );
  });
});
