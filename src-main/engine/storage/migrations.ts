/**
 * The schema, as numbered steps. A step that has landed is never edited: the next change is a new step. `user_version`
 * counts the steps that a database has taken.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create table conversations (
    id text primary key,
    kind text not null,
    title text not null,
    titled integer not null,
    cwd text not null,
    created_at integer not null,
    updated_at integer not null
  ) strict;

  create table seats (
    id text primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    position integer not null,
    agent text not null,
    name text not null,
    model text,
    access text not null,
    role text not null,
    timeout_ms integer not null,
    session_id text,
    unique (conversation_id, position)
  ) strict;

  create table attachments (
    id text primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    name text not null,
    mime text not null,
    bytes integer not null,
    width integer not null,
    height integer not null,
    sha256 text not null,
    created_at integer not null
  ) strict;
  create index attachments_by_conversation on attachments (conversation_id, sha256);

  create table turns (
    id text primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    position integer not null,
    run text not null unique,
    state text not null,
    owner text not null,
    text text not null,
    created_at integer not null,
    unique (conversation_id, position)
  ) strict;
  create index turns_by_state on turns (state);

  create table turn_attachments (
    turn_id text not null references turns (id) on delete cascade,
    attachment_id text not null references attachments (id),
    position integer not null,
    primary key (turn_id, position)
  ) strict;
  create index turn_attachments_by_attachment on turn_attachments (attachment_id);

  create table turn_seats (
    turn_id text not null references turns (id) on delete cascade,
    seat_id text not null references seats (id) on delete cascade,
    position integer not null,
    primary key (turn_id, position)
  ) strict;

  create table invocations (
    id text primary key,
    turn_id text not null references turns (id) on delete cascade,
    seat_id text not null references seats (id) on delete cascade,
    run text not null,
    stem text not null,
    owner text not null,
    pid integer,
    pid_started text,
    state text not null,
    ended integer not null default 0,
    outcome text,
    created_at integer not null
  ) strict;
  create index invocations_by_turn on invocations (turn_id);
  create index invocations_open on invocations (ended) where ended = 0;

  create table evidence (
    invocation_id text not null references invocations (id) on delete cascade,
    position integer not null,
    id text not null,
    description text not null,
    exit_code integer,
    result_summary text not null,
    source text not null,
    primary key (invocation_id, position)
  ) strict, without rowid;

  create table drafts (
    conversation_id text primary key references conversations (id) on delete cascade,
    text text not null,
    updated_at integer not null
  ) strict;

  create table draft_attachments (
    conversation_id text not null references conversations (id) on delete cascade,
    attachment_id text not null references attachments (id) on delete cascade,
    position integer not null,
    primary key (conversation_id, attachment_id)
  ) strict;

  create table leases (
    key text primary key,
    owner text not null,
    pid integer not null,
    pid_started text not null,
    beat_at integer not null
  ) strict;
  `,
  `
  alter table seats add column definition_id text;
  alter table seats add column idle_timeout_ms integer;
  alter table seats add column fresh_because text;
  alter table seats add column replay_next integer not null default 0;
  update seats set fresh_because = 'asked' where session_id is null;
  alter table turns add column start_at integer;
  create index turns_scheduled on turns (start_at) where state = 'scheduled';
  `,
];
