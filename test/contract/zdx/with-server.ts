// A fake Anthropic server and a sandbox whose zdx asks it, both fresh for every test of a file.
import { afterEach, beforeEach } from 'vitest'
import type { Answer, FakeAnthropic } from '../../support/fake-anthropic.ts'
import { fakeAnthropic, say } from '../../support/fake-anthropic.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

export interface Place {
  server: FakeAnthropic
  box: Sandbox
  /** What the server answers from now on; a test may change it at any time. */
  respond: Answer
}

/** Call it once at the top of a file and use what it returns inside tests and hooks. */
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

/** One answer after another; the last one stays. */
export function inTurn(...answers: [Answer, ...Answer[]]): Answer {
  const left = [...answers]
  return (request, response) => {
    const [next] = left
    if (left.length > 1) left.shift()
    next?.(request, response)
  }
}
