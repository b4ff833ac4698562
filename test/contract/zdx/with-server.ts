// A fake Anthropic server and a sandbox that uses it, both fresh for every test.
import { afterEach, beforeEach } from 'vitest'
import type { Answer, FakeAnthropic } from '../../support/fake-anthropic.ts'
import { fakeAnthropic, say } from '../../support/fake-anthropic.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

export interface Place {
  server: FakeAnthropic
  box: Sandbox
  /** Answers every request; a test may replace it at any time. */
  respond: Answer
}

/** Call it once at the top of a file; use the result inside tests and hooks. */
export function withServer(first: Answer = say('ok')): Place {
  const place = {} as Place
  beforeEach(async () => {
    place.respond = first
    place.server = await fakeAnthropic((request, response) => place.respond(request, response))
    place.box = createSandbox(place.server)
  })
  afterEach(async () => {
    place.box.remove()
    await place.server.close()
  })
  return place
}

/** Answers in order and repeats the last one. */
export function inTurn(...answers: [Answer, ...Answer[]]): Answer {
  const left = [...answers]
  return (request, response) => {
    const [next] = left
    if (left.length > 1) left.shift()
    next?.(request, response)
  }
}
