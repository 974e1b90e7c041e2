export {
  type Agent,
  type CommandFile,
  type CommandLine,
  type Ending,
  type Executable,
  type Invocation,
  PROVIDER_CAUSES,
  type ProcessExit,
  type ReaderContext,
  type ReaderReport,
  type SeatReader,
  type SeatTurn,
  type SignInLook,
} from './agent.ts';
export { exampleWords } from './command/index.ts';
export { AGENTS, agentById, checkCommandDefinition } from './table.ts';
