import type { Usage } from '../../../src-shared/events.ts';
import { formatCount } from '../format.ts';
import { Fact, NotReported } from './Facts.tsx';

function Tokens({ count }: { count: number | null }) {
  return count === null ? <NotReported /> : <>{formatCount(count)} tokens</>;
}

/** Tokens as the agent reported them. */
export function UsageFacts({ usage }: { usage: Usage | null }) {
  return (
    <>
      <Fact term="Input">
        <Tokens count={usage?.inputTokens ?? null} />
      </Fact>
      <Fact term="Of it cached">
        <Tokens count={usage?.cachedInputTokens ?? null} />
      </Fact>
      <Fact term="Output">
        <Tokens count={usage?.outputTokens ?? null} />
      </Fact>
    </>
  );
}
