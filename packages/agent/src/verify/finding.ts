// The verdict on a claim, with the event that decides.

export type Verdict = 'ok' | 'contradicted' | 'stale' | 'unchecked'

export interface Finding {
  verdict: Verdict
  /** The event that supports or contradicts the claim: the line of the tool call. */
  event: number | null
  reason: string
}

export const noReceipt: Finding = { verdict: 'contradicted', event: null, reason: 'no receipt' }
export const notCheckable: Finding = { verdict: 'unchecked', event: null, reason: 'not checkable' }

export const ok = (event: number): Finding => ({ verdict: 'ok', event, reason: `event ${event}` })
export const contradicted = (event: number, what: string): Finding => ({
  verdict: 'contradicted',
  event,
  reason: `event ${event}: ${what}`,
})
export const unknown = (event: number): Finding => ({ ...notCheckable, event })
