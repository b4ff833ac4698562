// `zcl init`: creates the config file and the output root. A second run changes nothing.
import path from 'node:path'
import { createFileExclusive } from '@zee/core/atomic-file'
import { inspectConfig } from '@zee/core/config'
import { errnoOf, errorAfter, fileError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { ensureDurableFolder } from '@zee/core/folders'
import { artifactText } from '@zee/evidence/artifact'
import { runsFolder } from '@zee/evidence/layout'
import { zclError } from '../../errors/errors.ts'
import { outRootFor, resolveOutRoot, configError, zclConfig } from '../config.ts'
import { printJson, printLines } from '../../output/output.ts'

export interface InitOptions {
  outRoot: string | undefined
  config: string | undefined
  json: boolean
}

export async function runInit(options: InitOptions, host: Host): Promise<number> {
  const shown = options.config ?? 'zcl.config.json'
  const file = path.resolve(host.cwd, shown)
  const existing = await configuredRoot(host, file)
  const requested = options.outRoot
  if (requested === '') throw zclError('ZCL_E_USAGE', '--out-root is empty; name a folder')
  if (existing !== undefined && requested !== undefined && !isSameRoot(host, requested, existing)) {
    const message = `${shown} has outRoot ${JSON.stringify(existing)}, not ${JSON.stringify(requested)}; it is left as it is`
    throw zclError('ZCL_E_USAGE', message)
  }
  // A file that zcl finds may belong to a stranger: without trust it cannot name a folder elsewhere.
  const isFound = existing !== undefined && requested === undefined && options.config === undefined
  const known = isFound ? await configuredElsewhere(host) : existing
  const outRoot = known ?? requested ?? (await configuredElsewhere(host))
  const created = existing === undefined && (await createConfig(file, outRoot))
  const { absolute } = resolveOutRoot(host, outRoot)
  const folder = path.join(outRoot, 'runs')
  try {
    ensureDurableFolder(runsFolder(absolute))
  } catch (error) {
    const happened = `${shown} ${created ? 'was written' : 'was there'}, and the folder may exist`
    throw errorAfter(happened, fileError('create', folder, error))
  }
  if (options.json) {
    printJson(host, { ok: true, configPath: shown, outRoot, created, outRootReady: true })
  } else {
    printLines(host, [`${shown}  ${created ? 'created' : 'was there'}`, `${folder}  ready`])
  }
  return 0
}

function isSameRoot(host: Host, one: string, other: string): boolean {
  return resolveOutRoot(host, one).absolute === resolveOutRoot(host, other).absolute
}

/** The output root of an existing config file; undefined without one. Throws when it is invalid. */
async function configuredRoot(host: Host, file: string): Promise<string | undefined> {
  const { config, problems } = await inspectConfig(zclConfig, [{ path: file }])
  if (config === undefined) throw configError(problems[0])
  if (config.files.length === 0) return undefined
  // A file without outRoot defers to the environment and the user's file.
  if (config.origin('outRoot').kind === 'default') return configuredElsewhere(host)
  return config.values.outRoot
}

/** The output root that applies to other commands here. */
async function configuredElsewhere(host: Host): Promise<string> {
  return (await outRootFor(host, undefined)).shown
}

/** False when a concurrent `zcl init` created the file first. */
async function createConfig(file: string, outRoot: string): Promise<boolean> {
  ensureDurableFolder(path.dirname(file))
  try {
    await createFileExclusive(file, artifactText({ schemaVersion: 1, outRoot }))
    return true
  } catch (error) {
    const code = error instanceof ZeeError ? error.code : errnoOf(error)?.toLowerCase()
    if (code !== 'eexist') throw error
    return false
  }
}
