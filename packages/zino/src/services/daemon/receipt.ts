// Makes the receipt of a finished turn from its own record and that of agr.
import { readFileSync } from 'node:fs'
import { rfc3339 } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import { createRedactor, type Redactor } from '@zee/core/redact'
import manifest from '../../../package.json' with { type: 'json' }
import type { Receipt, ReceiptExecution } from '../../receipts/receipts.ts'
import { appendReceipt, hasReceipt, receiptsFile, textFacts } from '../../receipts/receipts.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { ExecutionFacts, RecordedCall, RunRecords } from '../../turns/turns.ts'
import { keepAnswers, readRunRecords } from '../../turns/turns.ts'
import type { Inference } from './turn-record.ts'
import type { Turn } from './turn.ts'

const maxTextBytes = 300

/** Appends the receipt; a failure is logged, because an answer must not wait for a full disk. */
export async function writeReceipt(context: ServiceContext, turn: Turn): Promise<void> {
  const { config, log } = context
  try {
    const file = keepAnswers(config, turn.id, config.mem.redact ? redactorOf(context) : undefined)
    const records = file === undefined ? undefined : readRunRecords(file)
    const recording = file === undefined ? null : textFacts(readFileSync(file))
    const receipt = { ...(await makeReceipt(context, turn, records)), recording }
    await appendReceipt(receiptsFile(config), redacted(receipt, context))
    turn.isReceipted = true
  } catch (error) {
    log.warn(`receipt of turn ${turn.id}: ${reasonOf(error)}`)
  }
}

/** For a turn that may have its receipt already: it ended before a crash, or an append has failed. */
export async function writeMissingReceipt(context: ServiceContext, turn: Turn): Promise<void> {
  if (turn.isReceipted) return
  try {
    turn.isReceipted = hasReceipt(receiptsFile(context.config), turn.id)
    if (turn.isReceipted) return
  } catch (error) {
    context.log.warn(`receipts cannot be read: ${reasonOf(error)}`)
    return
  }
  await writeReceipt(context, turn)
}

async function makeReceipt(
  { clock }: ServiceContext,
  turn: Turn,
  records: RunRecords | undefined,
): Promise<Omit<Receipt, 'recording'>> {
  const { begin, answer } = turn
  const all = (records?.calls ?? []).flatMap((call, number) => executionsOf(call, number))
  const inferences = inferencesOf(turn, records)
  return {
    v: 1,
    turn: turn.id,
    channel: begin.channel || null,
    started: begin.ts,
    ts: answer?.ts ?? rfc3339(clock.now()),
    version: manifest.version,
    request: textFacts(begin.message),
    context: contextOf(records, begin.history?.length),
    permission: {
      allow: begin.allow ?? null,
      approve: begin.approve ?? null,
      decisions: all.flatMap(({ call, sub, facts }) =>
        facts?.permission === undefined ? [] : [{ call, sub, ...facts.permission }],
      ),
    },
    execution: all.map((each) => executionOf(each)),
    answer: {
      state: answer !== undefined ? 'answered' : turn.wasCancelled ? 'cancelled' : 'failed',
      ...(answer === undefined ? {} : textFacts(answer.transcript)),
      truncated: answer?.truncated,
      limit: records?.end?.limit,
      error: turn.failure,
    },
    iterations: answer?.iterations ?? records?.end?.iterations ?? 0,
    models: [...new Set(inferences.flatMap(nameOfModel))],
    tokens: tokensOf(inferences),
    cost: { usd: await costOf(inferences) },
  }
}

function inferencesOf({ answer }: Turn, records: RunRecords | undefined): Inference[] {
  const direct = answer?.inference
  if (records === undefined) return direct === undefined ? [] : [direct]
  return records.inferences.map(({ model, provider, tokens }) => {
    const { input, output, estimated } = tokens
    return { model, provider, input, output, estimated: estimated === true }
  })
}

function contextOf(
  records: RunRecords | undefined,
  fromClient: number | undefined,
): Receipt['context'] {
  const prompt = records?.prompt
  if (prompt === undefined) return null
  const { sha256 } = textFacts(JSON.stringify(prompt))
  return { sha256, messages: prompt.length, from_client: fromClient }
}

interface CallExecution {
  call: number
  sub?: ReceiptExecution['sub']
  facts: ExecutionFacts | undefined
  result: string
}

/** A call, and before it the calls of its sub-agent. */
function executionsOf(
  { steps = [], execution: facts, result = '' }: RecordedCall,
  call: number,
): CallExecution[] {
  const ofSubAgent = steps.flatMap(({ results, executions }, step) =>
    results.map((text, index) => ({
      ...{ call, sub: { step, call: index }, facts: executions?.[index], result: text },
    })),
  )
  return [...ofSubAgent, { call, facts, result }]
}

function executionOf({ call, sub, facts, result }: CallExecution): ReceiptExecution {
  const rule = /\[(?:allow\.\w+|approve)\]/.exec(result)?.[0]
  return {
    call,
    sub,
    executor: facts?.executor,
    code: facts === undefined ? undefined : textFacts(facts.code),
    result: textFacts(result),
    exit_code: facts?.exit_code ?? null,
    rule,
  }
}

function nameOfModel({ provider, model }: Inference): string[] {
  return model === undefined ? [] : [provider === undefined ? model : `${provider}:${model}`]
}

function tokensOf(inferences: readonly Inference[]): Receipt['tokens'] {
  const input = inferences.reduce((sum, each) => sum + each.input, 0)
  const output = inferences.reduce((sum, each) => sum + each.output, 0)
  const isEstimated = inferences.some(({ estimated }) => estimated)
  return { input, output, ...(isEstimated ? { estimated: true } : {}) }
}

async function costOf(inferences: readonly Inference[]): Promise<number | null> {
  if (inferences.length === 0) return 0
  // The table of prices is loaded with the first receipt, not with the service.
  const { costAtPrice, modelFacts } = await import('@zee/llm/facts')
  let sum = 0
  for (const { provider, model, input, output } of inferences) {
    const facts = modelFacts(provider ?? '', model ?? '')
    if (facts === undefined) return null
    sum += costAtPrice(facts.price, { inputTokens: input, outputTokens: output })
  }
  return Math.round(sum * 1e8) / 1e8
}

/** Texts of users and providers; everything else is hashes, numbers and names of zino. */
function redactorOf({ config, env }: Pick<ServiceContext, 'config' | 'env'>): Redactor {
  return createRedactor({ environment: { ...env, ZINO_API_KEY: config.api.key } })
}

function redacted(receipt: Receipt, { config, env }: ServiceContext): Receipt {
  const redactor = redactorOf({ config, env })
  const cut = (text: string) => redactor.cut(text, maxTextBytes).text
  const { channel, permission, answer } = receipt
  return {
    ...receipt,
    channel: channel === null ? null : cut(channel),
    permission: {
      ...permission,
      allow: redactor.value(permission.allow).value as Receipt['permission']['allow'],
    },
    answer: answer.error === undefined ? answer : { ...answer, error: cut(answer.error) },
  }
}
