// Removes forgotten turns and texts from inbox.jsonl and timers.jsonl: on request of mem, or by mem itself
// while no tmr runs.
import path from 'node:path'
import { lockData } from '../../lock-data.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { Forgotten } from '../../turns/turns.ts'
import type { InboxOptions } from './inbox/inbox.ts'
import { Inbox } from './inbox/inbox.ts'
import { Jobs } from './jobs/jobs.ts'
import { Runner } from './runner.ts'

type FilesContext = Pick<ServiceContext, 'config' | 'clock' | 'log'>

export interface TimerFiles {
  jobs: Jobs
  inbox: Inbox
}

export function openTimerFiles(
  { config, clock, log }: FilesContext,
  options: Pick<InboxOptions, 'onAdded' | 'redact'>,
): TimerFiles {
  const folder = path.resolve(config.mem.data_dir)
  const inbox = new Inbox({ file: path.join(folder, 'inbox.jsonl'), clock, log, ...options })
  return { inbox, jobs: new Jobs(path.join(folder, 'timers.jsonl'), log) }
}

/** Runs end first: they would add entries. A timer that is still scheduled keeps its text. */
export async function forgetTexts(
  { jobs, inbox, runner }: TimerFiles & { runner: Runner },
  forgotten: Forgotten,
): Promise<void> {
  await runner.forget(forgotten.turns)
  await inbox.forget(forgotten)
  await jobs.forget(forgotten.turns)
}

/** The same while no tmr runs; throws `lock_timeout` when one does. */
export async function forgetInFiles(context: FilesContext, forgotten: Forgotten): Promise<void> {
  const { clock, log } = context
  const lock = await lockData(path.resolve(context.config.mem.data_dir), 'tmr', { waitMs: 1000 })
  try {
    const files = openTimerFiles(context, { onAdded: () => {} })
    const { signal } = new AbortController()
    const runTurn = () => Promise.reject(new Error('mem runs no turns'))
    const runner = new Runner({ ...files, clock, log, signal, parallel: 1, runTurn })
    try {
      await forgetTexts({ ...files, runner }, forgotten)
    } finally {
      await Promise.all([files.jobs.close(), files.inbox.close()])
    }
  } finally {
    await lock.release()
  }
}
