// How an attempt ended, as a mark and in words.
import type { AttemptFacts } from '../data/data.ts'
import { Badge } from '../widgets/widgets.tsx'

type Ended = AttemptFacts['outcome']

const outcomeWords: Readonly<Record<Ended, string>> = {
  passed: 'passed',
  failed: 'failed',
  infra: 'infrastructure',
  missing: 'no outcome',
}

const marks: Readonly<Record<Ended, string>> = {
  passed: '✓',
  failed: '✕',
  infra: '!',
  missing: '–',
}
const tones: Readonly<Record<Ended, string>> = {
  passed: 'good',
  failed: 'bad',
  infra: 'warn',
  missing: '',
}

export function Outcome({ outcome }: { outcome: Ended }) {
  return (
    <span class={outcome}>
      <span aria-hidden="true">{marks[outcome]}</span> {outcomeWords[outcome]}
    </span>
  )
}

export function OutcomeBadge({ outcome }: { outcome: Ended }) {
  return (
    <Badge tone={tones[outcome]}>
      <span aria-hidden="true">{marks[outcome]}</span> {outcomeWords[outcome]}
    </Badge>
  )
}
