import type { CallOutput, CallParsed, EngineCallName, EngineEvent } from '../../../src-shared/api.ts';
import type { Preferences } from '../../../src-shared/preferences.ts';
import type { ConversationRecords } from '../conversations/index.ts';
import type { AgentFinder, Runner } from '../runner/index.ts';
import type { ArtifactService } from '../services/index.ts';
import type { Database } from '../storage/index.ts';

export interface CallParts {
  readonly database: Database;
  readonly records: ConversationRecords;
  readonly artifacts: ArtifactService;
  readonly finder: AgentFinder;
  readonly runner: Runner;
  readonly owner: string;
  readonly about: CallOutput<'about'>;
  /** What the operator has set, as it is now. */
  preferences(): EnginePreferences;
  publish(event: EngineEvent): void;
}

/** What the engine reads of the operator's settings. */
export type EnginePreferences = Omit<Preferences, 'theme' | 'sendKey'>;

export type Handlers = {
  [Name in EngineCallName]: (input: CallParsed<Name>) => Promise<CallOutput<Name>> | CallOutput<Name>;
};

export type Some<Names extends EngineCallName> = Pick<Handlers, Names>;
