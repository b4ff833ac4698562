// `zeno ask`: wires the reader to the service, the models, the trace and the cache folder, and prints the answer.
import { createHash } from 'node:crypto'
import path from 'node:path'
import { ensureFolder } from '@zee/core/folders'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { readJournalSync } from '@zee/core/journal'
import { terminalSafeWriter } from '@zee/core/lossless'
import { createModel, findProvider, providers } from '@zee/llm'
import type { Model } from '@zee/llm'
import { ask, locationOf, openMemo, parseAskBudget, recordedCalls } from '@zee/reader'
import type { Answer, AskStatus, Corpus, RecordedCalls } from '@zee/reader'
import { cacheFolder } from '../index/index.ts'
import { resolveLinks } from '@zee/core/links'
import { openService } from '../service/service.ts'
import type { OpenService } from '../service/service.ts'

export interface AskCommandOptions {
  root?: string | undefined
  provider?: string | undefined
  model?: string | undefined
  subModel?: string | undefined
  budget?: string | undefined
  parallel: number
  depth: number
  window: number
  chunkChars: number
  log?: string | undefined
  fresh: boolean
  quiet: boolean
  memory?: number | undefined
  deny: readonly string[]
  allowSecrets: boolean
  json: boolean
}

const exitCodes: Readonly<Record<AskStatus, number>> = {
  verified: 0,
  unverified: 3,
  budget_spent: 4,
}
const charsPerToken = 4

export async function runAsk(
  question: string,
  options: AskCommandOptions,
  host: Host,
): Promise<number> {
  if (question.trim() === '') throw usageError('the question is empty')
  const budget = options.budget === undefined ? {} : parseAskBudget(options.budget)
  const { model, rootName, subName } = openModels(options, host)
  const root = path.resolve(host.cwd, options.root ?? '.')
  const cache = await cacheFolder(host)
  const key = [resolveLinks(root), question, model.provider, rootName, subName]
  const log = traceFile(options.log, cache, key, host)
  const recorded = options.fresh || log === undefined ? new Map() : readRecorded(log)
  const { deny, allowSecrets, memory } = options
  const settings = { root, log, deny, allowSecrets, memory, index: true, shared: true }
  const service = await openService(settings, host)
  const stop = stopOnSignal()
  try {
    model.check()
    if (recorded.size > 0) say(options, host, `continues from ${recorded.size} recorded answers`)
    const answer = await ask({
      question,
      corpus: corpusOf(service),
      root: { model, name: rootName },
      sub: { model, name: subName },
      ...{ budget, recorded, parallel: options.parallel, depth: options.depth },
      windowChars: options.window * charsPerToken,
      chunkChars: options.chunkChars,
      memo:
        cache === undefined || options.fresh ? undefined : openMemo(path.join(cache, 'ask/memo')),
      record: (event, fields) => service.record(event, fields),
      progress: (line) => say(options, host, line),
      monotonicMs: () => host.clock.monotonicMs(),
      signal: stop.signal,
    })
    const text = options.json ? `${JSON.stringify(answer)}\n` : formatAnswer(answer)
    await terminalSafeWriter(host.stdout)(text)
    if (log !== undefined) say(options, host, `trace: ${log}`)
    return exitCodes[answer.status]
  } finally {
    stop.release()
    model.close()
    await service.close()
  }
}

function openModels(
  { provider, model, subModel }: AskCommandOptions,
  host: Host,
): { model: Model; rootName: string; subName: string } {
  const name = provider ?? defaultProvider(host)
  const row = findProvider(name)
  if (row === undefined) {
    const known = providers.map((each) => each.name).join(', ')
    throw usageError(`unknown provider '${name}' (known: ${known})`)
  }
  const rootName = model ?? row.defaultModel
  if (rootName === undefined) throw usageError(`the provider ${name} needs --model <name>`)
  const userAgent = 'zeno'
  const created = createModel({
    provider: row,
    environment: host.env,
    clock: host.clock,
    cwd: host.cwd,
    userAgent,
  })
  return { model: created, rootName, subName: subModel ?? rootName }
}

/** The first provider whose key is in the environment; else the first of the table, which names its variable. */
function defaultProvider({ env }: Host): string {
  const withKey = providers.find(({ keyVariable, local }) => {
    return local !== true && keyVariable !== undefined && (env[keyVariable] ?? '') !== ''
  })
  return (withKey ?? providers[0])?.name ?? 'anthropic'
}

/** One trace per question, folder and models, so that asking again finds it. */
function traceFile(
  log: string | undefined,
  cache: string | undefined,
  key: readonly string[],
  host: Host,
): string | undefined {
  if (log !== undefined) return path.resolve(host.cwd, log)
  if (cache === undefined) return undefined
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)
  const folder = path.join(cache, 'ask')
  try {
    ensureFolder(folder, 0o700)
  } catch {
    return undefined
  }
  return path.join(folder, `${name}.jsonl`)
}

function readRecorded(log: string): RecordedCalls {
  const rows: Record<string, unknown>[] = []
  try {
    readJournalSync(log, ({ record }) => void rows.push(record))
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
  }
  return recordedCalls(rows)
}

/** Every request of a model goes through the service, so that the trace shows it. */
function corpusOf({ service }: OpenService): Corpus {
  let number = 0
  return {
    async run(op, args, callId) {
      const call = callId === undefined ? {} : { callId }
      const answer = await service.answer({ id: `ask-${++number}`, op, args, ...call })
      const { outcome } = answer
      answer.writeTrace()
      if (outcome.ok) return outcome.result
      throw new ZeeError('corpus', outcome.error.message)
    },
  }
}

/** SIGINT and SIGTERM end the question; the trace keeps what was read. */
function stopOnSignal(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const stop = (): void =>
    controller.abort(new ZeeError('interrupted', 'interrupted', { exitCode: 130 }))
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) process.once(name, stop)
  return {
    signal: controller.signal,
    release: () => {
      for (const name of names) process.off(name, stop)
    },
  }
}

function say({ quiet }: AskCommandOptions, host: Host, line: string): void {
  if (!quiet) host.stderr.write(`zeno: ${oneLine(line)}\n`)
}

function formatAnswer({ text, evidence, problems, spent }: Answer): string {
  const sources = evidence.map((each) => {
    return `[${each.id}] ${locationOf(each)}${each.kind === 'read' ? ` ${each.hash}` : ''}\n`
  })
  const notes = [
    ...problems.map((problem) => `wrong citation: ${problem}\n`),
    ...(spent === undefined ? [] : [`budget spent: ${spent}; this answer is partial\n`]),
  ]
  const tail = [...sources, ...notes].join('')
  return `${text === '' ? 'no answer' : text}\n${tail === '' ? '' : `\n${tail}`}`
}
