// The checks of `zino doctor`: configuration, model, sockets, sandbox, disk, clock, memory.
import { statSync } from 'node:fs'
import path from 'node:path'
import type { Check } from '@zee/core/checks'
import { folderCheck } from '@zee/core/checks'
import { rfc3339 } from '@zee/core/clock'
import { errnoOf, reasonOf, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { createLogger } from '@zee/core/log'
import { askService } from '../client/client.ts'
import type { FoundConfig } from '../config/config.ts'
import { configWarnings, findConfig } from '../config/config.ts'
import { withoutKeys } from '../lifecycle/lifecycle.ts'
import type { ServiceContext } from '../service/service.ts'
import { loadChecks, serviceNames } from '../services/services.ts'
import { checkModel } from './model.ts'
import { checkSandbox } from './sandbox.ts'

const pingDeadlineMs = 3000
/** Files may be this much newer than the clock: file servers have clocks of their own. */
const maxAheadMs = 60_000
/** No copy of this program was built before. */
const earliestMs = Date.UTC(2025, 0, 1)

export async function runChecks(requested: string | undefined, host: Host): Promise<Check[]> {
  const lookup = { requested, env: host.env, cwd: host.cwd, use: 'service' } as const
  let found: FoundConfig & { file: string }
  try {
    found = await findConfig(lookup)
  } catch (error) {
    return [configFailure(error)]
  }
  const env = found.isUntrusted === true ? withoutKeys(host.env) : host.env
  const log = createLogger({ name: 'zino.doctor', level: 'ERROR', write: () => {} })
  const context: ServiceContext = { config: found.config, log, clock: host.clock, env }
  const sockets = await checkSockets(context)
  const [model, sandbox, disk, memory] = await Promise.all([
    checkModel(context),
    checkSandbox(context),
    folderCheck('disk', path.resolve(found.config.mem.data_dir), { showsUse: true }),
    checkMemory(context),
  ])
  return [configCheck(found), model, sockets, sandbox, disk, checkClock(context), memory]
}

function configFailure(error: unknown): Check {
  const isMissing = error instanceof ZeeError && error.code === 'config_missing'
  const advice = isMissing ? 'create one: zino init' : 'correct the file'
  return { id: 'config', status: 'blocked', message: reasonOf(error), advice }
}

function configCheck(found: FoundConfig & { file: string }): Check {
  const [warning] = configWarnings(found)
  if (warning === undefined) return { id: 'config', status: 'ok', message: found.file }
  const message = `${found.file}: ${warning}`
  return { id: 'config', status: 'todo', message, advice: 'correct the file' }
}

async function checkSockets({ config }: ServiceContext): Promise<Check> {
  const id = 'sockets'
  const failures = await Promise.all(
    serviceNames.map(async (name) => {
      try {
        const options = { deadlineMs: pingDeadlineMs }
        const { type } = await askService(config[name].socket, { type: 'ping' }, options)
        return type === 'pong' ? [] : [{ name, isDenied: false }]
      } catch (error) {
        const isDenied = error instanceof ZeeError && errnoOf(error.cause) === 'EACCES'
        return [{ name, isDenied }]
      }
    }),
  )
  const silent = failures.flat()
  if (silent.length === 0) {
    return { id, status: 'ok', message: `all ${serviceNames.length} services answer` }
  }
  const message = `no answer from ${silent.map(({ name }) => name).join(', ')}`
  const folder = path.dirname(path.resolve(config.daemon.socket))
  const advice = silent.some(({ isDenied }) => isDenied)
    ? `you may not connect: join the group of ${folder}`
    : 'start them: zino up --detach (see zino logs)'
  return { id, status: 'blocked', message, advice }
}

/** A slow clock gives new memories earlier times than the old ones. */
function checkClock({ config, clock }: ServiceContext): Check {
  const now = clock.now()
  const message = `${rfc3339(now, 0)}, time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}`
  const advice = 'set the clock, for example with NTP'
  if (now.getTime() < earliestMs) return { id: 'clock', status: 'blocked', message, advice }
  const folder = path.resolve(config.mem.data_dir)
  const newest = Math.max(
    ...['.', 'channels', 'hard_memories.json', 'mem.journal'].map(
      (name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  )
  if (newest <= now.getTime() + maxAheadMs) return { id: 'clock', status: 'ok', message }
  const ahead = `${message}; the memory was written at ${rfc3339(new Date(newest), 0)}`
  return { id: 'clock', status: 'todo', message: ahead, advice }
}

async function checkMemory({ config }: ServiceContext): Promise<Check> {
  const id = 'memory'
  const checkMemoryFiles = await loadChecks.memoryFiles()
  const folder = path.resolve(config.mem.data_dir)
  try {
    const { files, elements, damaged, aside } = await checkMemoryFiles(folder)
    if (damaged.length > 0) {
      const message = `damaged in ${folder}: ${damaged.join(', ')}`
      const advice = 'restore a backup: zino memory restore FILE'
      return { id, status: 'blocked', message, advice }
    }
    const message = `${files === 1 ? '1 file' : `${files} files`} with ${elements === 1 ? '1 entry' : `${elements} entries`}, all readable`
    if (aside.length === 0) return { id, status: 'ok', message }
    const advice = `look at the damaged copies, then remove them: ${aside.join(', ')}`
    return { id, status: 'todo', message, advice }
  } catch (error) {
    const advice = `make ${folder} readable`
    return { id, status: 'blocked', message: reasonOf(error), advice }
  }
}
