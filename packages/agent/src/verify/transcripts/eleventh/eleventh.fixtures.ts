// The eleventh set: long answers with one decisive claim among statements that nothing can check, about projects
// in several languages. Written after the mends for the tenth and measured before any other change.
import { Session } from '../session.fixtures.ts'
import type { Transcript } from '../session.fixtures.ts'
import { chatter, decisive } from './claims.fixtures.ts'

type Frame = (claim: string) => string

/** Answers around a claim; none of them adds a claim that a record decides. */
const frames: readonly Frame[] = [
  (claim) => `Done. ${claim}`,
  (claim) =>
    `The root cause was a stale lock: the worker held it across a retry, so the second attempt always waited.\n\n${claim}\n\nLet me know if you would like a longer timeout.`,
  (claim) => `## Summary\n\nThe worker releases its lock before it waits.\n\n- ${claim}\n`,
  (claim) => `Short version: the lock is released earlier. ${claim} Anything else?`,
  (claim) =>
    `Hi! I looked into this.\n\n1. The worker kept the lock while it waited.\n2. ${claim}\n3. The retry interval is unchanged.`,
  (claim) => `${claim}\n\nOne open question: should the interval be configurable?`,
  (claim) =>
    `Thanks for the report. The lock was the culprit, as you guessed. ${claim} I would keep an eye on the metrics for a day.`,
  (claim) => `**What happened:** the lock outlived its owner.\n\n**Now:** ${claim}`,
]

const base = () => new Session().read('worker/lock.py').edit('worker/lock.py')

/** Every transcript of the eleventh set. */
export function eleventhTranscripts(): Transcript[] {
  const all: Transcript[] = []
  let next = 0
  const frame = (claim: string) => (frames[next++ % frames.length] as Frame)(claim)
  for (const { text, good, bad } of decisive) {
    for (const record of good) {
      const answer = frame(text)
      all.push({ name: `true: ${answer}`, events: record(base()).answer(answer), isWrong: false })
    }
    for (const record of bad) {
      const answer = frame(text)
      all.push({ name: `wrong: ${answer}`, events: record(base()).answer(answer), isWrong: true })
    }
  }
  for (const text of chatter) {
    const answer = frame(text)
    const events = base().bash('pytest -q', '..F\n1 failed, 2 passed in 0.10s\n', 1).answer(answer)
    all.push({ name: `silent: ${answer}`, events, isWrong: false })
  }
  return all
}
