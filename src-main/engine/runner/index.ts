export { InvocationContext, type RunConfig, type Session, type SessionService } from './context.ts';
export { AgentFinder } from './finder.ts';
export { busyError, Runner } from './runner.ts';
export type { AgentEnvironment, AgentSettings } from './settings.ts';
