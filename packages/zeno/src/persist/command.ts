// `zeno persist`: the two forms in which agent programs call it, told apart by where the JSON is.
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
