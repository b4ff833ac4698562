// `sessions list` and `sessions show`.
import type { SessionRecord } from '@zee/agent'
import { listSessions, readSession } from '@zee/agent'
import { cutCharacters } from './cut-characters.ts'
import type { Call } from '@zee/core/command-line'
import { rfc3339 } from '@zee/core/clock'
import { baseFolder, sessionsFolder } from './base-folder.ts'
import { during } from './context.ts'
import { lossless } from './lossless.ts'

const shownCharacters = 500

export async function runList({ host }: Pick<Call, 'host'>): Promise<number> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  const sessions = await during('list sessions', () => listSessions(folder))
  const lines = sessions.map(({ id, modifiedMs }) => `${id}  ${minute(modifiedMs)}\n`)
  await lossless(host.stdout)(lines.length === 0 ? 'No sessions found.\n' : lines.join(''))
  return 0
}

export async function runShow({ host, args }: Pick<Call, 'host' | 'args'>): Promise<number> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  const id = args[0] ?? ''
  const write = lossless(host.stdout)
  let sections = 0
  await during(`load session '${id}'`, async () => {
    for await (const record of readSession(folder, id)) {
      const section = sectionOf(record)
      if (section === undefined) continue
      await write(sections === 0 ? section : `\n${section}`)
      sections += 1
    }
  })
  if (sections === 0) await write(`Session '${id}' is empty or not found.\n`)
  return 0
}

function sectionOf(record: SessionRecord): string | undefined {
  switch (record.type) {
    case 'meta':
      return `### Session (schema v${record.schema_version})\n`
    case 'message':
      return `### ${record.role === 'user' ? 'You' : 'Assistant'}\n\n${record.text}\n`
    case 'tool_use':
      return `### Tool: ${record.name}\n\n${fenced(pretty(record.input))}`
    case 'tool_result': {
      const { text, truncated } = cutCharacters(pretty(record.output), shownCharacters)
      return `### Result ${record.ok ? '✓' : '✗'}\n\n${fenced(truncated ? `${text}...` : text)}`
    }
    case 'interrupted':
      return '### Interrupted\n'
    case 'thinking':
      return record.text === '' ? undefined : `### Thinking\n\n${record.text}\n`
  }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** The fence is longer than any in the text, so that nothing can close it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}json\n${text}\n${fence}\n`
}

function minute(ms: number): string {
  return rfc3339(new Date(ms), 0).slice(0, 16).replace('T', ' ')
}
