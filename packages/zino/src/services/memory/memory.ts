// mem: channel histories, hard memories and the soft memory, stored as plain files that survive a kill
// at any instant. It listens immediately; requests wait until the data folder is locked and recovered.
import path from 'node:path'
import { reasonOf } from '@zee/core/errors'
import type { Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import { Channels } from './channels/channels.ts'
import { endTurns } from './end-turns.ts'
import { forgetInTimers } from './forget-timers.ts'
import { HardMemories } from './hard-memories/hard-memories.ts'
import type { Memory } from './requests.ts'
import { memoryHandlers } from './requests.ts'
import { requestRedactor } from './redact-request.ts'
import { SoftMemory } from './soft-memory.ts'
import { answersFolder, eraseAnswers, removeTurnsWith, turnsFolder } from '../../turns/turns.ts'
import { makeDataFolder, openStorage } from './storage/storage.ts'
import { Tombstones } from './tombstones.ts'

export { checkMemoryFiles } from './integrity.ts'
export { storedTexts } from './stored-messages.ts'

interface OpenMemory extends Memory {
  close(): Promise<void>
}

export function startMemory(context: ServiceContext): Service {
  const closed = new AbortController()
  const folder = path.resolve(context.config.mem.data_dir)
  makeDataFolder(folder)
  let opening: Promise<OpenMemory> | undefined
  const memory = () => {
    opening ??= openMemory(context, folder, closed.signal).catch((error: unknown) => {
      // The next request retries.
      opening = undefined
      if (!closed.signal.aborted) context.log.error(`memory cannot be used: ${reasonOf(error)}`)
      throw error
    })
    return opening
  }
  memory().catch(() => {})
  return {
    handlers: handlersOf(
      memoryHandlers(memory, requestRedactor(context), (reason) => context.exit?.(reason)),
    ),
    close: async () => {
      closed.abort()
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}

async function openMemory(
  context: ServiceContext,
  folder: string,
  signal: AbortSignal,
): Promise<OpenMemory> {
  const { config, log } = context
  const { lists, close, assertOwner } = await openStorage({ folder, log, signal })
  const { ranking } = config.mem
  const channels = new Channels({ lists, ranking, log })
  const hard = new HardMemories({ lists, ranking, log })
  const soft = new SoftMemory(path.join(folder, 'soft_memory.txt'), assertOwner)
  hard.preload()
  channels.preload()
  const tombstones = new Tombstones(path.join(folder, 'tombstones.jsonl'))
  return {
    channels,
    hard,
    soft,
    tombstones,
    endTurns: (turns) => endTurns(config, turns),
    scrub: async (forgotten) => {
      removeTurnsWith(turnsFolder(config), forgotten)
      await eraseAnswers(answersFolder(config), forgotten)
      await forgetInTimers(context, forgotten)
    },
    close: async () => {
      await close()
      channels.close()
      tombstones.close()
    },
  }
}
