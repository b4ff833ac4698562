// The gate of `zcl compare --fail-on`: the reasons for which a pipeline stops. Without a gate, a
// comparison only informs.
import type { Comparison } from './compare.ts'
import { percentText, pValueText } from './words.ts'

export interface GateOptions {
  /** Stop if B is worse on these missions. */
  failOn: 'worse' | undefined
  /** Stop if B lost a larger share of its attempts to the infrastructure. */
  maxInfra: number
  /** Stop also if a single mission is worse. */
  eachMission: boolean
}

export interface Gate {
  failOn: 'worse'
  maxInfra: number
  failed: boolean
  reasons: string[]
}

/** Null without a gate. */
export function gateOf(
  { onTheseMissions, missions, lost }: Omit<Comparison, 'gate' | 'ok'>,
  { failOn, maxInfra, eachMission }: GateOptions,
  alpha: number,
): Gate | null {
  if (failOn === undefined) return null
  const worse = missions.filter(({ level }) => level === 'worse').map(({ missionId }) => missionId)
  const { b } = lost
  const reasons = [
    ...(onTheseMissions.verdict === 'worse' ? ['B is worse on these missions'] : []),
    ...(eachMission && worse.length > 0 ? [`B is worse on ${worse.join(', ')}`] : []),
    ...(lost.pMoreInB < alpha
      ? [`B has more infra failures than A (p ${pValueText(lost.pMoreInB)}, one-sided)`]
      : []),
    ...(b.share > maxInfra
      ? [
          `B lost ${percentText(b.share)} of its attempts to infra failures (limit ${percentText(maxInfra)})`,
        ]
      : []),
  ]
  return { failOn, maxInfra, failed: reasons.length > 0, reasons }
}
