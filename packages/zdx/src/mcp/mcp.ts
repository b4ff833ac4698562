// The MCP servers that a conversation may use: those of the configuration that `tools` names. A server
// gets a plain environment and what its section says; never the keys with which models are paid.
import type { AllowedServer, ServerAddress } from '@zee/agent/mcp'
import { usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { keyVariables } from '../providers/providers.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { ZdxConfig } from '../settings/settings.ts'

/** The name and version that zdx reports to MCP servers and editors. */
export const ownName = { name: 'zdx', version: manifest.version }

type Section = NonNullable<ZdxConfig['mcp']>[string]

export interface ServerPlace {
  root: string
  /** Of commands that a model runs: without the keys of providers. */
  env: Host['env']
  /** All of it, where the keys of servers are looked up. */
  environment: Host['env']
}

/** `wanted` holds `<server>` or `<server>/<tool>`; a server that is named alone is allowed whole. */
export function allowedServers(
  config: ZdxConfig,
  wanted: readonly string[],
  place: ServerPlace,
): AllowedServer[] {
  const tools = new Map<string, Set<string> | undefined>()
  for (const entry of wanted) {
    const slash = entry.indexOf('/')
    const name = slash === -1 ? entry : entry.slice(0, slash)
    const known = tools.get(name)
    const isWhole = slash === -1 || (tools.has(name) && known === undefined)
    tools.set(name, isWhole ? undefined : new Set([...(known ?? []), entry.slice(slash + 1)]))
  }
  return [...tools].map(([name, only]) => ({
    name,
    only,
    endpoint: placeOf(config, name, sectionOf(config, name), place),
  }))
}

function sectionOf(config: ZdxConfig, name: string): Section {
  const sections = config.mcp ?? {}
  const section = Object.hasOwn(sections, name) ? sections[name] : undefined
  if (section !== undefined) return section
  const known = Object.keys(sections).join(', ') || 'none'
  throw usageError(`no MCP server '${name}' is configured (configured: ${known})`)
}

function placeOf(
  config: ZdxConfig,
  name: string,
  section: Section,
  place: ServerPlace,
): AllowedServer['endpoint'] {
  const { command, url } = section
  if ((command === undefined) === (url === undefined)) {
    throw invalid(name, 'needs either command or url')
  }
  if (url !== undefined) return addressOf(name, url, section, place.environment)
  const env = { ...plainEnvironment(place.env), ...handedOn(config, name, section, place) }
  const args = section.args ?? []
  return { command: command ?? '', args, env: { ...env, ...section.env }, cwd: place.root }
}

const plainVariables =
  /^(HOME|LOGNAME|USER|SHELL|PATH|TERM|TMPDIR|TZ|LANG|LC_\w+|XDG_\w+|DISPLAY|NODE_EXTRA_CA_CERTS)$/

/**
 * The environment that every server gets: what a program needs to run at all, and nothing that might
 * be a secret. Everything else must be named by whoever configures the server.
 */
export function plainEnvironment(env: Host['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => plainVariables.test(name)))
}

function handedOn(
  config: ZdxConfig,
  name: string,
  { env_vars: names = [] }: Section,
  { environment }: ServerPlace,
): Record<string, string | undefined> {
  const keys = keyVariables(config)
  const key = names.find((variable) => keys.has(variable))
  if (key !== undefined) {
    throw invalid(name, `must not get ${key}: the keys of providers stay with zdx`)
  }
  return Object.fromEntries(names.map((variable) => [variable, environment[variable]]))
}

function addressOf(
  name: string,
  url: string,
  { headers = {}, header_env: fromVariables = {}, key_env: keyVariable }: Section,
  env: Host['env'],
): ServerAddress {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalid(name, `has a url that is none: ${url}`)
  }
  const secret = (variable: string): string => {
    const value = env[variable]?.trim()
    if (value) return value
    throw invalid(name, `needs ${variable}, an environment variable that is not set`)
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
  }
}

function invalid(name: string, what: string): ZeeError {
  return new ZeeError('config_invalid', `[mcp.${name}] ${what}`)
}
