// `zcl suite run --dose 0,5,10,20`: runs the suite once per rate of injected faults and prints how the pass
// rate falls, with intervals.
import type { OutRoot } from '../../config/config.ts'
import { rateOf } from '@zee/evidence/statistics'
import type { Suite } from '@zee/evidence/suite'
import { aligned, complain, printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { interruptedExitCode } from '../interrupt.ts'
import type { LabCall } from '../open-lab.ts'
import { slotsOf } from '../plan.ts'
import { performRun, type SuiteRunOptions } from './command.ts'
import { planRun, storePlannedRun } from './plan-run.ts'

interface DoseRequest {
  suite: Suite
  outRoot: OutRoot
  runner: readonly string[]
  /** Set by `--until-decided`, which has no fixed number of attempts. */
  sequential: object | undefined
}

/** The pass rate at one rate of faults. */
export interface DosePoint {
  /** In percent. */
  dose: number
  runId: string
  passed: number
  failed: number
  infra: number
  total: number
  /** Of the attempts that passed or failed; null without any. */
  rate: number | null
  /** The 95 % interval; null with fewer than two attempts. */
  interval: { low: number; high: number } | null
}

export async function runDoses(
  { suite, outRoot, runner, sequential }: DoseRequest,
  options: SuiteRunOptions & { dose: readonly number[] },
  call: LabCall,
): Promise<number> {
  const { host } = call
  if (sequential !== undefined || options.runId !== undefined) {
    throw usage('--dose makes one run per dose; leave out --until-decided and --run-id')
  }
  const rules = options.inject ?? []
  if (rules.length === 0) throw usage('--dose needs --inject <fault>, whose rate it varies')
  const curve: DosePoint[] = []
  for (const dose of options.dose) {
    const inject = rules.map((rule) => ({ ...rule, probability: dose / 100 }))
    const plan = planRun(suite, { ...options, inject }, runner, outRoot, host)
    await storePlannedRun({ plan, suite }, outRoot.absolute)
    const execution = { ...options, outRoot }
    const todo = [...slotsOf(plan)]
    const { run, interrupt } = await performRun({ plan, suite }, todo, runner, execution, call)
    const signal = interrupt.received()
    if (signal !== undefined) {
      complain(host, 'ZCL_E_INTERRUPTED', `stopped by ${signal} at a dose of ${dose} %`)
      return interruptedExitCode(signal)
    }
    curve.push(pointOf(dose, run.summary))
  }
  const ok = curve.some(({ rate }) => rate !== null)
  if (options.json) printJson(host, { ok, suiteId: suite.suiteId, curve })
  else printLines(host, describe(curve))
  if (ok) return 0
  complain(host, 'ZCL_E_MISSING_EVIDENCE', 'no attempt counts at any dose: all are infra failures')
  return 2
}

function pointOf(
  dose: number,
  { runId, passed, failed, infra, total }: Omit<DosePoint, 'dose' | 'rate' | 'interval'>,
): DosePoint {
  const { rate, low, high } = rateOf(passed, passed + failed)
  const interval =
    low === undefined || high === undefined ? null : { low: rounded(low), high: rounded(high) }
  const shown = rate === undefined ? null : rounded(rate)
  return { dose, runId, passed, failed, infra, total, rate: shown, interval }
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000
}

const barCells = 30

function describe(curve: readonly DosePoint[]): string[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const rows = curve.map(({ dose, passed, total, rate, interval, infra, runId }) => [
    `${dose} %`,
    `${passed} of ${total} passed`,
    rate === null ? 'no attempt counts' : percent(rate),
    interval === null ? '' : `${percent(interval.low)} to ${percent(interval.high)}`,
    '#'.repeat(Math.round((rate ?? 0) * barCells)).padEnd(barCells, '.'),
    infra === 0 ? '' : `${infra} infra`,
    runId,
  ])
  return ['dose of faults', ...aligned(rows).map((row) => `  ${row}`)]
}

function usage(message: string): Error {
  return zclError('ZCL_E_USAGE', `${message} (see 'zcl suite run --help')`)
}
