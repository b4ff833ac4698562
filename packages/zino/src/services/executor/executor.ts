// exc: executes code with the executors of the tools folder, within a timeout. Configured static
// analysis runs first; its findings are only logged.
import { tmpdir } from 'node:os'
import type { Tool } from '../../definitions/definitions.ts'
import { loadTools } from '../../definitions/definitions.ts'
import { optionalInteger, optionalString, requestError, stringField } from '../../fields/fields.ts'
import type { Handler, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import { isTurnId, turnsFolder } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { childEnvironment } from './child-environment.ts'
import type { ExecutionResult } from './execute.ts'
import { execute, failedResult, missingCommand } from './execute.ts'
import type { JournalledCall } from './journalled/journalled.ts'
import { JournalledScripts } from './journalled/journalled.ts'
import type { ScriptRuntime } from './run-script.ts'
import { openSandbox } from './sandbox.ts'
import { ScriptReaper } from './script-reaper.ts'
import { hasValidator, validate } from './validate.ts'

/** Shorter than the default of 2.3 s: killing a script takes time too. */
const drainMs = 1500

export async function startExecutor(context: ServiceContext): Promise<Service> {
  const { config, log } = context
  const load = () => {
    const tools = loadTools(config.tools.dir, log)
    log.info(`executors: ${[...tools.keys()].join(', ') || 'none'}`)
    return tools
  }
  let tools = load()
  const runtime = await openRuntime(context)
  const scripts = new JournalledScripts(turnsFolder(config), runtime, log)
  const run: Handler = async (message, { signal }) => {
    const executor = stringField(message, 'executor')
    const code = stringField(message, 'code')
    const tool = tools.get(executor)
    if (tool === undefined) return failedResult(`Unknown executor: ${executor}`)
    log.debug(`${executor} code: ${code}`)
    const call = journalledCall(message)
    if (call === undefined || scripts.isNew(call)) {
      const { ok, errors } = await validate(runtime, tool, code, signal)
      if (!ok) log.warn(`static analysis of ${executor} code: ${errors}`)
    }
    const result =
      call === undefined
        ? await execute(runtime, tool, code, signal)
        : await executeJournalled(scripts, tool, code, call, signal)
    log.info(`${executor}: exit code ${result.exit_code}, ${result.stdout.length} characters`)
    return result
  }
  const check: Handler = async (message, { signal }) => {
    const executor = stringField(message, 'executor')
    const code = stringField(message, 'code')
    const tool = tools.get(executor)
    const { ok, errors } =
      tool === undefined
        ? { ok: false, errors: `Unknown executor: ${executor}` }
        : await validate(runtime, tool, code, signal)
    return { type: 'validation', ok, errors }
  }
  return {
    handlers: handlersOf({
      execute: run,
      cancel: async (message) => {
        const turn = stringField(message, 'turn')
        if (!isTurnId(turn)) throw requestError('turn is not the id of a turn')
        await scripts.cancel(turn)
        return { type: 'ok' }
      },
      validate: check,
      capabilities: () => capabilities(tools, runtime),
    }),
    drainMs,
    reload: () => {
      tools = load()
    },
    close: async () => {
      if (!context.isRestarting?.()) await scripts.close()
      runtime.reaper.close()
    },
  }
}

/** The turn and the number of the call; undefined for a request that belongs to no turn. */
function journalledCall(message: Message): JournalledCall | undefined {
  const turn = optionalString(message, 'turn')
  const call = optionalInteger(message, 'call')
  if (turn === undefined || call === undefined) return undefined
  if (!isTurnId(turn) || call < 0) throw requestError('turn is not the id of a turn')
  return { turn, call }
}

async function executeJournalled(
  scripts: JournalledScripts,
  tool: Tool,
  code: string,
  call: JournalledCall,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  return missingCommand(tool, scripts.runtime) ?? scripts.run(tool, code, call, signal)
}

async function openRuntime({ config, env, log }: ServiceContext): Promise<ScriptRuntime> {
  const { api, rtr, exc } = config
  const keys = [api.key, env.LLM_API_KEY ?? '', ...rtr.fallback.map((route) => route.key)]
  const childEnv = childEnvironment(env, keys, exc.pass_env)
  const scriptFolder = env.TMPDIR || tmpdir()
  return {
    env: childEnv,
    scriptFolder,
    timeoutSeconds: exc.timeout,
    sandbox: await openSandbox(exc, childEnv, log),
    reaper: new ScriptReaper(scriptFolder, log),
  }
}

function capabilities(tools: ReadonlyMap<string, Tool>, runtime: ScriptRuntime): object {
  const executors = [...tools.values()].map((tool) => [
    tool.executor,
    {
      command: tool.executor,
      file_extension: tool.fileExtension,
      static_analysis: tool.staticAnalysis ?? null,
      has_validator: hasValidator(tool, runtime.env),
    },
  ])
  return {
    type: 'capabilities',
    executors: Object.fromEntries(executors) as object,
    timeout: runtime.timeoutSeconds,
    sandbox: runtime.sandbox.report,
  }
}
