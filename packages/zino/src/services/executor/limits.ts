// What one request may do: the capabilities of its turn, and whether it waits for approval. Turns a
// limited request into a runtime that enforces its limits, or into a refusal that names the rule.
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import type { Logger } from '@zee/core/log'
import type { Allow } from '../../allow/allow.ts'
import {
  deadlineOf,
  hostsOf,
  pathsOf,
  readAllows,
  refusalOf,
  refusedTime,
  refusedTokens,
  refusedTool,
  ruleTag,
} from '../../allow/allow.ts'
import { controlSocketBeside } from '../../client/client.ts'
import type { ZinoConfig } from '../../config/config.ts'
import { executorNames } from '../../definitions/definitions.ts'
import { optionalInteger, optionalString } from '../../fields/fields.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import type { ExecutionResult } from './execute.ts'
import { appendLine } from './execute.ts'
import type { HostLists, HostProxy, JailSpec } from './jail/jail.ts'
import {
  environmentIn,
  isBelowAny,
  jailed,
  listeningSockets,
  nameRules,
  openHostProxy,
  probeJail,
} from './jail/jail.ts'
import type { ScriptRuntime } from './run-script.ts'

export interface CallLimits {
  allows: readonly Allow[]
  approve: boolean
  /** The skill that wrote the code. */
  skill: string | undefined
  tokensUsed: number
}

export interface LimitedRuntime {
  runtime: ScriptRuntime
  /** Adds the rules that caused refusals to a result. */
  explain(result: ExecutionResult): ExecutionResult
  /** Called after the execution. */
  close(): void
}

export class Limits {
  readonly #context: ServiceContext
  readonly #runtime: ScriptRuntime
  readonly #clock: Clock
  readonly #log: Logger
  #probe: Promise<string | undefined> | undefined

  constructor(context: ServiceContext, runtime: ScriptRuntime) {
    this.#context = context
    this.#runtime = runtime
    this.#clock = context.clock
    this.#log = context.log
  }

  read(message: Message): CallLimits {
    const { env, config } = this.#context
    const asks = optionalString(message, 'approve') === 'ask' || config.exc.approve === 'ask'
    return {
      allows: readAllows(message.allow, { cwd: process.cwd(), home: env.HOME }),
      approve: asks,
      skill: optionalString(message, 'skill'),
      tokensUsed: optionalInteger(message, 'tokens_used') ?? 0,
    }
  }

