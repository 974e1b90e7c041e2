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
export { AGENTS, agentById } from './table.ts';
