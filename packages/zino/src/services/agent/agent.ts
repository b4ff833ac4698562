// agr: the agentic runtime. Its only message is `run`; streaming and collected mode share one loop.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { Definitions } from '../../definitions/definitions.ts'
import { loadSkills, loadTools } from '../../definitions/definitions.ts'
import { interruptedCode, lostCode, unreachableCode } from '../../client/client.ts'
import {
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalString,
  promptField,
  requestError,
} from '../../fields/fields.ts'
import type { Exchange, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import type { RecordedEnd, RecordedInference } from '../../turns/turns.ts'
import { isTurnId, runFileOf, turnsFolder } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { connectBackends } from './backends.ts'
import type { CallEvents } from './execute-interrupt.ts'
import { runLoop } from './loop.ts'
import { readAllows } from '../../allow/allow.ts'
import { hashPrompt } from './message-hash.ts'
import { RunJournal } from './run-journal.ts'

export { replayRun } from './replay-run.ts'

export function startAgent(context: ServiceContext): Service {
  let definitions = loadDefinitions(context)
  return {
    handlers: handlersOf({
      run: (message, exchange) => answerRun(context, definitions, message, exchange),
    }),
    preconnect: context.config.rtr.socket,
    needsSignal: true,
    reload: () => {
      definitions = loadDefinitions(context)
    },
  }
}

function loadDefinitions({ config, log }: ServiceContext): Definitions {
  const tools = loadTools(config.tools.dir, log)
  const skills = loadSkills(config.skills.dir, log)
  log.info(`${tools.size} tools and ${skills.size} skills loaded`)
  const servers = Object.keys(config.mcp ?? {})
  return { tools, skills, servers, subAgentIterations: config.agr.max_iterations }
}

async function answerRun(
  context: ServiceContext,
  definitions: Definitions,
  message: Message,
  exchange: Exchange,
): Promise<object> {
  const { config, log } = context
  const messages = promptField(message, 'messages')
  const sampling = {
    temperature: optionalNumber(message, 'temperature') ?? config.agent.temperature,
    topP: optionalNumber(message, 'top_p') ?? config.agent.top_p,
  }
  const stream = optionalBoolean(message, 'stream') ?? false
  const turn = turnField(message)
  const sent: string[] = []
  const { signal } = exchange
  const allows = readAllows(message.allow, { cwd: process.cwd(), home: context.env.HOME })
  const approve = optionalString(message, 'approve') === 'ask' ? 'ask' : undefined
  const tellsApprovals = optionalBoolean(message, 'approvals') === true
  const hasEvents = optionalBoolean(message, 'events') === true
  const hasUsage = optionalBoolean(message, 'usage') === true
  const file = turn === undefined ? undefined : runFileOf(turnsFolder(config), turn)
  const journal = new RunJournal(file, () => hashPrompt(messages))
  const backends = connectBackends(context, exchange, {
    ...{ sampling, turn, allows, approve, hasUsage },
    tokensUsed: () => journal.tokens,
    onApproval: async (frame) => {
      if (tellsApprovals) await exchange.send(frame)
    },
  })
  const end = await wrapRunError(signal, () =>
    runLoop({
      messages,
      maxIterations: optionalInteger(message, 'max_iterations') ?? config.agr.max_iterations,
      stream,
      definitions,
      backends,
      allows,
      journal,
      signal,
      onText: (text) => {
        if (!stream) return Promise.resolve()
        sent.push(text)
        return exchange.chunk(text)
      },
      events: hasEvents ? callEvents(exchange) : noEvents,
    }),
  )
    .catch((error: unknown) => {
      // daemon may have removed the records of a cancelled turn already.
      if (!signal.aborted) tryFail(journal, log)
      throw error
    })
    .finally(() => journal.close())
  const { lastText, iterations } = end
  const transcript = optionalBoolean(message, 'transcript') === true ? end.transcript : undefined
  log.info(`run of ${iterations} iterations, ${lastText.length} characters`)
  const usage = hasUsage ? usageField(journal.usage) : undefined
  const extra = { iterations, transcript, truncated: end.truncated ? true : undefined, usage }
  if (!stream) return { type: 'result', content: lastText, ...extra }
  return { type: 'done', full_text: sent.join(''), ...extra }
}

function usageField({ input, output, estimated }: RecordedInference['tokens']): object {
  return { input_tokens: input, output_tokens: output, estimated }
}

/** A full disk hides no other error. */
function tryFail(journal: RunJournal, log: Logger): void {
  try {
    journal.fail()
  } catch (error) {
    log.warn(`the run is not recorded: ${reasonOf(error)}`)
  }
}

function turnField(message: Message): string | undefined {
  const turn = optionalString(message, 'turn')
  if (turn === undefined || isTurnId(turn)) return turn
  throw requestError('turn is not the id of a turn')
}

const noEvents: CallEvents = { onStart: async () => {}, onDone: async () => {} }

function callEvents(exchange: Exchange): CallEvents {
  return {
    onStart: (call, tool) => exchange.send({ type: 'tool_start', call, tool }),
    onDone: (call, tool, exitCode) =>
      exchange.send({ type: 'tool_done', call, tool, exit_code: exitCode ?? null }),
  }
}

/** Reports any failure as a failure of the run, except an abort by the caller. */
async function wrapRunError(
  signal: AbortSignal,
  work: () => Promise<RecordedEnd>,
): Promise<RecordedEnd> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const code = error instanceof ZeeError ? error.code : ''
    const isInterrupted = [interruptedCode, lostCode, unreachableCode].includes(code)
    const message = `Agentic runtime error: ${reasonOf(error)}`
    throw new ZeeError(isInterrupted ? interruptedCode : 'run_failed', message)
  }
}
