// `zeno send`: answers one request and prints the answer. Exits with 1 if the answer is an error
// or the trace is incomplete.
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { asciiJson } from '../../json/json.ts'
import { openService } from '../../service/service.ts'
import type { ServiceSettings } from '../../service/service.ts'
import { isBadRequest, parseRequest } from '../../protocol/protocol.ts'
import type { Request } from '../../protocol/protocol.ts'
import { isObject } from '@zee/core/json'

export interface SendOptions extends ServiceSettings {
  op?: string | undefined
  args?: string | undefined
  request?: string | undefined
  id?: string | undefined
  pretty: boolean
}

export async function runSend(options: SendOptions, host: Host): Promise<number> {
  const request = buildRequest(options, `req-${Math.floor(host.clock.now().getTime() / 1000)}`)
  const { service, isTraceIncomplete, close } = await openService(options, host)
  try {
    const answer = await service.answer(request)
    const text = options.pretty ? asciiJson(JSON.parse(answer.json), 2) : answer.json
    await terminalSafeWriter(host.stdout)(`${text}\n`)
    answer.writeTrace()
    return answer.outcome.ok && !isTraceIncomplete() ? 0 : 1
  } finally {
    await close()
  }
}

function buildRequest({ op, args, request, id }: SendOptions, defaultId: string): Request {
  if (request !== undefined) {
    if (op !== undefined || args !== undefined) {
      throw usageError('--request cannot be combined with --op or --args')
    }
    return parseFullRequest(request, id, defaultId)
  }
  if (op === undefined) throw usageError('missing request: pass --op <name> or --request <json>')
  return { id: id ?? defaultId, op, args: args === undefined ? {} : parseArgs(args) }
}

function parseFullRequest(json: string, id: string | undefined, defaultId: string): Request {
  const parsed = parseRequest(Buffer.from(json))
  if (parsed === undefined) throw usageError('--request is empty')
  if (isBadRequest(parsed)) throw usageError(`--request: ${parsed.problem}`)
  return { ...parsed, id: id ?? parsed.id ?? defaultId }
}

function parseArgs(json: string): unknown {
  let args: unknown
  try {
    args = JSON.parse(json)
  } catch (error) {
    throw usageError(`--args is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(args)) throw usageError('--args must be a JSON object')
  return args
}
