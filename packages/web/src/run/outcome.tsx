// The outcome of an attempt as a mark and text.
import type { AttemptFacts } from '../data/data.ts'
import { Badge } from '../widgets/widgets.tsx'

type AttemptOutcome = AttemptFacts['outcome']

const outcomeText: Readonly<Record<AttemptOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  infra: 'infrastructure',
  missing: 'no outcome',
}

const marks: Readonly<Record<AttemptOutcome, string>> = {
  passed: '✓',
  failed: '✕',
  infra: '!',
  missing: '–',
}
const tones: Readonly<Record<AttemptOutcome, string>> = {
  passed: 'good',
  failed: 'bad',
  infra: 'warn',
  missing: '',
}

export function outcomeMark(outcome: AttemptOutcome): string {
  return marks[outcome]
}

/** The outcome in words; an attempt without one is running while its run is. */
export function outcomeName(
  { outcome }: Pick<AttemptFacts, 'outcome'>,
  isRunning: boolean,
): string {
  return isRunning && outcome === 'missing' ? 'running' : outcomeText[outcome]
}

export function Outcome({ outcome }: { outcome: AttemptOutcome }) {
  return (
    <span class={outcome}>
      <span aria-hidden="true">{marks[outcome]}</span> {outcomeText[outcome]}
    </span>
  )
}

export function OutcomeBadge({ outcome }: { outcome: AttemptOutcome }) {
  return (
    <Badge tone={tones[outcome]}>
      <span aria-hidden="true">{marks[outcome]}</span> {outcomeText[outcome]}
    </Badge>
  )
}
