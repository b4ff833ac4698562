// `zcl http serve-trace`: serves the HTTP answers of a recorded trace until a signal arrives.
import type { Host } from '@zee/core/exit'
import { traceEvents } from '@zee/evidence/events'
import { resolveAttempt } from '../../../attempts/attempts.ts'
import { printJson } from '../../../output/output.ts'
import { redactorFor } from '../../../redaction/redaction.ts'
import { zclError } from '../../../errors/errors.ts'
import { openServed, type ServePlan } from '../../../served/served.ts'
import { listenOn } from '../../listen-on.ts'
import { serveUntilEnd } from '../../serve-until-end.ts'
import { listenText, proxyUrl, type ListenAddress } from '../../funnels.ts'
import { servedAnswersServer } from './served-answers.ts'

export async function runHttpServeTrace(
  argument: string | undefined,
  { listen }: { listen: ListenAddress },
  host: Host,
): Promise<number> {
  const { folder } = await resolveAttempt(argument, host)
  if (!(await holdsRequest(folder))) {
    throw zclError('ZCL_E_MISSING_EVIDENCE', `${folder}: its trace holds no HTTP request`)
  }
  const redactor = redactorFor(host)
  const plan: ServePlan = { schemaVersion: 1, source: folder, others: [], live: false }
  const served = await openServed(plan, redactor)
  const server = servedAnswersServer({
    served,
    redactor,
    identity: undefined,
    basePath: undefined,
  })
  const ending = serveUntilEnd(undefined)
  try {
    const address = await listenOn(server, listen)
    printJson(host, { ok: true, listenAddr: listenText(address), url: proxyUrl(address) })
    await ending.ended
  } finally {
    ending.release()
    server.close()
    server.closeAllConnections()
  }
  return 0
}

async function holdsRequest(folder: string): Promise<boolean> {
  for await (const { tool, input } of traceEvents(folder)) {
    if (tool === 'http' && typeof input.url === 'string') return true
  }
  return false
}
