// `zino receipts show|verify`.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { terminalSafeText } from '@zee/core/colour'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { fitLines } from '@zee/core/fit-lines'
import { findClientConfig } from '../config/config.ts'
import type { Receipt } from './receipt.ts'
import { receiptsFile } from './file.ts'
import { sinceMs } from '@zee/core/since'
import { readReceipts, verifyReceipts } from './verify.ts'

interface ReceiptsCall {
  config: string | undefined
  file: string | undefined
  json: boolean
}

export interface ShowCall extends ReceiptsCall {
  turn: string | undefined
  channel: string | undefined
  since: string | undefined
  last: number | undefined
}

export async function showReceipts(call: ShowCall, host: Host): Promise<number> {
  const startMs = sinceMs(call.since, host.clock.now())
  const file = await fileOf(call, host)
  const found = readReceipts(file).filter(
    ({ turn, channel, ts }) =>
      (call.turn === undefined || turn === call.turn) &&
      (call.channel === undefined || channel === call.channel) &&
      Date.parse(ts) >= startMs,
  )
  if (call.turn !== undefined && found.length === 0) {
    throw new ZeeError('no_receipt', `there is no receipt of turn ${call.turn}`)
  }
  const receipts = call.last === undefined ? found : found.slice(-call.last)
  if (call.json) host.stdout.write(`${JSON.stringify({ receipts }, null, 2)}\n`)
  else {
    const safe = terminalSafeText(host.stdout)
    const lines = fitLines(receipts.map(describe), host.stdout)
    host.stdout.write(lines.map((line) => `${safe(line)}\n`).join('') || 'no receipts\n')
  }
  return 0
}

/** Resolves to exit code 1 when a byte was changed. */
export async function verifyFile(call: ReceiptsCall, host: Host): Promise<number> {
  const file = await fileOf(call, host)
  const verdict = verifyReceipts(file, call.file !== undefined)
  const { receipts, problems, torn, head, is_end_known: isEndKnown } = verdict
  const ok = problems.length === 0
  if (call.json) host.stdout.write(`${JSON.stringify({ ok, file, ...verdict }, null, 2)}\n`)
  else {
    for (const { line, text } of problems) host.stdout.write(`${file}:${line}: this line ${text}\n`)
    for (const line of torn)
      host.stdout.write(`${file}:${line}: a crash left this line incomplete\n`)
    if (!isEndKnown && receipts > 0) {
      host.stdout.write('without a head record, lines cut from the end are not noticed\n')
    }
    const verb = ok ? 'intact' : 'NOT intact'
    host.stdout.write(`${receipts} receipts, the chain is ${verb} (head ${head.slice(0, 12)})\n`)
  }
  return ok ? 0 : 1
}

async function fileOf(call: ReceiptsCall, host: Host): Promise<string> {
  if (call.file !== undefined) {
    const file = path.resolve(host.cwd, call.file)
    if (!existsSync(file)) throw new ZeeError('no_receipt', `${file} does not exist`)
    return file
  }
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd }
  return receiptsFile((await findClientConfig(lookup)).config)
}

function describe(receipt: Receipt): string {
  const { ts, turn, channel, answer, tokens, cost, execution, permission } = receipt
  const where = channel === null ? '' : ` #${channel}`
  const price = cost.usd === null ? '' : `, $${cost.usd}`
  const about = tokens.estimated === true ? 'about ' : ''
  const counts = `${execution.length} calls, ${about}${tokens.input}+${tokens.output} tokens${price}`
  const limits = permission.allow === null ? '' : ', limited'
  const reason = answer.error ?? answer.limit
  const why = reason === undefined ? '' : `: ${reason}`
  return `${ts} ${turn}${where} ${answer.state}, ${counts}${limits}${why}`
}
