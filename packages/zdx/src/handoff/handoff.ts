// A handoff bundle: the least that someone needs who starts afresh towards a goal. It is a draft in
// Markdown, made from the session alone; a model may be asked for a better starter prompt.
import type { Host } from '@zee/core/exit'
import { oneLine, ZeeError } from '@zee/core/errors'
import { createRedactor } from '@zee/core/redact'
import path from 'node:path'
import { cutCharacters } from '../text/text.ts'
import { fenced } from '../text/text.ts'
import type { SessionDigest } from './session-digest.ts'
import { digestSession } from './session-digest.ts'

export interface HandoffSource {
  folder: string
  id: string
  goal: string
  root: string
  env: Host['env']
  /** Writes the starter prompt in place of the draft. */
  writePrompt?: (draft: string) => Promise<string>
}

const mostFiles = 20
const mostCommands = 15
const answerCharacters = 1500
const promptCharacters = 400

export async function handoffText(source: HandoffSource): Promise<string> {
  const { folder, id, goal, root, env, writePrompt } = source
  const digest = await digestSession(folder, id, root)
  if (digest === undefined) throw new ZeeError('no_session', `there is no session '${oneLine(id)}'`)
  const redactor = createRedactor({ environment: env })
  const safe = (text: string) => redactor.text(text).text
  const files = filesOf(digest, root)
  const tasks = tasksOf(digest, goal).map(safe)
  const draft = safe(starterPrompt(digest, goal, files))
  const prompt = writePrompt === undefined ? draft : safe(await writePrompt(draft))
  const commands = digest.commands.slice(-mostCommands).map(({ command }) => safe(command))
  return [
    `# Goal\n\n${goal}\n`,
    `## Starter prompt\n\n${fenced(prompt, 'text')}`,
    `## Relevant files\n\n${list(files, '-')}`,
    `## Open tasks\n\n${list(tasks, '- [ ]')}`,
    `## Repro commands\n\n${commands.length === 0 ? 'None were run.\n' : fenced(commands.join('\n'), 'sh')}`,
  ].join('\n')
}

function list(items: readonly string[], mark: string): string {
  return items.length === 0 ? 'None.\n' : items.map((item) => `${mark} ${item}\n`).join('')
}

function filesOf({ files }: SessionDigest, root: string): string[] {
  return files.slice(0, mostFiles).map((file) => oneLine(path.relative(root, file.path) || '.'))
}

/** What the model left unchecked, what failed last, what was cut off, and the goal itself. */
function tasksOf(digest: SessionDigest, goal: string): string[] {
  const failed = digest.commands.filter((command) => command.failed).slice(-3)
  return [
    ...digest.openItems.map(oneLine),
    ...failed.map(({ command }) => `Make this pass: \`${oneLine(command)}\``),
    ...(digest.interrupted ? [`Finish what was interrupted: ${short(digest.lastPrompt)}`] : []),
    oneLine(goal),
  ]
}

function starterPrompt(digest: SessionDigest, goal: string, files: readonly string[]): string {
  const { firstPrompt, lastPrompt, lastAnswer, commands } = digest
  const parts = [
    goal,
    'Context from the session before:',
    `- It began with: ${short(firstPrompt)}`,
    ...(lastPrompt === firstPrompt ? [] : [`- The last request was: ${short(lastPrompt)}`]),
    ...(files.length === 0 ? [] : [`- Files it worked on: ${files.join(', ')}`]),
    ...commands.slice(-5).map(({ command, failed }) => {
      return `- It ran \`${oneLine(command)}\`, which ${failed ? 'failed' : 'went well'}.`
    }),
  ]
  const said = cutCharacters(lastAnswer.trim(), answerCharacters)
  const answer =
    said.text === '' ? '' : `\n\nIts last words were:\n\n${said.text}${said.truncated ? ' …' : ''}`
  return `${parts.join('\n')}${answer}\n\nRead the files before you change them.`
}

function short(text: string): string {
  const { text: cut, truncated } = cutCharacters(oneLine(text), promptCharacters)
  return truncated ? `${cut}…` : cut
}
