// The processes of zino start from packs that were compiled at build time.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'

const dist = path.join(repository, 'packages/zino/dist')
const services = ['daemon', 'rtr', 'agr', 'sys', 'exc', 'mem', 'ctx', 'tmr']

it.each([...services, 'up'])('%s has a pack and its code cache', (command) => {
  const text = readFileSync(path.join(dist, `${command}.pack`), 'utf8')
  expect(text).toContain('"./main.cjs"(exports,require,module,__filename,__dirname){')
  expect(statSync(path.join(dist, `${command}.code`)).size).toBeGreaterThan(text.length / 2)
})

it('the packs of services contain neither the command-line parser nor a model client', () => {
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
