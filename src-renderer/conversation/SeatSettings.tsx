import { useState } from 'react';
import type { AgentStatus } from '../../src-shared/agents.ts';
import type { Seat } from '../../src-shared/conversations.ts';
import type { Failure } from '../../src-shared/failure.ts';
import { useDefinition } from '../state/agentNames.ts';
import { useAgents } from '../state/agents.ts';
import { useConversation } from '../state/conversation.ts';
import { updateSeat } from '../state/intents.ts';
import { usePreferences } from '../state/preferences.ts';
import { Button, FailureBox, RadioRow, TextField } from '../ui/index.ts';
import { ACCESS_OPTIONS } from './AccessBox.tsx';
import { agentChoices, choiceKeyOf } from './agentChoices.ts';
import { TranscriptBox } from './BeforeSend.tsx';
import { LabelledSelect } from './LabelledSelect.tsx';
import { SeatSession } from './SeatSession.tsx';
import { changeOf, formOf, hasTimeFaults, isOtherAgent, isOtherModel, type SeatForm, saveSeat } from './seatForm.ts';
import { hasBegun } from './sessionWords.ts';

const TIME_FAULT = 'Between 1 second (0.02) and 24 hours (1440).';

/** What a seat works with from the next turn on. */
export function SeatSettings({ seat, agent }: { seat: Seat; agent: AgentStatus | undefined }) {
  const [form, setForm] = useState<SeatForm>(() => formOf(seat));
  const [failure, setFailure] = useState<Failure | null>(null);
  const agents = useAgents((state) => state.agents);
  const commands = usePreferences((state) => state.preferences.commands);
  const definition = useDefinition(seat);
  const isBegun = useConversation(({ view }) => view !== null && hasBegun(view, seat));
  const choices = agentChoices(agents, commands, seat);
  const chosen = choices.find(({ key }) => key === form.choice);
  const change = changeOf(seat, form, chosen);
  const faults = hasTimeFaults(form);
  const isFresh = isBegun && (isOtherAgent(seat, form) || isOtherModel(seat, form));
  const set = (changed: Partial<SeatForm>) => setForm({ ...form, ...changed });

  return (
    <form
      className="space-y-3"
      onSubmit={async (event) => {
        event.preventDefault();
        const failed = await saveSeat(seat, change, isFresh ? form.replay : null);
        setFailure(failed);
      }}
    >
      <div>
        <p className="font-semibold">{seat.name}</p>
        <p className="text-sm text-ink-2">{definition === undefined ? agent?.description : definition.program}</p>
      </div>
      <LabelledSelect
        label="Agent"
        value={form.choice}
        options={choices.map(({ key, label }) => ({ value: key, label }))}
        // Models are the agent's own: that of one means nothing to another.
        onChange={(choice) => set({ choice, model: choice === choiceKeyOf(seat) ? (seat.model ?? '') : '' })}
      />
      <TextField
        label="Model"
        machine
        value={form.model}
        placeholder="the agent’s own default"
        onChange={(event) => set({ model: event.target.value })}
      />
      {isFresh && (
        <div role="status" className="rounded-lg bg-warn-soft px-2.5 py-1.5 text-sm">
          <p>
            The next message starts a fresh session: another {isOtherAgent(seat, form) ? 'agent' : 'model'} does not
            know what was said.
          </p>
          <TranscriptBox checked={form.replay} onChange={(replay) => set({ replay })} />
        </div>
      )}
      <RadioRow
        label="Access"
        value={seat.access}
        options={ACCESS_OPTIONS}
        onChange={async (access) => setFailure(await updateSeat({ seatId: seat.id, access }))}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Time limit, minutes"
          inputMode="decimal"
          value={form.minutes}
          aria-invalid={faults.time}
          onChange={(event) => set({ minutes: event.target.value })}
          hint={faults.time ? TIME_FAULT : undefined}
        />
        <TextField
          label="Idle limit, minutes"
          inputMode="decimal"
          value={form.idleMinutes}
          placeholder="none"
          aria-invalid={faults.idle}
          onChange={(event) => set({ idleMinutes: event.target.value })}
          hint={faults.idle ? `${TIME_FAULT} Empty for none.` : undefined}
        />
      </div>
      <p className="text-sm text-ink-2">
        A run is ended after its time limit, or when it has printed nothing for its idle limit. Everything it printed is
        kept.
      </p>
      <SeatSession seat={seat} onFailure={setFailure} />
      {failure !== null && <FailureBox sentence={failure.message} hint={failure.hint} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" size="small" disabled={change === null || faults.time || faults.idle}>
          Save
        </Button>
      </div>
    </form>
  );
}
