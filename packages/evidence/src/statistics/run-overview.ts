// A run at a glance, for pages: missions by name, and for each its attempts with how they ended.
import { rateOf, type Rate } from './rate.ts'
import type { AttemptFacts, RunFacts } from './read-run.ts'
import { countOutcomes, missionGroups, roundedRate, type OutcomeCounts } from './run-statistics.ts'

export interface RunOverview extends OutcomeCounts {
  runId: string
  suiteId: string
  createdAt?: string
  rate: Rate
  missions: MissionOverview[]
}

export interface MissionOverview extends OutcomeCounts {
  missionId: string
  contentHash: string
  rate: Rate
  /** In the order of their indexes. */
  rows: AttemptFacts[]
}

export function overviewOf({ attempts, ...run }: RunFacts): RunOverview {
  return {
    runId: run.runId,
    suiteId: run.suiteId,
    ...(run.createdAt === undefined ? {} : { createdAt: run.createdAt }),
    ...countedRate(attempts),
    missions: [...missionGroups(attempts).values()].map((group) => ({
      missionId: group[0]?.missionId ?? '',
      contentHash: group[0]?.contentHash ?? '',
      ...countedRate(group),
      rows: group,
    })),
  }
}

function countedRate(attempts: readonly AttemptFacts[]): OutcomeCounts & { rate: Rate } {
  const counts = countOutcomes(attempts)
  return { ...counts, rate: roundedRate(rateOf(counts.passed, counts.passed + counts.failed)) }
}
