// `zeno persist`: selects the calling convention. Codex passes JSON as an argument, Claude Code on standard
// input.
import { readBoundedInput } from '@zee/core/bounded-input'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { persistClaude } from './claude.ts'
import { persistCodex } from './codex.ts'

const maxPayloadBytes = 64 << 20

export async function runPersist(
  payload: string | undefined,
  form: string | undefined,
  host: Host,
): Promise<number> {
  const chosen = form ?? (payload === undefined ? 'claude' : 'codex')
  if (chosen === 'claude')
    return persistClaude(payload ?? (await readBoundedInput(host.stdin, maxPayloadBytes)), host)
  if (payload === undefined)
    throw usageError('the codex form needs the notification as an argument')
  return persistCodex(payload, host)
}
