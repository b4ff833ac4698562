// tmr: the optional eighth service. It keeps jobs that run at a time, runs each as an ordinary turn
// in its channel, and holds the inbox with what they produced.
import { reasonOf } from '@zee/core/errors'
import { createRedactor } from '@zee/core/redact'
import { withoutKeys } from '../../lifecycle/lifecycle.ts'
import { lockServiceData } from '../../lock-data.ts'
import type { Service, ServiceContext } from '../../service/service.ts'
import { handlersOf } from '../../service/service.ts'
import { openTimerFiles } from './forget.ts'
import { Notifier } from './inbox/inbox.ts'
import { inboxRequests, timerRequests } from './requests.ts'
import { Runner } from './runner.ts'
import { Scheduler } from './scheduler.ts'
import { runTurn } from './turn-call.ts'

export { forgetInFiles } from './forget.ts'

export async function startTimers(context: ServiceContext): Promise<Service> {
  const { config, log, clock, env } = context
  const stopping = new AbortController()
  const { signal } = stopping
  const lock = await lockServiceData(context, 'tmr')
  const notifier = new Notifier({
    command: config.inbox.notify,
    timeoutSeconds: config.inbox.notify_timeout,
    env: withoutKeys(env),
    log,
    signal,
  })
  const redact = textRedactor(context)
  const onAdded = (text: string) => notifier.notify(text)
  const { jobs, inbox } = openTimerFiles(context, { onAdded, redact })
  for (const [name, { damage }] of Object.entries({ timers: jobs, inbox })) {
    if (damage === undefined) continue
    const copy = damage.copy === undefined ? '' : `; a copy is kept as ${damage.copy}`
    log.error(`${name}.jsonl: ${damage.lines} lines are damaged and were skipped${copy}`)
  }
  const runner = new Runner({
    ...{ jobs, inbox, clock, log, signal },
    parallel: config.tmr.parallel,
    runTurn: (call, signal) => runTurn({ config, log, signal }, call),
  })
  const scheduler = new Scheduler({
    ...{ jobs, clock, log, hasPings: context.isSupervised },
    run: (job, due, isLate) => runner.runDue(job, due, isLate),
  })
  const start = async () => {
    void runner.recover((job) => scheduler.schedule(job))
    await scheduler.start()
  }
  start().catch((error: unknown) => log.error(`timers do not run: ${reasonOf(error)}`))
  log.info(`${jobs.size} timers, ${inbox.size} inbox entries`)
  const parts = { config, clock, env, jobs, inbox, runner, scheduler, redact }
  return {
    handlers: handlersOf({ ...timerRequests(parts), ...inboxRequests(parts) }),
    onPing: () => scheduler.checkTime(),
    close: async () => {
      scheduler.stop()
      stopping.abort(new Error('the service is stopping'))
      await Promise.all([jobs.close(), inbox.close()])
      await lock?.release()
    },
  }
}

function textRedactor({ config, env }: ServiceContext): (text: string) => string {
  if (!config.mem.redact) return (text) => text
  const redactor = createRedactor({ environment: { ...env, ZINO_API_KEY: config.api.key } })
  return (text) => redactor.value(text).value as string
}
