// Copies of forgotten messages in the inbox and in finished timers. tmr removes them; while none runs, mem
// does it under the lock of tmr.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { cutToBytes } from '@zee/core/bounded'
import { ZeeError } from '@zee/core/errors'
import { askService, lostCode, unreachableCode } from '../../client/client.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { Forgotten } from '../../turns/turns.ts'

/** tmr ends the runs of the turns within this time. */
const deadlineMs = 10_000
/** tmr may start or stop between two attempts. */
const maxAttempts = 5
/** The inbox keeps no longer texts. */
const maxTextBytes = 64 * 1024

export async function forgetInTimers(
  context: Pick<ServiceContext, 'config' | 'clock' | 'log'>,
  forgotten: Forgotten,
): Promise<void> {
  const folder = path.resolve(context.config.mem.data_dir)
  const files = ['inbox.jsonl', 'timers.jsonl'].map((name) => path.join(folder, name))
  if (!files.some((file) => existsSync(file))) return
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askTimers(context.config.tmr.socket, forgotten)
    } catch (error) {
      if (!hasCode(error, unreachableCode) && !hasCode(error, lostCode)) throw error
    }
    try {
      // Loaded only for this: mem stays small.
      const { forgetInFiles } = await import('../timers/timers.ts')
      return await forgetInFiles(context, forgotten)
    } catch (error) {
      if (!hasCode(error, 'lock_timeout') || attempt === maxAttempts) throw error
    }
  }
}

async function askTimers(socket: string, { turns, texts }: Forgotten): Promise<void> {
  const cut = texts.map((text) => cutToBytes(text, maxTextBytes).text)
  const request = { type: 'forget', turns: [...turns], texts: cut }
  const reply = await askService(socket, request, { deadlineMs })
  if (reply.type === 'error') throw new ZeeError('inbox_not_forgotten', String(reply.message))
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof ZeeError && error.code === code
}
