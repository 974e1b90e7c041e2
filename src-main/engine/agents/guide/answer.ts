import { IMAGE_WORDS } from '../../images/index.ts';
import type { ColourShare } from './colours.ts';
import type { Heard, Intent } from './intents.ts';
import { block, bytesText, code, counted, prose } from './markdown.ts';
import type { NamedFile } from './named.ts';
import type { Picture } from './pictures.ts';
import type { ProjectFacts } from './project.ts';
import type { Session } from './sessions.ts';
import { readStatus } from './status.ts';
import type { CommandResult } from './stream.ts';
import type { Survey } from './survey.ts';

/** Everything that was found out in one turn; what was not looked at is `null`. */
export interface Findings {
  text: string;
  heard: Heard;
  /** The session as it was before this turn. */
  session: Session;
  pictures: readonly Picture[];
  files: readonly NamedFile[];
  project: ProjectFacts | null;
  survey: Survey | null;
  log: CommandResult | null;
  status: CommandResult | null;
  listing: CommandResult | null;
}

const MAX_LANGUAGES = 5;
const MAX_STATUS_LINES = 10;
const MAX_RECALLED_TURNS = 5;
const MAX_RECALLED_LENGTH = 120;

/** The Guide's answer, in Markdown. */
export function composeAnswer(findings: Findings): string {
  const sections = [
    opening(findings),
    ...findings.pictures.map(aboutPicture),
    wantsImages(findings) && findings.pictures.length === 0 ? aboutEarlierPictures(findings.session) : null,
    ...findings.files.map(aboutFile),
    findings.project === null ? null : aboutProject(findings.project, findings.listing),
    findings.survey === null ? null : aboutSize(findings.survey),
    findings.log === null ? null : aboutChanges(findings.log, findings.status),
    isAsked(findings, 'memory') ? aboutMemory(findings.session) : null,
    isAsked(findings, 'agents') ? ADD_AN_AGENT : null,
    isAsked(findings, 'help') ? WHAT_I_CAN : null,
    closing(findings),
  ];
  return sections.filter((section) => section !== null && section !== '').join('\n\n');
}

function isAsked({ heard }: Findings, intent: Intent): boolean {
  return heard.intents.some((candidate) => candidate.intent === intent);
}

function wantsImages(findings: Findings): boolean {
  return isAsked(findings, 'images');
}

function opening({ heard, session, pictures, files, text }: Findings): string {
  const words = [...new Set(heard.intents.map(({ word }) => word))].map((word) => `*${prose(word)}*`);
  const wentBy = words.length === 0 ? null : `I went by ${listed(words)} in your message.`;
  if (session.taken === 0) {
    const hello = 'Hello! I’m the **Guide** that ships with Parley. I use no model: I look, and report what I found.';
    return wentBy === null ? hello : `${hello} ${wentBy}`;
  }
  if (wentBy !== null) return wentBy;
  if (pictures.length > 0 || files.length > 0) return 'Here is what I found.';
  return text === ''
    ? 'There was no text in your message, and no image.'
    : 'I found no word in your message that I know. I match words; I do not understand sentences.';
}

function aboutPicture(picture: Picture): string {
  if (picture.kind === 'refused') return `${prose(picture.sentence)} I can say nothing about it.`;
  const { name, mime, width, height, bytes, palette } = picture;
  const format = IMAGE_WORDS[mime].replace(/^an? /, '');
  const facts = `**${prose(name)}**: ${format}, ${width} × ${height} px, ${bytesText(bytes)}.`;
  if (palette.kind === 'not-read') return `${facts} I did not read its colours: ${prose(palette.why)}.`;
  const { colours, transparent } = palette.palette;
  const clear = transparent >= 0.01 ? ` ${percent(transparent)} of it is transparent.` : '';
  if (colours.length === 0) return `${facts}${clear}`;
  return `${facts} Mostly ${listed(colours.map(colourText))}.${clear}`;
}

