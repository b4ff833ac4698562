// Eight processes of one program start at once: each from a pack that was compiled when it was built.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'

const dist = path.join(repository, 'packages/zino/dist')
const services = ['daemon', 'rtr', 'agr', 'sys', 'exc', 'mem', 'ctx']

it.each([...services, 'up'])('%s has a pack and its code', (command) => {
  const text = readFileSync(path.join(dist, `${command}.pack`), 'utf8')
  expect(text).toContain('"./main.cjs"(exports,require,module,__filename,__dirname){')
  expect(statSync(path.join(dist, `${command}.code`)).size).toBeGreaterThan(text.length / 2)
})

it('a pack of a service holds neither the parser nor a way to a model', () => {
  for (const command of ['daemon', 'agr', 'sys', 'ctx', 'mem', 'exc']) {
    const text = readFileSync(path.join(dist, `${command}.pack`), 'utf8')
    const chunks = [...text.matchAll(/"\.\/([\w-]+)\.cjs"\(exports,require/g)].map(
      ([, name]) => name,
    )
    expect(
      chunks.filter((name) => /^(?:command|completion|transport|model|openai)/.test(name ?? '')),
    ).toEqual([])
  }
})
