// Runs the hook of a mission: a program that reads the result from stdin and accepts it with exit
// code 0. `zcl expect` runs hooks; reports never do.
import { promises } from 'node:fs'
import { oneLine } from '@zee/core/errors'
import { runProcess } from '@zee/core/process'
import { attemptEnvironment } from '../attempt/attempt.ts'
import { failure, type ExpectationFailure } from '../checks/checks.ts'
import { artifactName } from '../layout/layout.ts'
import type { ReportFile } from '../schema/schema.ts'
import type { SemanticExpectations } from '../suite/suite.ts'

export interface HookSubject {
  /** Absolute. */
  folder: string
  report: ReportFile
  env: Readonly<Record<string, string | undefined>>
}

const defaultTimeoutMs = 10_000
const maxOutputBytes = 16 * 1024

/** No failure if the hook exits 0; otherwise its first output line is the reason. */
export async function hookFailures(
  expected: SemanticExpectations | undefined,
  { folder, report, env }: HookSubject,
): Promise<ExpectationFailure[]> {
  const [command, ...args] = expected?.hookCommand ?? []
  if (command === undefined) return []
  const { runId, suiteId, missionId, attemptId, ok, result, resultJson } = report
  const subject = {
    runId,
    suiteId,
    missionId,
    attemptId,
    attemptDir: folder,
    ok,
    result,
    resultJson,
  }
  const identity = { runId, suiteId, missionId, attemptId }
  const ran = await runProcess({
    command,
    args,
    cwd: await promises.realpath(folder),
    env: { ...env, ...attemptEnvironment(identity, folder) },
    isMarked: true,
    stdin: Buffer.from(`${JSON.stringify(subject)}\n`),
    captureBytes: maxOutputBytes,
    deadlineMs: expected?.hookTimeoutMs ?? defaultTimeoutMs,
  })
  if (ran.outcome === 'exited' && !ran.timedOut) {
    if (ran.exitCode === 0) return []
    const reason = firstLine(ran.stdout.text()) || firstLine(ran.stderr.text())
    const message = `the hook ${command} said no (exit ${ran.exitCode})${reason && `: ${reason}`}`
    return [failure('ZCL_E_EXPECT_SEMANTIC_HOOK', message, artifactName.feedback)]
  }
  const why = ran.timedOut ? 'it did not end in time' : (ran.error ?? `ended by ${ran.signal}`)
  return [failure('ZCL_E_SEMANTIC_HOOK', `the hook ${command} failed: ${why}`, artifactName.suite)]
}

function firstLine(text: string): string {
  return oneLine(text.trim().split('\n')[0] ?? '').slice(0, 300)
}
