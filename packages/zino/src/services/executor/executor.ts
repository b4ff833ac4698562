// exc: executes code with the executors that the tools folder names, within a time, and says what
// came out. Static analysis comes first where it is configured, as a warning only.
import { tmpdir } from 'node:os'
import type { Tool } from '../../definitions/definitions.ts'
import { loadTools } from '../../definitions/definitions.ts'
import { stringField } from '../../fields/fields.ts'
import type { Handler, Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import { childEnvironment } from './child-environment.ts'
import { execute, failedResult } from './execute.ts'
import type { ScriptRuntime } from './run-script.ts'
import { openSandbox } from './sandbox.ts'
import { ScriptReaper } from './script-reaper.ts'
import { hasValidator, validate } from './validate.ts'

/** Less than other services have: ending a script takes a moment, too. */
const drainMs = 1500

export async function startExecutor(context: ServiceContext): Promise<Service> {
  const { config, log } = context
  const load = () => {
    const tools = loadTools(config.tools.dir, log)
    log.info(`executors: ${[...tools.keys()].join(', ') || 'none'}`)
    return tools
  }
  let tools = load()
  const workshop = await openRuntime(context)
  const run: Handler = async (message, { signal }) => {
    const executor = stringField(message, 'executor')
    const code = stringField(message, 'code')
    const tool = tools.get(executor)
    if (tool === undefined) return failedResult(`Unknown executor: ${executor}`)
    log.debug(`${executor} code: ${code}`)
    const { ok, errors } = await validate(workshop, tool, code, signal)
    if (!ok) log.warn(`static analysis of ${executor} code: ${errors}`)
    const result = await execute(workshop, tool, code, signal)
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
        : await validate(workshop, tool, code, signal)
    return { type: 'validation', ok, errors }
  }
  return {
    handlers: handlersOf({
      execute: run,
      validate: check,
      capabilities: () => capabilities(tools, workshop),
    }),
    drainMs,
    reload: () => {
      tools = load()
    },
    close: () => workshop.reaper.close(),
  }
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

function capabilities(tools: ReadonlyMap<string, Tool>, workshop: ScriptRuntime): object {
  const executors = [...tools.values()].map((tool) => [
    tool.executor,
    {
      command: tool.executor,
      file_extension: tool.fileExtension,
      static_analysis: tool.staticAnalysis ?? null,
      has_validator: hasValidator(tool, workshop.env),
    },
  ])
  return {
    type: 'capabilities',
    executors: Object.fromEntries(executors) as object,
    timeout: workshop.timeoutSeconds,
    sandbox: workshop.sandbox.report,
  }
}
