import type { DiffLine, ToolTexts, TurnFacts } from '@zee/web/data'
import { expect, it } from 'vitest'
import { addCodeColours } from './code-colours.ts'
import { markdownBlocks } from './markdown.ts'

function answer(text: string): TurnFacts {
  return { entries: [{ type: 'answer', blocks: markdownBlocks(text) }] }
}

it('colours code in answers, in lists and in quotes, by its language', () => {
  const turn = answer('```ts\nconst a = 1\n// b\n```\n\n- x\n\n  ```sh\necho $A\n  ```')
  addCodeColours([turn], [])
  const text = JSON.stringify(turn)
  expect(text).toContain('"colours":[[5,"keyword"]')
  expect(text).toContain('[4,"comment"]')
  expect(text.match(/"colours"/g)).toHaveLength(2)
})

it('leaves code without a known language, and what exceeds the limits of a page', () => {
  const long = `const a = '${'x'.repeat(3000)}'`
  const turn = answer(
    `\`\`\`\nplain\n\`\`\`\n\n\`\`\`nosuch\nx\n\`\`\`\n\n\`\`\`ts\n${long}\n\`\`\``,
  )
  addCodeColours([turn], [])
  expect(JSON.stringify(turn)).not.toContain('"colours"')
  const large = Array.from({ length: 3 }, () => answer(`~~~ts\n${'let a = 1\n'.repeat(10_000)}~~~`))
  addCodeColours(large, [])
  expect(large.map((each) => JSON.stringify(each).includes('"colours"'))).toEqual([
    true,
    true,
    false,
  ])
})

it('colours both sides of a diff by the name of the file; a comment may span lines', () => {
  const lines: DiffLine[] = [
    { mark: ' ', text: '/* one' },
    { mark: '-', text: 'two */ let a' },
    { mark: '+', text: '2 */ let b' },
  ]
  const diff = { path: 'src/a.ts', added: 1, removed: 1 }
  const call = { type: 'tool', name: 'edit', title: 'src/a.ts', number: 0, diff } as const
  const texts: ToolTexts[] = [{ input: { text: '' }, lines }]
  addCodeColours([{ entries: [call] }], texts)
  expect(lines.map(({ colours }) => colours?.[0])).toEqual([
    [6, 'comment'],
    [6, 'comment'],
    [4, 'comment'],
  ])
})
