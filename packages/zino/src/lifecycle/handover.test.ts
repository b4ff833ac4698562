import { closeSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { configIn } from '../../test/config.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { handoverLine, readHandover } from './handover.ts'

function handedOver(content: string) {
  const file = path.join(tempFolder(), 'stdin')
  writeFileSync(file, content)
  const descriptor = openSync(file, 'r')
  try {
    return readHandover(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

describe('the configuration for a supervised service', () => {
  it('arrives unchanged when it is longer than one read', () => {
    const config = configIn('/tmp/x', { sys: { personality: 'a\nb ☃ '.repeat(30_000) } })
    const sent = { config, file: '/tmp/ZINO.toml', key: 'sk-1' }
    const line = handoverLine(sent)
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(handedOver(line)).toEqual(sent)
  })

  it.each(['', '{"config"'])('is reported missing when stdin ends after %j', (content) => {
    expect(() => handedOver(content)).toThrow(/no configuration on stdin/)
  })
})
