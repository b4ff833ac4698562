// `zeno serve`: JSONL over standard input and output, one request at a time, answers in request order.
// Signals keep their default action. Every answer already sent has been written and traced by then.
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { HttpLimits } from './http/http.ts'
import { answerLines } from './answer-lines.ts'
import { openService } from '../service/service.ts'
import type { OpenService, Service, ServiceSettings } from '../service/service.ts'
import { standardInput, standardOutput } from './stdio.ts'

export interface ServeSettings extends ServiceSettings, Partial<HttpLimits> {
  /** Address to serve over HTTP. */
  http?: string | undefined
  /** Further host names of the HTTP server. */
  httpHost?: readonly string[]
}

export async function runServe(settings: ServeSettings, host: Host): Promise<number> {
  const { socket, http } = settings
  if (socket !== undefined && http !== undefined) {
    throw usageError('pass either --socket or --http')
  }
  if (http !== undefined) {
    return (await import('./http/http.ts')).runServeHttp({ ...settings, http }, host)
  }
  if (socket !== undefined) {
    return (await import('./socket-server.ts')).runServeSocket({ ...settings, socket }, host)
  }
  const opened = await openService(settings, host)
  try {
    const write = standardOutput(host)
    const service = settings.tokens === undefined ? opened.service : await checked(opened)
    await answerLines(service, standardInput(host), { write, canReuseMemory: true })
  } finally {
    await opened.close()
  }
  return 0

  async function checked(shared: OpenService): Promise<Service> {
    const { serviceWithAccess } = await import('./access-check.ts')
    return (await serviceWithAccess(shared, settings, host))(1)
  }
}
