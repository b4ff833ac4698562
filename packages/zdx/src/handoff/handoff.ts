// The handoff bundle: the minimum context for a new session with a given goal, as a Markdown draft. It
// is built from the session alone; a model can rewrite the starter prompt.
import type { Host } from '@zee/core/exit'
import { oneLine, ZeeError } from '@zee/core/errors'
import { createRedactor } from '@zee/core/redact'
import path from 'node:path'
import { cutToCharacters } from '../text/text.ts'
import { fenced } from '../text/text.ts'
import type { SessionDigest } from './session-digest.ts'
import { digestSession } from './session-digest.ts'

export interface HandoffSource {
  folder: string
  id: string
  goal: string
  root: string
  env: Host['env']
  /** Rewrites the draft of the starter prompt. */
  writePrompt?: (draft: string) => Promise<string>
}

const maxFiles = 20
const maxCommands = 15
const maxAnswerCharacters = 1500
const maxPromptCharacters = 400

export async function handoffText(source: HandoffSource): Promise<string> {
  const { folder, id, goal, root, env, writePrompt } = source
  const digest = await digestSession(folder, id, root)
  if (digest === undefined) throw new ZeeError('no_session', `there is no session '${oneLine(id)}'`)
  const redactor = createRedactor({ environment: env })
  const safe = (text: string) => redactor.text(text).text
  const files = relativeFiles(digest, root)
  const tasks = openTasks(digest, goal).map(safe)
  const draft = safe(starterPrompt(digest, goal, files))
  const prompt = writePrompt === undefined ? draft : safe(await writePrompt(draft))
  const commands = digest.commands.slice(-maxCommands).map(({ command }) => safe(command))
  return [
    `# Goal\n\n${goal}\n`,
    `## Starter prompt\n\n${fenced(prompt, 'text')}`,
    `## Relevant files\n\n${bulletList(files, '-')}`,
    `## Open tasks\n\n${bulletList(tasks, '- [ ]')}`,
    `## Repro commands\n\n${commands.length === 0 ? 'None were run.\n' : fenced(commands.join('\n'), 'sh')}`,
  ].join('\n')
}

function bulletList(items: readonly string[], mark: string): string {
  return items.length === 0 ? 'None.\n' : items.map((item) => `${mark} ${item}\n`).join('')
}

function relativeFiles({ files }: SessionDigest, root: string): string[] {
  return files.slice(0, maxFiles).map((file) => oneLine(path.relative(root, file.path) || '.'))
}

/** Unchecked items, commands that failed last, interrupted work, and the goal. */
function openTasks(digest: SessionDigest, goal: string): string[] {
  const failed = digest.commands.filter((command) => command.failed).slice(-3)
  return [
    ...digest.openItems.map(oneLine),
    ...failed.map(({ command }) => `Make this pass: \`${oneLine(command)}\``),
    ...(digest.interrupted ? [`Finish what was interrupted: ${shorten(digest.lastPrompt)}`] : []),
    oneLine(goal),
  ]
}

function starterPrompt(digest: SessionDigest, goal: string, files: readonly string[]): string {
  const { firstPrompt, lastPrompt, lastAnswer, commands } = digest
  const parts = [
    goal,
    'Context from the previous session:',
    `- It started with: ${shorten(firstPrompt)}`,
    ...(lastPrompt === firstPrompt ? [] : [`- The last request was: ${shorten(lastPrompt)}`]),
    ...(files.length === 0 ? [] : [`- Files it worked on: ${files.join(', ')}`]),
    ...commands.slice(-5).map(({ command, failed }) => {
      return `- It ran \`${oneLine(command)}\`, which ${failed ? 'failed' : 'succeeded'}.`
    }),
  ]
  const shown = cutToCharacters(lastAnswer.trim(), maxAnswerCharacters)
  const answer =
    shown.text === ''
      ? ''
      : `\n\nIts last answer was:\n\n${shown.text}${shown.truncated ? ' …' : ''}`
  return `${parts.join('\n')}${answer}\n\nRead the files before you change them.`
}

function shorten(text: string): string {
  const { text: cut, truncated } = cutToCharacters(oneLine(text), maxPromptCharacters)
  return truncated ? `${cut}…` : cut
}
