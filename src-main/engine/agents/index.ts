export type {
  Agent,
  CommandLine,
  Ending,
  Executable,
  Invocation,
  ProcessExit,
  ReaderReport,
  SeatReader,
  SeatTurn,
} from './agent.ts';
export { AGENTS, agentById } from './table.ts';
