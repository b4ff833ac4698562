// The fields that several schemas share: ids, times, counts, bounded text.
import { parseRfc3339 } from '@zee/core/clock'
import * as z from 'zod/mini'
import { limits } from './limits.ts'

/** The kind of fault and its text, for a value of the right type that a refinement rejects. */
export interface RefinementParams {
  zcl: 'timestamp' | 'bounds' | 'contract' | 'containment'
  text: string
}

const encoder = new TextEncoder()

export function refined(check: (value: string) => boolean, params: RefinementParams) {
  return z.string().check(z.refine(check, { params }))
}

export function capped(bytes: number) {
  return refined((value) => fits(value, bytes), { zcl: 'bounds', text: `is over ${bytes} bytes` })
}

function fits(value: string, bytes: number): boolean {
  if (value.length > bytes) return false
  return value.length * 3 <= bytes || encoder.encode(value).length <= bytes
}

export const timestamp = refined((value) => parseRfc3339(value) !== undefined, {
  zcl: 'timestamp',
  text: 'is not an RFC 3339 time',
})

export const fileName = refined((value) => value !== '' && !/[\\/]|^\.\.?$/.test(value), {
  zcl: 'containment',
  text: 'is not a bare file name',
})

/** A path that stays below its folder and is never absolute. */
export const relativePath = refined(
  (value) => value !== '' && !/^(?:[\\/]|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value),
  { zcl: 'containment', text: 'leaves its folder' },
)

export const id = refined((value) => value !== '', { zcl: 'contract', text: 'is empty' })
export const runId = refined((value) => /^[0-9]{8}-[0-9]{6}Z-[0-9a-f]{6}$/.test(value), {
  zcl: 'contract',
  text: 'is not a run id',
})
export const kebabId = refined((value) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value), {
  zcl: 'contract',
  text: 'is not a lower-case kebab id',
})
export const attemptId = refined(
  (value) => /^[0-9]{3,}-[a-z0-9]+(?:-[a-z0-9]+)*-r[1-9][0-9]*$/.test(value),
  {
    zcl: 'contract',
    text: 'is not an attempt id',
  },
)

export const count = z.int().check(
  z.refine((value) => value >= 0, {
    params: { zcl: 'contract', text: 'is negative' } satisfies RefinementParams,
  }),
)
export const positive = z.int().check(
  z.refine((value) => value > 0, {
    params: { zcl: 'contract', text: 'is not above 0' } satisfies RefinementParams,
  }),
)

export const redactionsApplied = z.array(capped(limits.redactionNameBytes)).check(
  z.refine((names) => names.length <= limits.redactionNames, {
    params: {
      zcl: 'bounds',
      text: `has more than ${limits.redactionNames} names`,
    } satisfies RefinementParams,
  }),
)

export const version = z.literal(1)
export const attemptIds = { runId, suiteId: kebabId, missionId: kebabId, attemptId }
/** The validator compares ids inside a stream with attempt.json, so their form needs no check. */
export const streamIds = {
  runId: id,
  suiteId: z.optional(id),
  missionId: id,
  attemptId: id,
  agentId: z.optional(z.string()),
}

export const nativeResult = z.looseObject({
  resultSource: z.enum([
    'task_complete_last_agent_message',
    'phase_final_answer',
    'delta_fallback',
  ]),
  phaseAware: z.boolean(),
  commentaryMessagesObserved: count,
  reasoningItemsObserved: count,
})
