// `zeno serve`: JSONL over standard input and output, one request at a time, answers in request order.
// Signals keep their default action. Every answer already sent has been written and traced by then.
import type { Host } from '@zee/core/exit'
import { answerLines } from './answer-lines.ts'
import { openService } from '../service/service.ts'
import type { ServiceSettings } from '../service/service.ts'
import { standardInput, standardOutput } from './stdio.ts'

export async function runServe(settings: ServiceSettings, host: Host): Promise<number> {
  const { socket } = settings
  if (socket !== undefined) {
    return (await import('./socket-server.ts')).runServeSocket({ ...settings, socket }, host)
  }
  const { service, close } = await openService(settings, host)
  try {
    const write = standardOutput(host)
    await answerLines(service, standardInput(host), { write, canReuseMemory: true })
  } finally {
    await close()
  }
  return 0
}
