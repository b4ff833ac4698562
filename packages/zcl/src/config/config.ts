// The configuration of zcl: the output root, extra redaction rules and the place of releases.
import path from 'node:path'
import { defineConfig, inspectConfig, setting } from '@zee/core/config'
import type { ConfigProblem, ConfigSource, InspectedConfig, Origin } from '@zee/core/config'
import { leadsOutOf } from '@zee/core/contained-path'
import type { Host } from '@zee/core/exit'
import * as z from 'zod/mini'
import { requireTrust } from '@zee/core/trust'
import { complain } from '../output/output.ts'
import { configFiles, projectConfigFile } from '../redaction/redaction.ts'
import { zclError } from '../errors/errors.ts'

export const defaultOutRoot = '.zcl'

/** No system has such a path, and Node throws for it. */
const folderName = z.regex(/^[^\0]*$/, 'must be the path of a folder')

export const zclConfig = defineConfig({
  program: 'zcl',
  title: 'Configuration of zcl',
  format: 'json',
  unknownKeys: 'ignore',
  schema: z.object({
    schemaVersion: setting(z._default(z.literal(1), 1), {
      description: 'Version of this file; 1 is the only one.',
    }),
    outRoot: setting(z._default(z.string().check(z.minLength(1), folderName), defaultOutRoot), {
      description: 'Folder for evidence, from the working folder.',
    }),
    redaction: setting(
      z.optional(
        z.looseObject({
          extraRules: setting(z.optional(z.array(z.looseObject({}))), {
            description: 'Redaction rules of your own: {id, regex, replacement?}.',
          }),
        }),
      ),
      { description: 'What else counts as a secret.' },
    ),
    releases: setting(z.optional(z.string()), {
      description: 'Folder or URL of releases that `zcl update status` looks into.',
    }),
  }),
})

type Settings = z.output<typeof zclConfig.schema>
type Config = Pick<NonNullable<InspectedConfig<Settings>['config']>, 'values' | 'origin'>

/** The output root as configured, for display, and as an absolute path. */
export interface OutRoot {
  shown: string
  absolute: string
}

/** The output root: flag, ZCL_OUT_ROOT, project file, user file, then `.zcl`. Throws on a bad file. */
export async function outRootFor(host: Host, flag: string | undefined): Promise<OutRoot> {
  const { config, problems, warnings } = await inspectSettings(host, flag)
  if (config === undefined) throw configError(problems[0])
  for (const warning of warnings) complain(host, 'ZCL_W_UNTRUSTED_CONFIG', warning)
  const refusal = refusedLink(host, config)
  if (refusal !== undefined) throw zclError('ZCL_E_CONTAINMENT', refusal)
  return resolveOutRoot(host, config.values.outRoot)
}

/**
 * Why the output root cannot be used: a repository of a stranger may contain a link at its place that leads
 * elsewhere. An output root that the user names may be anywhere.
 */
export function refusedLink(
  host: Host,
  { values: { outRoot }, origin }: Config,
): string | undefined {
  if (isNamedByUser(host, origin('outRoot')) || isSensitiveKey('outRoot', outRoot)) return undefined
  const link = [outRoot, path.join(outRoot, 'runs')].find((each) =>
    leadsOutOf(host.cwd, path.resolve(host.cwd, each)),
  )
  if (link === undefined) return undefined
  return `${link} is a link that leads out of this folder; name the output root with --out-root or ZCL_OUT_ROOT`
}

function isNamedByUser(host: Host, origin: Origin): boolean {
  if (origin.kind !== 'file') return origin.kind !== 'default'
  return origin.path !== projectConfigFile(host) || isNamedConfig(host)
}

/** The folder of the user, which records trusted files; undefined without a HOME. */
export function trustFolder({ env }: Pick<Host, 'env'>): string | undefined {
  return env.HOME === undefined || env.HOME === '' ? undefined : path.join(env.HOME, '.zcl')
}

/** Keys of a found file that need trust: they send something elsewhere or write outside the folder. */
export function isSensitiveKey(key: string, value: unknown): boolean {
  if (key === 'releases') return true
  if (key !== 'outRoot' || typeof value !== 'string') return false
  return path.isAbsolute(value) || /^\.\.(?:\/|$)/.test(path.normalize(value))
}

function isNamedConfig({ env }: Host): boolean {
  return (env.ZCL_CONFIG ?? '') !== ''
}

/** A file that zcl finds in the working folder may belong to a stranger; a named one does not. */
function projectSource(host: Host, file: string): ConfigSource {
  const folder = trustFolder(host)
  if (isNamedConfig(host) || folder === undefined) return { path: file }
  const trust = { folder, isSensitive: isSensitiveKey, command: 'zcl trust' }
  return { path: file, restrict: requireTrust(trust) }
}

/** The merged settings with their problems; never throws, for `zcl doctor`. */
export function inspectSettings(
  host: Host,
  flag: string | undefined,
): Promise<InspectedConfig<Settings>> {
  const fromEnv = host.env.ZCL_OUT_ROOT === '' ? undefined : host.env.ZCL_OUT_ROOT
  return inspectConfig(
    zclConfig,
    configFiles(host).map((file) =>
      file === projectConfigFile(host) ? projectSource(host, file) : { path: file },
    ),
    [
      { key: 'outRoot', value: fromEnv, from: { environment: 'ZCL_OUT_ROOT' } },
      { key: 'outRoot', value: flag, from: { flag: '--out-root' } },
    ],
  )
}

export function resolveOutRoot(host: Host, shown: string): OutRoot {
  return { shown, absolute: path.resolve(host.cwd, shown) }
}

/** The error that a configuration problem ends a command with. */
export function configError(problem: ConfigProblem | undefined): Error {
  const message = problem?.message ?? 'the configuration cannot be read'
  if (problem?.code === 'usage') return zclError('ZCL_E_USAGE', message)
  if (problem?.code === 'config_unreadable') return zclError('ZCL_E_IO', message)
  if (problem?.key === 'schemaVersion') return zclError('ZCL_E_SCHEMA_UNSUPPORTED', message)
  return zclError(problem?.key === undefined ? 'ZCL_E_INVALID_JSON' : 'ZCL_E_CONTRACT', message)
}