function colourText({ name, hex, share }: ColourShare): string {
  return `${name} ${code(hex)} (${percent(share)})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function aboutEarlierPictures(session: Session): string {
  const earlier = session.turns.flatMap(({ pictures }) => pictures);
  if (earlier.length === 0)
    return 'No image is attached to this message, and none was attached earlier. Drop one here.';
  const lines = earlier.map(({ name, mime, width, height, colour }) => {
    const words = IMAGE_WORDS[mime].replace(/^an? /, '');
    return `- **${prose(name)}**: ${words}, ${width} × ${height} px${colour === null ? '' : `, mostly ${colour}`}`;
  });
  return `No image is attached to this message. Earlier in this session you attached:\n${lines.slice(-20).join('\n')}`;
}

function aboutFile(file: NamedFile): string {
  const title = `**${prose(file.name)}**`;
  switch (file.kind) {
    case 'binary':
      return `${title} is a binary file of ${bytesText(file.size)}, so I show nothing of it.`;
    case 'unreadable':
      return `${title} could not be read: ${prose(file.why)}.`;
    case 'text': {
      const part = file.whole ? 'the whole of it' : 'its beginning';
      return `${title}, ${bytesText(file.size)}; ${part}:\n\n${block(file.head)}`;
    }
  }
}

function aboutProject({ manifests, readme }: ProjectFacts, listing: CommandResult | null): string {
  const facts = manifests.map(({ file, name, description }) => {
    const called = name === null ? 'has no name' : `is called **${prose(name)}**`;
    return `By ${code(file)} it ${called}${description === null ? '.' : `: ${prose(description)}`}`;
  });
  if (readme !== null) {
    const heading = readme.heading === null ? '' : ` is headed “${prose(readme.heading)}”`;
    const paragraph =
      readme.paragraph === null ? '' : `${heading === '' ? '' : ' and'} begins: “${prose(readme.paragraph)}”`;
    if (heading + paragraph !== '') facts.push(`Its ${code(readme.file)}${heading}${paragraph}`);
  }
  if (facts.length > 0) return `**The project.** ${facts.join(' ')}`;
  const entries = listing?.exitCode === 0 ? listing.output.split('\n').filter((line) => line !== '').length : null;
  const size = entries === null ? '' : ` ${code('ls')} lists ${counted(entries, 'entry', 'entries')}.`;
  return `**The project.** I found neither a README nor a manifest that I read, so I cannot say what it is.${size}`;
}

function aboutSize(survey: Survey): string {
  const languages = survey.languages.filter(({ lines }) => lines > 0);
  const shown = languages
    .slice(0, MAX_LANGUAGES)
    .map(({ language, lines, files }) => `${language} ${counted(lines, 'line')} in ${counted(files, 'file')}`);
  const rest =
    languages.length > MAX_LANGUAGES ? `, and ${counted(languages.length - MAX_LANGUAGES, 'more language')}` : '';
  const notes = [
    survey.skipped.length === 0 ? null : `Left out: ${survey.skipped.map(code).join(', ')}.`,
    survey.links === 0 ? null : `${counted(survey.links, 'symbolic link')} not followed.`,
    survey.unreadable === 0
      ? null
      : `${counted(survey.unreadable, 'file or directory', 'files or directories')} could not be read.`,
    survey.bounded === null ? null : `That is not all: ${survey.bounded}.`,
  ].filter((note) => note !== null);
  const what =
    shown.length === 0 ? '' : `, ${counted(survey.lines, 'line')} of text I know: ${shown.join('; ')}${rest}`;
  return [`**Its size.** ${counted(survey.files, 'file')}${what}.`, ...notes].join(' ');
}

function aboutChanges(log: CommandResult, status: CommandResult | null): string {
  if (log.exitCode !== 0) {
    return `**Lately.** ${code('git log')} ${endedHow(log)}, so I know of no history here.`;
  }
  const commits = linesOf(log.output).map((line) => `- ${code(line)}`);
  const recent = commits.length === 0 ? 'There is no commit yet.' : `The last commits:\n${commits.join('\n')}`;
  return `**Lately.** ${recent}\n\n${uncommitted(status)}`;
}

function uncommitted(status: CommandResult | null): string {
  if (status === null) return '';
  if (status.exitCode !== 0) return `${code('git status')} ${endedHow(status)}.`;
  const lines = readStatus(status.output).changed;
  if (lines.length === 0) return 'Nothing is uncommitted.';
  const shown = block(lines.slice(0, MAX_STATUS_LINES).join('\n'));
  const more = lines.length > MAX_STATUS_LINES ? `\n\nAnd ${lines.length - MAX_STATUS_LINES} more.` : '';
  return `${counted(lines.length, 'path')} not committed:\n\n${shown}${more}`;
}

function endedHow({ exitCode }: CommandResult): string {
  return exitCode === null ? 'could not be run' : `ended with exit code ${exitCode}`;
}

function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line.trim() !== '');
}

function aboutMemory({ taken, turns }: Session): string {
  if (taken === 0) return 'This is the first message of this session, so there is nothing before it to remember.';
  const recalled = turns.slice(-MAX_RECALLED_TURNS).map(({ text, pictures }) => {
    const line = text.replace(/\s+/g, ' ').trim();
    const said =
      line === ''
        ? 'no text'
        : `“${prose(line.slice(0, MAX_RECALLED_LENGTH))}${line.length > MAX_RECALLED_LENGTH ? '…' : ''}”`;
    const names = pictures.map(({ name }) => `**${prose(name)}**`);
    return `- ${said}${names.length === 0 ? '' : `, with ${listed(names)}`}`;
  });
  const which = taken > recalled.length ? `, the last ${recalled.length} of which were` : '';
  return `You sent ${counted(taken, 'message')} before this one in this session${which}:\n${recalled.join('\n')}`;
}

const ADD_AN_AGENT = `**To talk with a real agent**, install its command-line program and sign in once, in a terminal:

\`\`\`sh
npm install -g @openai/codex
codex login
\`\`\`

Then start a new conversation and give the seat to Codex. Settings shows whether Parley finds it, and where it looked.`;

const WHAT_I_CAN = `**What I can do.** Attach images and I report format, size and colours. Ask about the *project*, its *size* or recent *changes*; name a file of the working directory and I show its beginning; ask what you said *earlier*; ask about *agents* to add a real one. I never write anything in the working directory.`;

function closing({ heard, session, pictures, files }: Findings): string | null {
  if (heard.beyond !== null) {
    return `“${prose(heard.beyond)}” is beyond me: that needs understanding, and I have no model. A real agent such as Codex could try it; ask me about *agents* to add one.`;
  }
  const foundNothing = heard.intents.length === 0 && pictures.length === 0 && files.length === 0;
  return foundNothing || session.taken === 0 ? WHAT_I_CAN : null;
}

function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
