// exc: executes code with the executors of the tools folder, within a timeout. Configured static
// analysis runs first; its findings are only logged.
import { tmpdir } from 'node:os'
import type { Tool } from '../../definitions/definitions.ts'
import { loadTools } from '../../definitions/definitions.ts'
import { optionalBoolean, optionalString, requestError, stringField } from '../../fields/fields.ts'
import type { Handler, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import { isTurnId, turnsFolder } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { Approvals } from './approvals.ts'
import { childEnvironment } from './child-environment.ts'
import { JournalledScripts } from './journalled/journalled.ts'
import { Limits } from './limits.ts'
import { McpTools } from './mcp/mcp.ts'
import { runCall } from './run-call.ts'
import type { ScriptRuntime } from './run-script.ts'
import { openSandbox } from './sandbox.ts'
import { ScriptReaper } from './script-reaper.ts'
import { hasValidator, validate } from './validate.ts'

export { openSandbox } from './sandbox.ts'

/** Shorter than the default of 2.3 s: killing a script takes time too. */
const drainMs = 1500

export async function startExecutor(context: ServiceContext): Promise<Service> {
  const { config, log } = context
  const load = () => {
    const tools = loadTools(config.tools.dir, log)
    log.info(`executors: ${[...tools.keys()].join(', ') || 'none'}`)
    return tools
  }
  const tools = load()
  const runtime = await openRuntime(context)
  const executor = {
    tools,
    scripts: new JournalledScripts(turnsFolder(config), log),
    limits: new Limits(context, runtime),
    mcp: new McpTools(context, runtime),
    approvals: new Approvals(context.clock, config.exc.approve_timeout),
    log,
  }
  const { scripts, approvals, mcp } = executor
  const check: Handler = async (message, { signal }) => {
    const name = stringField(message, 'executor')
    const code = stringField(message, 'code')
    const tool = executor.tools.get(name)
    const { ok, errors } =
      tool === undefined
        ? { ok: false, errors: `Unknown executor: ${name}` }
        : await validate(runtime, tool, code, signal)
    return { type: 'validation', ok, errors }
  }
  return {
    handlers: handlersOf({
      execute: (message, exchange) => runCall(executor, message, exchange),
      approvals: () => ({ type: 'approvals', approvals: approvals.list() }),
      approve: (message) => decide(approvals, message),
      cancel: async (message) => {
        const turn = stringField(message, 'turn')
        if (!isTurnId(turn)) throw requestError('turn is not the id of a turn')
        mcp.cancel(turn)
        await scripts.cancel(turn)
        return { type: 'ok' }
      },
      mcp_tools: async (_, { signal }) => ({ type: 'mcp_tools', ...(await mcp.list(signal)) }),
      validate: check,
      capabilities: async () =>
        capabilities(executor.tools, runtime, await executor.limits.missing()),
    }),
    drainMs,
    reload: () => {
      executor.tools = load()
    },
    close: async () => {
      await mcp.close()
      if (!context.isRestarting?.()) await scripts.close()
      runtime.reaper.close()
    },
  }
}

/** Throws when no call with this id waits. */
function decide(approvals: Approvals, message: Message): object {
  const id = stringField(message, 'id')
  const allow = optionalBoolean(message, 'allow') ?? true
  const by = optionalString(message, 'by') ?? ''
  if (!approvals.decide(id, allow, by)) throw requestError(`no call ${id} waits for approval`)
  return { type: 'ok', id, allow }
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

function capabilities(
  tools: ReadonlyMap<string, Tool>,
  runtime: ScriptRuntime,
  missing: string | undefined,
): object {
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
    sandbox: { ...runtime.sandbox.report, allow: missing ?? 'enforced' },
  }
}