  /** Why the call may not run at all. */
  refused(
    { allows, skill, tokensUsed }: CallLimits,
    executor: string,
    isServerTool: boolean,
  ): string | undefined {
    const names = [...executorNames(executor), ...(skill === undefined ? [] : [skill])]
    return (
      refusedTime(allows, this.#clock.now()) ??
      refusedTool(allows, names) ??
      refusedTokens(allows, tokensUsed) ??
      (isServerTool ? refusedServer(allows) : undefined)
    )
  }

  /** Seconds that a call of a server may take. */
  secondsFor({ allows }: CallLimits): number {
    return this.#secondsLeft(allows)
  }

  /** The runtime for the call, or why this machine cannot enforce its limits. */
  async enforce(limits: CallLimits): Promise<LimitedRuntime | { refusal: string }> {
    const { allows, approve } = limits
    if (allows.length === 0 && !approve) {
      return { runtime: this.#runtime, explain: (result) => result, close: () => {} }
    }
    const timed = { ...this.#runtime, timeoutSeconds: this.#secondsLeft(allows) }
    const paths = pathsOf(allows)
    const hosts = hostsOf(allows)
    const missing = await this.missing()
    if (missing !== undefined) {
      const rule = paths !== undefined ? 'paths' : hosts !== undefined ? 'hosts' : undefined
      if (rule !== undefined) {
        return { refusal: refusalOf(rule, `cannot be enforced on this machine: ${missing}`) }
      }
      this.#log.warn(`scripts can reach the sockets of zino: ${missing}`)
      return {
        runtime: timed,
        explain: (result) => this.#explainTime(result, allows),
        close: () => {},
      }
    }
    const cwd = process.cwd()
    const granted = paths?.includes('/') === true ? undefined : paths
    const proxy = await this.#proxy(hosts)
    const spec = { ...this.#spec(granted, hosts, cwd), proxy: proxySpec(proxy, hosts) }
    const env = environmentIn(
      timed.env,
      this.#context.config.exc.pass_env,
      spec.paths !== undefined,
    )
    const runtime = { ...timed, env, sandbox: this.#sandbox(spec, cwd) }
    const limited = { paths: spec.paths, hosts, cwd }
    return {
      runtime,
      close: () => proxy?.close(),
      explain: (result) => {
        const lines =
          result.exit_code === 0 && result.stderr === '' ? [] : nameRules(result, limited)
        const stderr = lines.reduce(appendLine, result.stderr)
        return this.#explainTime({ ...result, stderr }, allows)
      },
    }
  }

  /** Why the jail does not work here; undefined when it does. Probed once. */
  missing(): Promise<string | undefined> {
    this.#probe ??= probeJail(this.#runtime.env)
    return this.#probe
  }

  /** Undefined when no host is allowed, or all are. */
  async #proxy(hosts: HostLists | undefined): Promise<HostProxy | undefined> {
    const isClosed = hosts === undefined || hosts.some((list) => list.length === 0)
    if (isClosed || !this.#context.config.exc.network) return undefined
    return openHostProxy(hosts)
  }

  #spec(paths: string[] | undefined, hosts: unknown, cwd: string): JailSpec {
    const { config, configFile } = this.#context
    const { exc, tools, skills, sys, mem, http } = config
    const visible = paths ?? [cwd]
    const folders = ['/run', ...serviceSockets(config).map((socket) => path.dirname(socket))]
    const hidden = folders.filter((folder) => !visible.some((each) => isBelowAny(each, [folder])))
    return {
      paths,
      write: exc.write,
      network: exc.network && hosts === undefined,
      masked: [
        ...hidden,
        ...serviceSockets(config),
        ...listeningSockets(),
        // The token of the HTTP bridge would begin turns without limits.
        ...[mem.data_dir, http.token_file].map((each) => path.resolve(each)),
        ...(configFile === undefined ? [] : [configFile]),
      ],
      fixed: [tools.dir, skills.dir, sys.template].map((each) => path.resolve(each)),
    }
  }

  #sandbox(spec: JailSpec, cwd: string): ScriptRuntime['sandbox'] {
    const base = this.#runtime.sandbox
    // [exc] write is a part of the jail.
    return {
      ...base,
      wrap: (line) => base.limit(jailed(spec, line.args[0] ?? '', cwd, line)),
      exitCode: (code) => code,
    }
  }

  #secondsLeft(allows: readonly Allow[]): number {
    const end = deadlineOf(allows)
    const { timeoutSeconds } = this.#runtime
    if (end === undefined) return timeoutSeconds
    return Math.min(timeoutSeconds, Math.max(0.1, (end - this.#clock.now().getTime()) / 1000))
  }

  #explainTime(result: ExecutionResult, allows: readonly Allow[]): ExecutionResult {
    if (result.exit_code === 0 || refusedTime(allows, this.#clock.now()) === undefined)
      return result
    const notice = `${ruleTag('until')} the time of this turn is over`
    return { ...result, stderr: appendLine(result.stderr, notice) }
  }
}

/** All turns share a server, so its process cannot have the limits of one. */
function refusedServer(allows: readonly Allow[]): string | undefined {
  const rule =
    pathsOf(allows) !== undefined ? 'paths' : hostsOf(allows) !== undefined ? 'hosts' : undefined
  return rule && refusalOf(rule, 'cannot be enforced on tools of MCP servers')
}

function proxySpec(proxy: HostProxy | undefined, hosts: HostLists | undefined): JailSpec['proxy'] {
  if (proxy === undefined) return undefined
  const offered = (hosts ?? [])
    .flat()
    .filter((host) => /^(?:127\.0\.0\.1|localhost):\d+$/.test(host))
  return { socket: proxy.socket, offered: [...new Set(offered)] }
}

/** The sockets of all services, and that of the supervisor. */
function serviceSockets(config: ZinoConfig): string[] {
  const control = controlSocketBeside(config.daemon.socket)
  const sockets = Object.values(config).flatMap((section: unknown) =>
    isMessage(section) && typeof section.socket === 'string' ? [section.socket] : [],
  )
  return [...sockets, control].map((socket) => path.resolve(socket))
}
