import { describe, expect, it } from 'vitest'
import { fencedCode } from './fenced-code.ts'

describe('fencedCode', () => {
  it.each([
    ['echo plain', 'echo plain'],
    ['```bash\necho a\n```', 'echo a\n'],
    ['```\necho a\n```\n', 'echo a\n'],
    ['Sure!\n\n```sh\necho a\necho b\n```\nDone.', 'echo a\necho b\n'],
    ['~~~python\nprint(1)\n~~~', 'print(1)\n'],
    ['```bash\nunclosed', 'unclosed\n'],
    ['````\n```\ninner\n```\n````', '```\ninner\n```\n'],
    ['```bash\ncat <<E\n```js\nx\n```\nE\n```\nbye', 'cat <<E\n```js\nx\n```\nE\n'],
    ['```\none\n```\nand\n```\ntwo\n```', 'one\n'],
    ['#!/bin/bash\ncat <<E\n```\nx\n```\nE', '#!/bin/bash\ncat <<E\n```\nx\n```\nE'],
    ['say `x` and ``y``', 'say `x` and ``y``'],
    ['```bash\n```', '\n'],
    ['```bash\r\necho a\r\necho b\r\n```\r\n', 'echo a\necho b\n'],
    ['```echo a```', 'echo a\n'],
    ['Use ```x``` so:\n```\necho a\n```', 'echo a\n'],
    [
      '1. Run:\n\n    ```bash\n    if x; then\n      echo a\n    fi\n    ```\n',
      'if x; then\n  echo a\nfi\n',
    ],
  ])('extracts from %j the code %j', (answer, code) => {
    expect(fencedCode(answer)).toBe(code)
  })
})
