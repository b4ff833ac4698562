// A server as a configuration describes it: a program or an address, with the variables it may see. A
// server gets a safe subset of the environment and the variables that its section names, but no others.
import { ZeeError } from '@zee/core/errors'
import type { StoredLogins } from '../login/login.ts'
export type { StoredLogins } from '../login/login.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The keys of `[mcp.NAME]`. */
export interface ServerSection {
  command?: string | undefined
  args?: readonly string[] | undefined
  env?: Readonly<Record<string, string>> | undefined
  env_vars?: readonly string[] | undefined
  url?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  header_env?: Readonly<Record<string, string>> | undefined
  key_env?: string | undefined
  client_id?: string | undefined
}

export interface ServerCommand {
  command: string
  args: readonly string[]
  env: Environment
  cwd: string
}

export interface ServerAddress {
  url: URL
  headers: Readonly<Record<string, string>>
  /** Header values that must not appear in any message. */
  secrets: readonly string[]
  /** Read for the proxy variables. */
  environment: Environment
  /** Logins of the user; absent if the headers contain a key. */
  login?: StoredLogins | undefined
}

export interface SectionContext {
  /** Working folder of the server. */
  cwd: string
  /** The environment of commands that a model runs: without provider keys. */
  commandEnv: Environment
  /** The complete environment, for looking up the secrets of servers. */
  fullEnv: Environment
  /** Variables that no server may get. */
  providerKeys: ReadonlySet<string | undefined>
  /** Logins for servers over HTTP without a key. */
  login?: StoredLogins | undefined
}

/** Throws an error that names the section. */
export function serverEndpoint(
  name: string,
  section: ServerSection,
  context: SectionContext,
): ServerCommand | ServerAddress {
  const { command, url } = section
  if ((command === undefined) === (url === undefined)) {
    throw invalidSection(name, 'needs either command or url')
  }
  if (url !== undefined) return httpAddress(name, url, section, context)
  const env = {
    ...safeEnvironment(context.commandEnv),
    ...passedVariables(name, section, context),
  }
  const args = section.args ?? []
  return { command: command ?? '', args, env: { ...env, ...section.env }, cwd: context.cwd }
}

const safeVariables =
  /^(HOME|LOGNAME|USER|SHELL|PATH|TERM|TMPDIR|TZ|LANG|LC_\w+|XDG_\w+|DISPLAY|NODE_EXTRA_CA_CERTS)$/

/**
 * The environment of every server: variables that a program needs to run and that hold no secrets. The
 * server's section must name all others.
 */
export function safeEnvironment(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => safeVariables.test(name)))
}

function passedVariables(
  name: string,
  { env_vars: names = [] }: ServerSection,
  { fullEnv, providerKeys }: SectionContext,
): Record<string, string | undefined> {
  const key = names.find((variable) => providerKeys.has(variable))
  if (key !== undefined) {
    throw invalidSection(name, `must not get ${key}: it is a provider key`)
  }
  return Object.fromEntries(names.map((variable) => [variable, fullEnv[variable]]))
}

function httpAddress(
  name: string,
  url: string,
  { headers = {}, header_env: fromVariables = {}, key_env: keyVariable }: ServerSection,
  { fullEnv: env, login }: SectionContext,
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
  const sent: Record<string, string> = { ...headers, ...Object.fromEntries(secrets) }
  if (key !== undefined) sent.authorization = `Bearer ${key}`
  const hasKey = Object.keys(sent).some((header) => header.toLowerCase() === 'authorization')
  return {
    url: new URL(url),
    headers: sent,
    login: hasKey ? undefined : login,
    secrets: [...secrets.map(([, value]) => value), ...(key === undefined ? [] : [key])],
    environment: env,
  }
}

function invalidSection(name: string, what: string): ZeeError {
  return new ZeeError('config_invalid', `[mcp.${name}] ${what}`)
}
