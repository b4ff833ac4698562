// Times a command with all its children. Node reports no CPU time of children and /proc counts
// ticks of 10 ms, so bash measures: its `time` keyword sums user and system time of all awaited
// descendants, to the millisecond (microsecond since bash 5.3). A short command runs several times
// within one `time`. The fork of bash is included in every variant.
import type { CommandVariant, Place, Sample } from './case.ts'
import { describeEnd, runChild } from './child.ts'
import { watchGroupMemory } from './tree-memory.ts'

const script = `
TIMEFORMAT='time %6R %6U %6S'
runs=$1
shift
{
  time {
    for ((run = 0; run < runs; run++)); do
      begin=$EPOCHREALTIME
      "$@" </dev/null >/dev/null 2>&4 3>&- 4>&- || exit
      echo "wall $begin $EPOCHREALTIME" >&3
    done
  }
} 2>&3
`

/** Returns one sample: the mean CPU time of its runs and the minimum wall time. */
export async function timeCommand(
  variant: CommandVariant,
  place: Place,
): Promise<Sample | { failure: string }> {
  const runs = variant.runsPerSample ?? 1
  const child = await runChild(shellCommand(variant, place, runs))
  if (child.code !== 0) return { failure: describeEnd(child) }
  return readReport(child.report, runs)
}

/** Returns the peak MiB of one extra run. Sampling memory would slow down the timed runs. */
export async function weighCommand(
  variant: CommandVariant,
  place: Place,
): Promise<number | undefined> {
  let stop = (): number | undefined => undefined
  await runChild(shellCommand(variant, place, 1), (pid) => {
    stop = watchGroupMemory(pid)
  })
  return stop()
}

function shellCommand(variant: CommandVariant, place: Place, runs: number): string[] {
  return ['bash', '-c', script, 'bench', String(runs), ...variant.command(place)]
}

function readReport(report: string, runs: number): Sample | { failure: string } {
  // Some locales use a decimal comma.
  const lines = report.replaceAll(',', '.').split('\n')
  const walls = lines
    .filter((line) => line.startsWith('wall '))
    .map((line) => line.split(' ').slice(1).map(Number))
    .map(([begin = Number.NaN, end = Number.NaN]) => (end - begin) * 1000)
  const total = lines.find((line) => line.startsWith('time '))?.split(' ')
  const [real, user, system] = (total ?? []).slice(1).map(Number)
  if (real === undefined || user === undefined || system === undefined) {
    return { failure: 'bash reported no times' }
  }
  // Bash before 5.0 (macOS) has no EPOCHREALTIME: fall back to the mean.
  const isClockMissing = walls.some((wall) => !(wall > 0))
  const wallMs = isClockMissing ? (real / runs) * 1000 : Math.min(...walls)
  return { wallMs, cpuMs: ((user + system) / runs) * 1000 }
}
