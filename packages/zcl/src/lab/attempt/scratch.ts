// Prepares the scratch folder of an attempt: its own HOME, tool wrappers, and an
// environment without the variables of any other attempt.
import { existsSync, promises, realpathSync } from 'node:fs'
import path from 'node:path'
import type { StartedAttempt } from '@zee/evidence/runs'
import { attemptEnvironment, shellQuoted } from '@zee/evidence/attempt'
import { artifactName, scratchFolder } from '@zee/evidence/layout'
import { fileError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import type { Launcher } from '../../programs/programs.ts'
import { projectConfigFile } from '../../redaction/redaction.ts'
import { installShims } from '../../shim/shim.ts'
import type { RunProfile } from '../profile.ts'
import { judgeKeyVariable } from '../judge/judge.ts'
import { writeStartFiles } from './start-files.ts'

export interface ScratchRequest {
  started: StartedAttempt
  suiteId: string
  missionId: string
  outRoot: string
  profile: RunProfile
  /** The environment of the harness. */
  env: Readonly<Record<string, string | undefined>>
  launcher: Launcher
  hasPrompt: boolean
  /** The runner is isolated: the usual way to zcl may not exist inside. */
  isIsolated: boolean
  /** Where the harness was started; its configuration applies to the attempt too. */
  cwd: string
}

export interface Scratch {
  scratch: string
  home: string
  env: Record<string, string | undefined>
}

/** Removed from the environment: they point past the attempt's own HOME to shared state. */
const sharedStateVariables: ReadonlySet<string> = new Set([
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
])

export async function prepareScratch(request: ScratchRequest): Promise<Scratch> {
  const { started, profile } = request
  const scratch = path.join(scratchFolder(request.outRoot, started.runId), started.attemptId)
  const home = path.join(scratch, 'home')
  ensureFolder(home, 0o700)
  if (profile.homeTemplate !== undefined) await copyHomeTemplate(profile.homeTemplate, home)
  await copyUserConfig(request.env.HOME, home)
  const env = runnerEnvironment(request, scratch, home)
  if (profile.shims.length > 0) {
    const shims = path.join(scratch, 'shims')
    const { ignoreArgv = [] } = profile
    await installShims(shims, profile.shims, visibleLauncher(request), { ignoreArgv })
    const inheritFrom = profile.inheritProfile === true ? request.env.HOME : undefined
    const searchPath = request.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'
    await writeStartFiles({ home, shims, searchPath, inheritFrom })
    env.PATH = [shims, searchPath].join(path.delimiter)
  }
  if (request.isIsolated) {
    const programs = path.join(scratch, 'bin')
    await installZcl(programs, request.launcher)
    env.PATH = [programs, env.PATH ?? '/usr/local/bin:/usr/bin:/bin'].join(path.delimiter)
  }
  return { scratch, home, env }
}

/** A link such as node_modules/.bin/zcl may not exist inside an isolation; its target does. */
function visibleLauncher({ launcher, isIsolated }: ScratchRequest): Launcher {
  return isIsolated ? { ...launcher, script: realpathSync(launcher.script) } : launcher
}

/** Puts a program named zcl into the folder. */
async function installZcl(folder: string, { node, script }: Launcher): Promise<void> {
  ensureFolder(folder)
  const text = `#!/bin/sh\nexec ${shellQuoted(node)} ${shellQuoted(realpathSync(script))} "$@"\n`
  await promises.writeFile(path.join(folder, 'zcl'), text, { mode: 0o755 })
}

function runnerEnvironment(
  { started, suiteId, missionId, env, hasPrompt, cwd }: ScratchRequest,
  scratch: string,
  home: string,
): Record<string, string | undefined> {
  const outside = Object.entries(env).filter(
    ([name]) =>
      !isAttemptVariable(name) && !sharedStateVariables.has(name) && name !== judgeKeyVariable,
  )
  const config = projectConfigFile({ env, cwd })
  const identity = { runId: started.runId, attemptId: started.attemptId, suiteId, missionId }
  return {
    ...Object.fromEntries(outside),
    ...attemptEnvironment(identity, started.folder),
    ...(hasPrompt ? { ZCL_PROMPT_PATH: path.join(started.folder, artifactName.prompt) } : {}),
    // The runner may start in another folder, and the redaction rules of the project must still apply.
    ...(existsSync(config) ? { ZCL_CONFIG: config } : {}),
    ZCL_TMP_DIR: scratch,
    ZCL_ISOLATION_MODEL: 'process_runner',
    HOME: home,
  }
}

function isAttemptVariable(name: string): boolean {
  return /^ZCL_(?:RUN_ID|SUITE_ID|MISSION_ID|ATTEMPT_ID|AGENT_ID|OUT_DIR|PROMPT_PATH|TMP_DIR)$/.test(
    name,
  )
}

async function copyHomeTemplate(template: string, home: string): Promise<void> {
  try {
    await promises.cp(template, home, { recursive: true, verbatimSymlinks: true })
  } catch (error) {
    throw fileError('copy', template, error)
  }
}

/** Copies the user's zcl configuration, so that redaction rules apply in the attempt's HOME too. */
async function copyUserConfig(from: string | undefined, home: string): Promise<void> {
  const config = path.join(from ?? '', '.zcl', 'config.json')
  const target = path.join(home, '.zcl', 'config.json')
  if (from === undefined || from === '' || !existsSync(config) || existsSync(target)) return
  ensureFolder(path.dirname(target))
  await promises.copyFile(config, target)
}
