// `zeno persist`: selects the calling convention. Codex passes JSON as an argument, Claude Code on standard
// input.
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { persistClaude } from './claude.ts'
import { persistCodex } from './codex.ts'

export async function runPersist(
  payload: string | undefined,
  form: string | undefined,
  host: Host,
): Promise<number> {
  const chosen = form ?? (payload === undefined ? 'claude' : 'codex')
  if (chosen === 'claude') return persistClaude(payload ?? (await readAll(host)), host)
  if (payload === undefined)
    throw usageError('the codex form needs the notification as an argument')
  return persistCodex(payload, host)
}

async function readAll(host: Host): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
