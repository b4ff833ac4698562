// The progress of a campaign for people: one line per finished attempt, on a terminal also one per running
// attempt, and at the end the outcomes of missions by flows.
import { coloursFor } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import { alignedFor, formatMilliseconds, LiveLines, printable } from '../../../output/output.ts'
import type { CampaignReport } from '../report.ts'
import type { CampaignPlan, Step } from '../state.ts'

const redrawMs = 200

export class CampaignProgress {
  readonly #host: Host
  readonly #live: LiveLines
  /** Stdout is reserved for the JSON answer. */
  readonly #isSilent: boolean
  /** Start times of the running attempts by mission and flow. */
  readonly #running = new Map<string, number>()
  #done = 0
  #total = 0
  #ticker: NodeJS.Timeout | undefined

  constructor(host: Host, { isSilent }: { isSilent: boolean }) {
    this.#host = host
    this.#isSilent = isSilent
    this.#live = new LiveLines(host.stderr)
  }

  observe({ missions, flows }: CampaignPlan) {
    this.#total = missions.length * flows.length
    if (this.#live.isShown) {
      this.#ticker = setInterval(() => this.#redraw(), redrawMs)
      this.#ticker.unref()
    }
    return {
      onStart: (flowId: string, missionId: string): void => {
        this.#running.set(nameOf({ flowId, missionId }), this.#host.clock.monotonicMs())
        this.#redraw()
      },
      onStep: (step: Step): void => this.#finished(step),
    }
  }

  end(): void {
    clearInterval(this.#ticker)
    this.#live.clear()
  }

  #finished(step: Step): void {
    this.#running.delete(nameOf(step))
    this.#done++
    this.#live.clear()
    if (!this.#isSilent) {
      const { outcome, durationMs, codes } = step
      const { green, red } = coloursFor(this.#host.stdout, this.#host.env)
      const label = step.verifiedOk
        ? green('passed')
        : red(outcome === 'passed' ? 'refused' : outcome)
      const why = step.verifiedOk ? [] : codes.slice(0, 1)
      const cells = [nameOf(step), label, formatMilliseconds(durationMs), ...why]
      this.#host.stdout.write(`${cells.join('  ')}\n`)
    }
    this.#redraw()
  }

  #redraw(): void {
    if (!this.#live.isShown) return
    const now = this.#host.clock.monotonicMs()
    const running = [...this.#running].map(
      ([name, startMs]) => `  ${name}  ${Math.floor((now - startMs) / 1000)} s`,
    )
    this.#live.show([...running, `${this.#done}/${this.#total}`])
  }
}

function nameOf({ missionId, flowId }: Pick<Step, 'missionId' | 'flowId'>): string {
  return `${printable(missionId)}  ${printable(flowId)}`
}

/** The status, a table of missions by flows, and the command that compares the first two flows. */
export function describeCampaign(plan: CampaignPlan, report: CampaignReport, host: Host): string[] {
  const head = ['mission', ...plan.flows.map(({ flowId }) => flowId)]
  const rows = report.missions.map(({ missionId, flows }) => [
    missionId,
    ...flows.map((step) =>
      'missing' in step ? 'not run' : step.verifiedOk ? 'passed' : 'did not pass',
    ),
  ])
  const [a, b] = plan.flows
  return [
    `${report.campaignId}: ${report.status}`,
    ...alignedFor(host, [head, ...rows], [], 2).map((row) => `  ${row}`),
    ...(a === undefined || b === undefined ? [] : [`Compare: zcl compare ${a.runId} ${b.runId}`]),
  ]
}
