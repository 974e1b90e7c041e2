import { Copy } from 'lucide-react';
import type { AgentStatus } from '../../src-shared/agents.ts';
import { copyText } from '../state/intents.ts';
import { IconButton } from '../ui/index.ts';

/** How to install an agent: the command to run in a terminal, and what to do after it. */
export function InstallHint({ agent }: { agent: AgentStatus }) {
  return (
    <div className="text-sm text-ink-2">
      <div className="flex items-center gap-1.5 rounded-md border border-line bg-code pl-2">
        <code className="machine min-w-0 flex-1 py-0.5 wrap-anywhere text-ink select-all">{agent.install.command}</code>
        <IconButton
          label={`Copy the command that installs ${agent.label}`}
          icon={<Copy size={14} />}
          onClick={() => void copyText(agent.install.command)}
        />
      </div>
      <p className="mt-1">{agent.install.note}</p>
    </div>
  );
}
