export type { ChatMessage, UserAttachment } from './messages.ts';
export { type Model, type ModelChunk, ModelFailure, type ModelRequest, type ToolSpec } from './model.ts';
export { type ModelConnection, openModel } from './models/index.ts';
