export { createGate, type Gate } from './gate.ts';
export type { ModelInput, RecordedRequest } from './protocol.ts';
export { drop, fail, garbage, type Reply, refuse, type Step, say, stream, think, useTool, waitFor } from './reply.ts';
export { type LoopbackModel, type ScriptedReply, startLoopbackModel } from './server.ts';
