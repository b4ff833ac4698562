// Times of rows: how long ago, in one unit.

const units: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
]

export function ago(timeMs: number, nowMs: number = Date.now()): string {
  const passed = nowMs - timeMs
  if (!(passed >= 60_000)) return 'now'
  const [unit, ms] = units.find(([, each]) => passed >= each) ?? ['min', 60_000]
  return `${Math.floor(passed / ms)} ${unit}`
}

/** The last folder of a path. */
export function baseName(folder: string): string {
  return folder.split('/').findLast((part) => part !== '') ?? folder
}
