// The checks of `zcl doctor`: write access, configuration files, redaction rules, runners. Leaves no files.
import { promises, statSync } from 'node:fs'
import path from 'node:path'
import { inspectConfig } from '@zee/core/config'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { randomHex } from '@zee/core/ids'
import { zclConfig } from '../config.ts'
import { findOnPath } from '../../programs/programs.ts'
import { configFiles, redactorFor } from '../../redaction/redaction.ts'

export interface Check {
  id: string
  ok: boolean
  message?: string
}

/** `refusal` says why the output root cannot be used. */
export async function checkEnvironment(
  outRoot: string,
  refusal: string | undefined,
  host: Host,
): Promise<Check[]> {
  const files = configFiles(host)
  const project = files.at(-1) ?? ''
  const global = files.length > 1 ? files[0] : undefined
  return [
    refusal === undefined
      ? await writeAccess(outRoot)
      : { id: 'write_access', ok: false, message: refusal },
    await configCheck('project_config', project),
    await configCheck('global_config', global),
    redactionCheck(host),
    codexCheck(host),
  ]
}

/** Writes and removes a probe file in `outRoot`, or in its nearest existing parent. */
async function writeAccess(outRoot: string): Promise<Check> {
  const id = 'write_access'
  const folder = nearestFolder(path.join(outRoot, 'runs'))
  const probe = path.join(folder, `.zcl-doctor-${randomHex(6)}`)
  try {
    const handle = await promises.open(probe, 'wx')
    try {
      await handle.writeFile('x')
      await handle.sync()
    } finally {
      await handle.close()
      await promises.rm(probe, { force: true })
    }
    return { id, ok: true }
  } catch (error) {
    return { id, ok: false, message: `cannot write in ${folder}: ${reasonOf(error)}` }
  }
}

function nearestFolder(target: string): string {
  let folder = target
  while (!exists(folder)) {
    const above = path.dirname(folder)
    if (above === folder) return folder
    folder = above
  }
  return folder
}

/** Also true for a file in the path: the probe then fails with the reason. */
function exists(target: string): boolean {
  try {
    return statSync(target, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

async function configCheck(id: string, file: string | undefined): Promise<Check> {
  if (file === undefined) return { id, ok: true, message: 'HOME is not set' }
  const { config, problems } = await inspectConfig(zclConfig, [{ path: file }])
  if (config === undefined) return { id, ok: false, message: problems[0]?.message ?? 'unreadable' }
  return config.files.length === 0 ? { id, ok: true, message: 'not there' } : { id, ok: true }
}

function redactionCheck(host: Host): Check {
  const id = 'redaction_config'
  try {
    redactorFor(host)
    return { id, ok: true }
  } catch (error) {
    return { id, ok: false, message: reasonOf(error) }
  }
}

/** Always ok: the runner is optional. */
function codexCheck({ env }: Host): Check {
  const found = findOnPath('codex', env)
  const message = found === undefined ? 'codex is not on PATH; only enrichment needs it' : 'found'
  return { id: 'runner_codex', ok: true, message }
}
