// `zcl enrich`: adds metrics from the runner's own log to an attempt.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { artifactName } from '@zee/evidence/layout'
import { enrichAttempt } from '@zee/evidence/runners'
import type { RunnerName } from '@zee/evidence/vocabulary'
import { resolveAttempt } from '../attempts.ts'
import { aligned, printable, printJson, printLines } from '../../output/output.ts'
import { redactorFor } from '../../redaction/redaction.ts'

export interface EnrichFlags {
  runner: string
  rollout: string | undefined
  home: string | undefined
  json: boolean
}

export async function runEnrich(
  argument: string | undefined,
  flags: EnrichFlags,
  host: Host,
): Promise<number> {
  const { folder } = await resolveAttempt(argument, host)
  const home = flags.home === undefined ? undefined : path.resolve(host.cwd, flags.home)
  const { ref, metrics } = await enrichAttempt(folder, {
    runner: flags.runner as RunnerName,
    rollout: flags.rollout,
    // Variables that relocate a runner's folder apply to our HOME, not to the given one.
    env: home === undefined ? host.env : { HOME: home },
    cwd: host.cwd,
    program: __filename,
    isHomePrivate: home !== undefined,
    redactor: redactorFor(host),
  })
  if (flags.json) {
    printJson(host, {
      ok: true,
      runner: ref.runner,
      refPath: artifactName.runnerRef,
      metricsPath: artifactName.runnerMetrics,
      ref,
      metrics,
    })
    return 0
  }
  const rows = Object.entries(metrics).slice(2)
  printLines(host, [
    printable(`${ref.runner}: ${ref.rolloutPath}`),
    ...aligned(rows.map(([key, value]) => [`  ${key}`, String(value)])),
  ])
  return 0
}
