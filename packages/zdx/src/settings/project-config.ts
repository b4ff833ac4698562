// The configuration of a project, `.zdx/config.toml`. A repository may be hostile: keys that can run
// something, send something elsewhere, read a file outside or loosen a limit of the user need trust.
import type { ConfigSource } from '@zee/core/config'
import { isObject } from '@zee/core/json'
import { isTrusted, requireTrust } from '@zee/core/trust'
import { providers } from '@zee/llm'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Globals } from '../cli/cli.ts'

type Data = Readonly<Record<string, unknown>>
type Restrict = NonNullable<ConfigSource['restrict']>

const trustCommand = 'zdx trust'

const sensitiveKeys = new Set([
  'hooks',
  'mcp',
  'providers',
  'provider',
  'tools',
  'system_prompt_file',
  'max_usd',
  'secrets',
  'web_fetch_hosts',
])

/** Whether the top-level key takes effect only in a trusted file. */
function isSensitive(key: string, value: unknown): boolean {
  if (sensitiveKeys.has(key) || key.endsWith('_base_url')) return true
  return key === 'model' && typeof value === 'string' && namesProvider(value)
}

/** `script:play.jsonl` would run the calls of a file in the repository. */
function namesProvider(model: string): boolean {
  return providers.some(({ name }) => model.startsWith(`${name}:`))
}

/** The source of the project's file; undefined if it is a link that leads out of the project. */
export function projectSource(
  file: string,
  project: string,
  base: string,
  globals: Pick<Globals, 'provider'>,
): ConfigSource | undefined {
  if (!isInsideProject(file, project)) return undefined
  return { path: file, restrict: restrictProject(base, globals) }
}

/** The sensitive keys of a checked file, and the bytes that were checked; undefined without a file. */
export async function inspectProjectConfig(
  file: string,
): Promise<{ bytes: Uint8Array; sensitiveKeys: string[] } | undefined> {
  const [{ loadConfig }, { zdxConfig }] = await Promise.all([
    import('@zee/core/config'),
    import('./schema.ts'),
  ])
  let inspected: { bytes: Uint8Array; sensitiveKeys: string[] } | undefined
  const restrict: Restrict = async ({ bytes, data }) => {
    const sensitiveKeys = Object.entries(data)
      .filter(([key, value]) => isSensitive(key, value) || key.startsWith('permission'))
      .map(([key]) => key)
    inspected = { bytes, sensitiveKeys }
    return { data: { ...data }, ignored: [] }
  }
  await loadConfig(zdxConfig, [{ path: file, restrict }])
  return inspected
}

function isInsideProject(file: string, project: string): boolean {
  try {
    return realpathSync(file).startsWith(project.endsWith('/') ? project : project + path.sep)
  } catch {
    return false
  }
}

function restrictProject(base: string, globals: Pick<Globals, 'provider'>): Restrict {
  return async (source) => {
    const { below } = source
    const user = below.at(-1) ?? {}
    const isScripted = (globals.provider ?? user.provider) === 'script'
    const { data, ignored } = await requireTrust({
      folder: base,
      command: trustCommand,
      isSensitive: (key, value) =>
        isSensitive(key, value) ||
        (key === 'model' && isScripted) ||
        (key === 'permission' && !isStricter(value, user.permission)),
    })(source)
    const isFullyTrusted = await isTrusted(base, source.path, source.bytes)
    const rules = mergedRules(user.permissions, data.permissions, isFullyTrusted)
    const hasIgnoredAllow = !isFullyTrusted && listOf(data.permissions, 'allow').length > 0
    return {
      data: {
        ...data,
        ...(data.hooks === undefined
          ? {}
          : { hooks: [...listFrom(user.hooks), ...listFrom(data.hooks)] }),
        ...(data.permissions === undefined ? {} : { permissions: rules }),
      },
      ignored: hasIgnoredAllow
        ? [...ignored, { key: ['permissions', 'allow'], reason: `run '${trustCommand}' to use it` }]
        : ignored,
    }
  }
}

const modes: readonly unknown[] = ['allow', 'ask', 'read-only']

/** An unknown mode is left to the schema, which rejects it. */
function isStricter(mode: unknown, userMode: unknown): boolean {
  return !modes.includes(mode) || modes.indexOf(mode) >= modes.indexOf(userMode ?? 'allow')
}

/** Rules of both files apply, so that a project cannot remove a deny rule of the user. */
function mergedRules(user: unknown, own: unknown, isFullyTrusted: boolean): unknown {
  if (!isObject(own)) return own
  const allow = [...listOf(user, 'allow'), ...(isFullyTrusted ? listOf(own, 'allow') : [])]
  return { ...own, allow, deny: [...listOf(user, 'deny'), ...listOf(own, 'deny')] }
}

function listOf(table: unknown, key: string): unknown[] {
  return isObject(table) ? listFrom((table as Data)[key]) : []
}

function listFrom(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}
