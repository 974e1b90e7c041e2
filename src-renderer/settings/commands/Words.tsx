import type { CallOutput } from '../../../src-shared/api.ts';

/** The words of some turns, each in a box of its own: where one ends and the next begins is what matters. */
export function Words({ examples }: { examples: CallOutput<'checkCommand'>['examples'] }) {
  return (
    <section
      aria-label="What the program gets"
      className="space-y-2 rounded-lg border border-line bg-raised px-3 py-2.5"
    >
      <h4 className="text-sm font-medium">What the program gets, word by word</h4>
      {examples.map(({ title, words }) => (
        <div key={title}>
          <p className="text-sm text-ink-2">{title}</p>
          <ol aria-label={title} className="mt-1 flex flex-wrap gap-1">
            {words.map((word, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place; the same word can stand there twice
              <li key={index} className="max-w-full">
                <code className="machine block rounded-md border border-line bg-code px-1.5 py-px whitespace-pre-wrap wrap-anywhere">
                  {word === '' ? <span className="text-ink-3">(empty)</span> : word}
                </code>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}
