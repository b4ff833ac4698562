// Checks docs/zeno.md: its session output is real, its configurations parse, and every flag is documented.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

const page = readFileSync(path.join(repository, 'docs/zeno.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text ?? '',
  )

let box: Sandbox
beforeAll(() => {
  box = createSandbox()
})
afterAll(() => box.remove())

/** The commands of the page's session with their documented output. */
function session(): { command: string; output: string }[] {
  const [text = ''] = blocks('console')
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return { command: part.slice(0, end), output: part.slice(end + 1) }
    })
}

const withoutTimes = (text: string): string =>
  text.replaceAll(/"time_ms":\d+/g, '"time_ms":0').replaceAll(/"ts":"[^"]*"/g, '"ts":""')

describe('docs/zeno.md', () => {
  it('shows a session whose commands print exactly that output', () => {
    const shown = session()
    const fileOf = (name: string): string =>
      shown.find(({ command }) => command === `cat ${name}`)?.output ?? ''
    box.put(
      {
        'requests.jsonl': fileOf('requests.jsonl'),
        'evidence.jsonl': fileOf('evidence.jsonl'),
        'shop/README.md': '# Shop\n\nThe total is computed in src/cart.ts.\n',
        'shop/src/cart.ts':
          'export function total(prices: number[]): number {\n  return prices.reduce((sum, price) => sum + price, 0)\n}\n',
      },
      box.base,
    )
    const bin = path.join(repository, 'node_modules/.bin')
    const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
    for (const { command, output } of shown) {
      const options = { cwd: box.base, env, encoding: 'utf8' as const }
      // verify and replay exit with 1 on findings.
      const printed = execFileSync('sh', ['-c', `${command} || true`], options)
      expect(withoutTimes(printed), command).toBe(withoutTimes(output))
    }
  })

  it('contains only configurations that parse', () => {
    const whole = blocks('json').filter((text) => !text.startsWith('{"ts"'))
    expect(whole.length).toBeGreaterThanOrEqual(5)
    for (const text of whole) expect(() => JSON.parse(text) as unknown, text).not.toThrow()
  })

  it('names every flag of every command', async () => {
    const commands = [
      'serve',
      'send',
      'mcp',
      'tail',
      'replay',
      'verify',
      'lint',
      'persist',
      'bridge',
      'rotate',
      'plan',
    ]
    for (const command of commands) {
      const { stdout } = await box.zeno([command, '--help'])
      const [, options = ''] = stdout.split('\nOptions:\n')
      const flags = options.split('\nExamples:')[0]?.match(/--[a-z-]+/g) ?? []
      for (const flag of flags.filter((flag) => flag !== '--help')) {
        expect(page, `${command} ${flag}`).toContain(flag)
      }
    }
  })
})
