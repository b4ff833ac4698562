// The place a runner works in: a scratch folder and a HOME of its own, wrappers for tools, and an
// environment that names its attempt and nobody else's.
import { existsSync, promises } from 'node:fs'
import path from 'node:path'
import type { StartedAttempt } from '@zee/evidence/runs'
import { attemptEnvironment } from '@zee/evidence/attempt'
import { artifactName, scratchFolder } from '@zee/evidence/layout'
import { fileError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import type { Launcher } from '../../programs/programs.ts'
import { installShims } from '../../shim/shim.ts'
import type { RunProfile } from '../profile.ts'

export interface PlaceRequest {
  started: StartedAttempt
  suiteId: string
  missionId: string
  outRoot: string
  profile: RunProfile
  /** The environment of the harness. */
  env: Readonly<Record<string, string | undefined>>
  launcher: Launcher
  hasPrompt: boolean
}

export interface AttemptPlace {
  scratch: string
  home: string
  env: Record<string, string | undefined>
}

/** These would lead a runner past its own HOME to the state of other attempts. */
const sharedState: ReadonlySet<string> = new Set([
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
])

export async function preparePlace(request: PlaceRequest): Promise<AttemptPlace> {
  const { started, profile } = request
  const scratch = path.join(scratchFolder(request.outRoot, started.runId), started.attemptId)
  const home = path.join(scratch, 'home')
  ensureFolder(home, 0o700)
  if (profile.homeTemplate !== undefined) await copyHome(profile.homeTemplate, home)
  await keepUserConfig(request.env.HOME, home)
  const env = environmentOf(request, scratch, home)
  if (profile.shims.length > 0) {
    const shims = path.join(scratch, 'shims')
    await installShims(shims, profile.shims, request.launcher)
    env.PATH = [shims, request.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'].join(path.delimiter)
  }
  return { scratch, home, env }
}

function environmentOf(
  { started, suiteId, missionId, env, hasPrompt }: PlaceRequest,
  scratch: string,
  home: string,
): Record<string, string | undefined> {
  const outside = Object.entries(env).filter(
    ([name]) => !isOfAnAttempt(name) && !sharedState.has(name),
  )
  const identity = { runId: started.runId, attemptId: started.attemptId, suiteId, missionId }
  return {
    ...Object.fromEntries(outside),
    ...attemptEnvironment(identity, started.folder),
    ...(hasPrompt ? { ZCL_PROMPT_PATH: path.join(started.folder, artifactName.prompt) } : {}),
    ZCL_TMP_DIR: scratch,
    ZCL_ISOLATION_MODEL: 'process_runner',
    HOME: home,
  }
}

function isOfAnAttempt(name: string): boolean {
  return /^ZCL_(?:RUN_ID|SUITE_ID|MISSION_ID|ATTEMPT_ID|AGENT_ID|OUT_DIR|PROMPT_PATH|TMP_DIR)$/.test(
    name,
  )
}

async function copyHome(template: string, home: string): Promise<void> {
  try {
    await promises.cp(template, home, { recursive: true, verbatimSymlinks: true })
  } catch (error) {
    throw fileError('copy', template, error)
  }
}

/** The user's redaction rules hold in an attempt's own HOME as well. */
async function keepUserConfig(from: string | undefined, home: string): Promise<void> {
  const config = path.join(from ?? '', '.zcl', 'config.json')
  const own = path.join(home, '.zcl', 'config.json')
  if (from === undefined || from === '' || !existsSync(config) || existsSync(own)) return
  ensureFolder(path.dirname(own))
  await promises.copyFile(config, own)
}
