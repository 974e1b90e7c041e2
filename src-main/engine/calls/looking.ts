import type { CallParts, Some } from './parts.ts';

/** What only looks. */
export function lookingHandlers({
  records,
  artifacts,
  finder,
  runner,
  about,
}: CallParts): Some<
  | 'about'
  | 'listAgents'
  | 'awaitTurn'
  | 'getInvocation'
  | 'listEvidence'
  | 'listArtifacts'
  | 'readArtifact'
  | 'watchLive'
  | 'unwatchLive'
> {
  return {
    about: () => about,
    listAgents: async ({ refresh, versions }) => ({
      agents: await finder.statuses(refresh, versions),
      search: await finder.search(),
    }),
    awaitTurn: async ({ turnId }) => {
      await runner.idle(records.turns.get(turnId).conversationId);
      return { turn: records.turns.get(turnId) };
    },
    getInvocation: ({ invocationId }) => ({ invocation: records.invocations.state(invocationId) }),
    listEvidence: ({ conversationId, invocationId, offset, limit }) =>
      records.invocations.evidence(conversationId, invocationId, offset, limit),
    listArtifacts: async ({ run }) => {
      const stems = new Map(records.invocations.ofRun(run).map(({ stem, id }) => [stem, id]));
      return { artifacts: await artifacts.list(run, stems) };
    },
    readArtifact: async ({ run, name, offset, length }) => ({
      ...(await artifacts.read(run, name, offset, length)),
      offset,
    }),
    watchLive: async ({ invocationId }) => {
      const { run, stem } = records.invocations.get(invocationId);
      // Watched before the sizes are taken: what comes in between is then in both, and the offsets tell.
      const running = runner.watch(invocationId);
      return { run, stem, running, sizes: await artifacts.sizes(run, stem) };
    },
    unwatchLive: ({ invocationId }) => {
      runner.unwatch(invocationId);
      return {};
    },
  };
}
