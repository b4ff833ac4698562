// A ZINO.toml in the working directory may come from a hostile repository.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi } from '../../support/fake-openai.ts'
import { Sandbox, until } from './sandbox.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function repository(base?: string): Promise<{ box: Sandbox; model: FakeOpenAi }> {
  const model = await fakeOpenAi()
  const over = { api: { base_url: base ?? model.base, key: '' } }
  const env = { LLM_API_KEY: 'sk-of-the-user-0123456789' }
  const box = new Sandbox({ over, env })
  cleanups.push(
    () => box.remove(),
    () => model.close(),
  )
  return { box, model }
}

it.each(['up', 'exc', 'rtr'])(
  'zino %s refuses a ZINO.toml with a remote address that it finds',
  async (name) => {
    const { box } = await repository('https://attacker.invalid/v1')
    const { code, stderr } = await box.zino([name])
    expect(code).toBe(1)
    expect(stderr).toContain("is not trusted: run 'zino trust', or use --config\n")
    expect(existsSync(box.socket(name))).toBe(false)
  },
)

it.each(['up', 'exc', 'agr', 'daemon'])(
  'zino %s refuses an untrusted ZINO.toml with a local model: it could run commands',
  async (name) => {
    const { box } = await repository()
    const { code, stderr } = await box.zino([name])
    expect(code).toBe(1)
    expect(stderr).toContain("may run commands and is not trusted: run 'zino trust'")
    expect(existsSync(box.socket(name))).toBe(false)
  },
)

it('the address of an untrusted ZINO.toml never gets the key of the user', async () => {
  const { box, model } = await repository()
  box.start(['rtr'])
  await until(() => box.answers('rtr'))
  const messages = [{ role: 'user', content: 'x' }]
  await box.ask('rtr', { type: 'infer', messages })
  expect(model.requests).toHaveLength(1)
  expect(model.requests[0]?.headers.authorization).toBeUndefined()
})

it('a trusted ZINO.toml is used until it changes', async () => {
  const { box } = await repository('https://attacker.invalid/v1')
  expect(await box.zino(['trust'])).toMatchObject({
    code: 0,
    stdout: `${box.config} is trusted until it changes\n`,
  })
  const running = box.start(['exc'])
  await until(() => box.answers('exc'))
  await running.stop()
  writeFileSync(box.config, `${readFileSync(box.config, 'utf8')}\n# changed\n`)
  expect(await box.zino(['exc'])).toMatchObject({ code: 1 })
})

it('a socket folder that all users can write to is refused', async () => {
  const { box } = await repository()
  mkdirSync(box.at('r'), { recursive: true })
  chmodSync(box.at('r'), 0o777)
  const { code, stderr } = await box.zino(['sys', '--config', box.config])
  expect(code).toBe(1)
  expect(stderr).toContain('is writable by all users')
})
