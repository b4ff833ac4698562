// The log of one session of Claude Code, for commands that read logs of other agents.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Scene } from './scene.ts'

const id = '11111111-1111-4111-8111-111111111111'
const usage = { input_tokens: 3, output_tokens: 4 }

/** Returns the path of the log, which lies where Claude Code writes it. */
export function writeClaudeLog({ root, project: cwd }: Scene): string {
  const folder = path.join(root, 'home/.claude/projects/x')
  mkdirSync(folder, { recursive: true })
  const common = { sessionId: id, cwd, timestamp: '2026-01-01T00:00:00.000Z' }
  const content = [{ type: 'text', text: 'the answer' }]
  const lines = [
    { ...common, type: 'user', uuid: 'a1', message: { role: 'user', content: 'ask' } },
    {
      ...common,
      type: 'assistant',
      uuid: 'a2',
      parentUuid: 'a1',
      message: { role: 'assistant', model: 'claude-x', content, usage },
    },
  ]
  const file = path.join(folder, `${id}.jsonl`)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}
