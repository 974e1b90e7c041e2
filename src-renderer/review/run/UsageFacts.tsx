import type { Usage } from '../../../src-shared/events.ts';
import { formatCost, formatCount } from '../format.ts';
import { Fact, NotReported } from './Facts.tsx';

function Tokens({ count }: { count: number | null }) {
  return count === null ? <NotReported /> : <>{formatCount(count)} tokens</>;
}

/** Tokens and cost as the agent reported them. */
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
      <Fact term="Cost">{usage?.costUsd == null ? <NotReported /> : formatCost(usage.costUsd)}</Fact>
    </>
  );
}
