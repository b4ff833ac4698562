// The configured MCP servers that `tools` allows. A server gets a safe subset of the environment and the
// variables that its section names, but never provider keys.
import type { AllowedServer, ServerAddress } from '@zee/agent/mcp'
import { usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { keyVariables } from '../providers/providers.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { ZdxConfig } from '../settings/settings.ts'

/** The name and version that zdx reports to MCP servers and editors. */
export const clientInfo = { name: 'zdx', version: manifest.version }

type Section = NonNullable<ZdxConfig['mcp']>[string]

export interface ServerContext {
  root: string
  /** The environment of commands that the model runs: without provider keys. */
  commandEnv: Host['env']
  /** The complete environment, for looking up the secrets of servers. */
  fullEnv: Host['env']
}

/** Entries are `<server>` or `<server>/<tool>`; a server without a tool allows all of its tools. */
export function allowedServers(
  config: ZdxConfig,
  entries: readonly string[],
  context: ServerContext,
): AllowedServer[] {
  const tools = new Map<string, Set<string> | undefined>()
  for (const entry of entries) {
    const slash = entry.indexOf('/')
    const name = slash === -1 ? entry : entry.slice(0, slash)
    const allowed = tools.get(name)
    const allowsAll = slash === -1 || (tools.has(name) && allowed === undefined)
    tools.set(name, allowsAll ? undefined : new Set([...(allowed ?? []), entry.slice(slash + 1)]))
  }
  return [...tools].map(([name, only]) => ({
    name,
    only,
    endpoint: transportOf(config, name, sectionOf(config, name), context),
  }))
}

function sectionOf(config: ZdxConfig, name: string): Section {
  const sections = config.mcp ?? {}
  const section = Object.hasOwn(sections, name) ? sections[name] : undefined
  if (section !== undefined) return section
  const configured = Object.keys(sections).join(', ') || 'none'
  throw usageError(`no MCP server '${name}' is configured (configured: ${configured})`)
}

function transportOf(
  config: ZdxConfig,
  name: string,
  section: Section,
  context: ServerContext,
): AllowedServer['endpoint'] {
  const { command, url } = section
  if ((command === undefined) === (url === undefined)) {
    throw invalidSection(name, 'needs either command or url')
  }
  if (url !== undefined) return httpAddress(name, url, section, context.fullEnv)
  const env = {
    ...safeEnvironment(context.commandEnv),
    ...passedVariables(config, name, section, context),
  }
  const args = section.args ?? []
  return { command: command ?? '', args, env: { ...env, ...section.env }, cwd: context.root }
}

const safeVariables =
  /^(HOME|LOGNAME|USER|SHELL|PATH|TERM|TMPDIR|TZ|LANG|LC_\w+|XDG_\w+|DISPLAY|NODE_EXTRA_CA_CERTS)$/

/**
 * The environment of every server: variables that a program needs to run and that hold no secrets. The
 * server's section must name all others.
 */
export function safeEnvironment(env: Host['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => safeVariables.test(name)))
}

function passedVariables(
  config: ZdxConfig,
  name: string,
  { env_vars: names = [] }: Section,
  { fullEnv }: ServerContext,
): Record<string, string | undefined> {
  const keys = keyVariables(config)
  const key = names.find((variable) => keys.has(variable))
  if (key !== undefined) {
    throw invalidSection(name, `must not get ${key}: it is a provider key`)
  }
  return Object.fromEntries(names.map((variable) => [variable, fullEnv[variable]]))
}

function httpAddress(
  name: string,
  url: string,
  { headers = {}, header_env: fromVariables = {}, key_env: keyVariable }: Section,
  env: Host['env'],
): ServerAddress {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalidSection(name, `has an invalid url: ${url}`)
  }
  const secret = (variable: string): string => {
    const value = env[variable]?.trim()
    if (value) return value
    throw invalidSection(name, `needs the environment variable ${variable}, which is not set`)
  }
  const secrets = Object.entries(fromVariables).map(
    ([header, variable]) => [header, secret(variable)] as const,
  )
  const key = keyVariable === undefined ? undefined : secret(keyVariable)
  return {
    url: new URL(url),
    headers: {
      ...headers,
      ...Object.fromEntries(secrets),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    secrets: [...secrets.map(([, value]) => value), ...(key === undefined ? [] : [key])],
    environment: env,
  }
}

function invalidSection(name: string, what: string): ZeeError {
  return new ZeeError('config_invalid', `[mcp.${name}] ${what}`)
}
