// Polls a condition until it holds, with a deadline.
import { setTimeout as pause } from 'node:timers/promises'

export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<void> {
  const end = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${condition.toString()}`)
    await pause(10)
  }
}
