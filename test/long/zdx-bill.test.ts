// Random sessions over each wire format against a server that charges by the documented cache rules of the
// vendor: the bill has the charged tokens, and names AGENTS.md exactly where a change of it broke the cache.
// A tenth of ZEE_ROUNDS is the number of sessions per wire format.
import { expect, it } from 'vitest'
import { seededRandom } from '@zee/core/random'
import { createSandbox } from '../contract/zdx/sandbox.ts'
import { startWireServer, wires } from '../contract/zdx/wire-servers.ts'
import type { CacheRules, Charge } from './cache-rules.ts'
import { cacheRules } from './cache-rules.ts'

const sessions = Math.ceil(Number(process.env.ZEE_ROUNDS ?? 10_000) / 10)

it.each(cacheRules().map((rules) => [rules.provider, rules] as const))(
  `the bills of ${sessions} random sessions over %s agree with what the server charged`,
  async (_provider, rules) => {
    const random = seededRandom(Number(process.env.ZEE_SEED ?? 1))
    const bench = await openBench(rules, random)
    try {
      let cached = 0
      for (let number = 0; number < sessions; number++) cached += await bench.checkSession(number)
      expect(cached).toBeGreaterThan(sessions * 4096)
    } finally {
      await bench.close()
    }
  },
)

async function openBench(rules: CacheRules, random: () => number) {
  const below = (limit: number) => Math.floor(random() * limit)
  const wire = wires.find(({ name }) => name === rules.provider)
  if (wire === undefined) throw new Error(`no wire server for ${rules.provider}`)
  const server = await startWireServer()
  const box = createSandbox()
  Object.assign(box.env, wire.env(server.url))
  let charges: Charge[] = []
  let calls = 0
  server.respond = (response) => {
    const output = 1 + below(500)
    const charge = {
      ...rules.charge(server.bodies.pop() ?? ''),
      thinking: below(output),
      output,
    }
    charges.push(charge)
    calls -= 1
    const command = `echo ${random()}; head -c ${below(3000)} /dev/zero | tr '\\0' y`
    const tokens = [0, charge.output] as const
    const answer = calls < 0 ? wire.answer('done', tokens) : wire.call('bash', { command }, tokens)
    response.end(
      answer.replace(/(?<="usage(?:Metadata)?":)\{[^}]*\}/, JSON.stringify(rules.usage(charge))),
    )
  }

  /** One session of two to four turns; AGENTS.md changes before some of them. Returns its cached tokens. */
  async function checkSession(number: number): Promise<number> {
    const id = `s${number}`
    charges = []
    const guide = () => `guide ${number} ${random()} ${'x'.repeat(20_000 + below(4000))}\n`
    box.put('AGENTS.md', guide())
    const changes: boolean[] = []
    const turns = 2 + below(3)
    for (let turn = 0; turn < turns; turn++) {
      const isChanged = turn > 0 && below(3) === 0
      if (isChanged) box.put('AGENTS.md', guide())
      changes.push(isChanged)
      calls = below(3)
      const ran = await box.exec(`prompt ${turn}`, '--session', id, '--provider', rules.provider)
      expect(ran.code, ran.stderr).toBe(0)
    }
    const { stdout } = await box.zdx(['sessions', 'bill', id, '--format', 'json'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const sum = (field: keyof Charge) => charges.reduce((all, each) => all + each[field], 0)
    expect(lines.at(-1), `session ${number}`).toMatchObject({
      requests: charges.length,
      fresh_input_tokens: sum('fresh'),
      cached_input_tokens: sum('cached'),
      cache_write_tokens: sum('written'),
      thinking_tokens: sum('thinking'),
      output_tokens: sum('output'),
    })
    const named = lines
      .slice(0, -1)
      .map(({ cache_misses: misses }) => misses as { first_changed: string | null }[])
    expect(
      named.map((misses) => misses.map(({ first_changed: segment }) => segment)),
      `session ${number}`,
    ).toEqual(changes.map((isChanged) => (isChanged ? ['AGENTS.md'] : [])))
    return sum('cached')
  }

  return {
    checkSession,
    close: async () => {
      box.remove()
      await server.close()
    },
  }
}
