// `zcl plan`: the number of attempts that detects a difference of pass rates.
import type { Host } from '@zee/core/exit'
import { planAttempts, planText } from '@zee/evidence/statistics/compare'
import { printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'

export interface PlanFlags {
  missions: number
  effect: number
  power: number
  rate: number
  alpha: number
  json: boolean
}

const maxMissions = 100_000

export async function runPlan(flags: PlanFlags, host: Host): Promise<number> {
  const { missions, effect, power, rate, alpha, json } = flags
  if (missions > maxMissions) {
    throw zclError('ZCL_E_USAGE', `--missions is limited to ${maxMissions}`)
  }
  // A pass rate of B cannot be below 0 or above 1.
  if (effect > Math.max(rate, 1 - rate) + 1e-9) {
    throw zclError(
      'ZCL_E_USAGE',
      `--effect ${effect} is impossible with a pass rate of ${rate} in A`,
    )
  }
  const rates = Array.from({ length: missions }, () => rate)
  const plan = planAttempts(rates, { effect, power, alpha })
  const { attemptsPerMission: attempts } = plan
  const attemptsTotal = attempts === null ? null : 2 * missions * attempts
  if (json) printJson(host, { ok: true, ...plan, rate, attemptsTotal })
  else {
    const total = attemptsTotal === null ? [] : [`${attemptsTotal} attempts on both sides together`]
    printLines(host, [planText(plan), ...total])
  }
  return 0
}
