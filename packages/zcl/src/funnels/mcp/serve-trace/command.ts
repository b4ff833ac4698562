// `zcl mcp serve-trace`: an MCP server that answers from a recorded trace, so that an agent can run against
// recorded tools. Requests are matched by method and parameters.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { LineSplitter } from '@zee/core/line-splitter'
import { streamWriter } from '@zee/core/lossless'
import { attemptFromEnvironment } from '@zee/evidence/attempt'
import { traceEvents } from '@zee/evidence/events'
import { resolveAttempt } from '../../../attempts/attempts.ts'
import { redactorFor } from '../../../redaction/redaction.ts'
import { zclError } from '../../../errors/errors.ts'
import {
  openServed,
  readServePlan,
  servedFileName,
  type ServePlan,
} from '../../../served/served.ts'
import { LiveServer } from './live-server.ts'
import { parsed, Responder } from './responder.ts'

type Loose = Readonly<Record<string, unknown>>

/** Longer lines match no recorded request. */
const maxLineBytes = 16 * 1024 * 1024

/** Serves the trace of an attempt until the client ends. */
export async function runMcpServeTrace(argument: string | undefined, host: Host): Promise<number> {
  const { folder } = await resolveAttempt(argument, host)
  const plan: ServePlan = { schemaVersion: 1, source: folder, others: [], live: false }
  const redactor = redactorFor(host)
  if (!(await holdsRequest(folder))) {
    throw zclError('ZCL_E_MISSING_EVIDENCE', `${folder}: its trace holds no MCP request`)
  }
  const served = await openServed(plan, redactor)
  const responder = new Responder(served, redactor, undefined, undefined)
  await serve(host, (message) => responder.respond(message))
  return 0
}

async function holdsRequest(folder: string): Promise<boolean> {
  for await (const { tool, input } of traceEvents(folder)) {
    if (tool === 'mcp' && typeof input.method === 'string') return true
  }
  return false
}

/** Serves the plan of a fork in place of the server `argv`, which only live requests start. */
export async function serveMcpPlan(
  { plan: name, attempt }: { plan: string; attempt: string | undefined },
  argv: readonly string[],
  host: Host,
): Promise<number> {
  const { folder, identity } = attemptFromEnvironment(host.env, host.cwd, attempt)
  const redactor = redactorFor(host)
  const plan = await readServePlan(name, host.cwd)
  const served = await openServed(plan, redactor, path.join(folder, servedFileName))
  const live = new LiveServer(argv, { ...host.env })
  const responder = new Responder(served, redactor, identity, live)
  await serve(host, (message) => responder.respond(message))
  await live.close()
  return 0
}

/** Answers each input line until the client ends; the last line needs no line ending. */
async function serve(
  host: Host,
  respond: (message: Loose) => Promise<string | undefined>,
): Promise<void> {
  const write = streamWriter(host.stdout)
  let waiting: Loose[] = []
  const lines = new LineSplitter(maxLineBytes, {
    line(bytes, start, end) {
      waiting.push(...parsed(bytes.toString('utf8', start, end)))
      return true
    },
    tooLong: () => true,
  })
  const send = async (): Promise<void> => {
    const messages = waiting
    waiting = []
    for (const message of messages) {
      const response = await respond(message)
      if (response !== undefined) await write(`${response}\n`)
    }
  }
  for await (const chunk of host.stdin) {
    lines.push(chunk as Buffer)
    await send()
  }
  lines.end()
  await send()
}
