// The processes of zino start from packs that were compiled at build time.
import { isAscii } from 'node:buffer'
import { readdirSync, readFileSync, statSync } from 'node:fs'
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

it('packs are ASCII, which launchers read as Latin-1', () => {
  for (const program of ['zcl', 'zdx', 'zeno', 'zino']) {
    const folder = path.join(repository, 'packages', program, 'dist')
    const packs = readdirSync(folder).filter((name) => name.endsWith('.pack'))
    expect(packs).not.toEqual([])
    for (const name of packs)
      expect(isAscii(readFileSync(path.join(folder, name))), name).toBe(true)
  }
})

it('the chunk of a turn exports values and uses built-ins as they are', () => {
  const folder = path.join(repository, 'packages/zdx/dist')
  const name = readdirSync(folder).find((each) => /^turn-[\w-]+\.cjs$/.test(each)) ?? ''
  const text = readFileSync(path.join(folder, name), 'utf8')
  expect(text.match(/exports\.\w+=/g)?.length).toBeGreaterThan(100)
  // Namespaces of modules that are also imported dynamically keep their getters.
  expect(text.match(/defineProperty\(exports/g)?.length ?? 0).toBeLessThan(20)
  expect(text).toMatch(/\{__proto__:\w+,default:\w+\}/)
})

it('the pack of `zdx exec` leaves out what only tool calls, histories and failures need', () => {
  const folder = path.join(repository, 'packages/zdx/dist')
  const late = readdirSync(folder).find((each) => /^later-[\w-]+\.cjs$/.test(each)) ?? ''
  expect(readFileSync(path.join(folder, late), 'utf8')).toContain('lock_timeout')
  const pack = readFileSync(path.join(folder, 'exec.pack'), 'utf8')
  expect(pack).not.toContain(`"./${late}"(exports`)
  expect(pack).toContain(`get exports(){return require("./${late}")}`)
})

it('zdx has code caches of the chunks that a project and a tool call load beside the pack', () => {
  const names = readdirSync(path.join(repository, 'packages/zdx/dist'))
  const cached = names
    .filter((name) => name.endsWith('.cjs.code'))
    .map((name) => name.split('-')[0])
  expect(cached).toEqual(expect.arrayContaining(['later', 'process', 'redact', 'undo']))
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
