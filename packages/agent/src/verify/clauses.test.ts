import { describe, expect, it } from 'vitest'
import { type Clause, splitClauses } from './clauses.ts'

const texts = (answer: string) => splitClauses(answer).map(({ text }) => text)

describe('splitClauses', () => {
  it.each<[answer: string, clauses: string[]]>([
    ['', []],
    ['Done.', ['Done.']],
    ['One is done. Two is done! Three', ['One is done.', 'Two is done!', 'Three']],
    ['It is here. lower goes on.', ['It is here. lower goes on.']],
    ['It works (now). `x` is done.', ['It works (now).', '`x` is done.']],
    ['It passed… 12 tests', ['It passed…', '12 tests']],
    // Clauses.
    ['it is a; it is b', ['it is a;', 'it is b']],
    ['now it is all a – it is b', ['now it is all a', 'it is b']],
    ['now it is all a - it is b', ['now it is all a', 'it is b']],
    ['it is a, but it is b', ['it is a', 'it is b']],
    ['it is a however it is b', ['it is a', 'it is b']],
    ['all but one is b', ['all but one is b']],
    ['it is a, and b', ['it is a', 'and b']],
    ['it is a, which is b', ['it is a', 'which is b']],
    ['it is a so that it is b', ['it is a']],
    ['it is a that can be b', ['it is a']],
    ['I updated `a`, adapted `b`', ['I updated `a`', 'adapted `b`']],
    ['I updated `a`, called `b`', ['I updated `a`, called `b`']],
    ...[
      ...['I', 'we', 'it', 'they', 'all', 'the', 'everything', 'then', 'now', 'both', 'also', 'no'],
      ...['ran', 're-ran', 'created', 'added', 'wrote', 'updated', 'edited', 'modified', 'changed'],
      ...['deleted', 'removed', 'renamed', 'moved', 'verified', 'confirmed', 'test', 'tests'],
      'lint',
    ].map((word): [string, string[]] => [`it is a and ${word} x`, ['it is a', `${word} x`]]),
    ['it is a and b', ['it is a and b']],
    ['it is a AND THEN b', ['it is a', 'THEN b']],
    // Code, brackets and quotations are not split.
    ['so it is `a – b` (c – d) "e – f" – g', ['so it is `a – b` (c – d) "e – f"', 'g']],
    ['`a.ts` – new helper', ['`a.ts`: new helper']],
    ['tests – passing', ['tests: passing']],
    // The omitted verb.
    ['the linter passes, and so do the tests', ['the linter passes', 'the tests pass']],
    ['the linter is green, as are the tests.', ['the linter is green', 'the tests pass']],
    ['the linter is here, and so are the tests', ['the linter is here', 'and so are the tests']],
    ['the linter fails, and so do the tests', ['the linter fails', 'and so do the tests']],
    ['so do the tests', ['so do the tests']],
    // No reports.
    ['Does it pass?', []],
    ['It should pass.', []],
    ['You can read it in a.ts; I also updated b.ts.', ['I also updated b.ts.']],
    ['You can merge this: all tests pass', ['all tests pass']],
    ['Ready to ship: it passes', ['it passes']],
    ['You can use `x`: it passes', []],
    // The past.
    ['it passed before my change', []],
    ['before my change two tests failed; now all pass', ['now all pass']],
    ['before my change two tests failed; all pass', []],
  ])('of %j', (answer, clauses) => {
    expect(texts(answer)).toEqual(clauses)
  })

  it.each<[name: string, answer: string, clauses: string[]]>([
    ['headings', '## All tests pass', ['All tests pass']],
    [
      'list items',
      '- one\n* two\n+ three\n• four\n1. five\n2) six',
      [...['one', 'two', 'three', 'four', 'five', 'six']],
    ],
    ['ticked items', '- [x] one\n- [X] two\n- [ ] three\n[ ] four', ['one', 'two']],
    ['tables', '| a | passes |\n|---|:--|\n| b |', ['a: passes', 'b']],
    ['struck words', 'it ~~fails~~ passes', ['it   passes']],
    ['emphasis', 'it _passes_ in a_b_c', ['it passes in a_b_c']],
    ['code blocks', 'one\n```sh\nnpm test\n```\ntwo\n~~~\nx\n~~~\nthree', ['one', 'two', 'three']],
    ['open code blocks', 'one\n```\ntwo\nthree', ['one']],
    ['comments', 'one <!-- two\nthree --> four', ['one  four']],
    [
      'quotations',
      '> one\n> **two**\n> ✅ three\n> [!NOTE] four',
      ['> **two**', '> ✅ three', '> [!NOTE] four'],
    ],
    ['plans', 'Next steps:\n- one\n- two\n\nthree', ['three']],
    ['ticked plans', 'Next steps:\n- [x] one\n- two\n- ✅ three\n- four', ['one', '✅ three']],
    ['plans in a line', 'Next steps', ['Next steps']],
    [
      'a list item that opens no list',
      '- Usage of it is fine\n- one',
      ['Usage of it is fine', 'one'],
    ],
    ['a list item that opens a list', '- Next steps:\n- one', []],
    [
      'file lists',
      'Files changed:\n- `a.ts`\n- b.ts: deleted\n- other',
      ['changed `a.ts`', 'b.ts: deleted', 'other'],
    ],
    [
      'moves in file lists',
      'Changes:\n1. a.ts → b.ts\n2. `c.ts` (new)',
      ['a.ts → b.ts', '`c.ts` (new)'],
    ],
    [
      'ends of file lists',
      'Files deleted:\n- a.ts\ntext\n- b.ts',
      ['deleted a.ts', 'text', 'b.ts'],
    ],
    ['commands', 'Commands run:\n- `npm test`\n- make', ['ran `npm test`', 'ran make']],
    ['headings with a path', 'Files changed: a.ts\n- b.ts', ['Files changed: a.ts', 'b.ts']],
  ])('reads %s', (_, answer, clauses) => {
    expect(texts(answer)).toEqual(clauses)
  })

  it('gives each clause its sentence, the sentence before and what it admits', () => {
    const clause = (text: string, rest: Partial<Clause>): Clause => ({
      text,
      sentence: text,
      previous: '',
      isNegated: false,
      admitsFailure: 'no',
      ...rest,
    })
    expect(splitClauses('One is done. It is a; it is b.')).toEqual([
      clause('One is done.', {}),
      clause('It is a;', { sentence: 'It is a; it is b.', previous: 'One is done.' }),
      clause('it is b.', { sentence: 'It is a; it is b.', previous: 'One is done.' }),
    ])
    const sentence = '11 pass, but one fails.'
    expect(splitClauses(`${sentence} Two is done.`)).toEqual([
      clause('11 pass', { sentence, admitsFailure: 'sentence' }),
      clause('one fails.', { sentence, isNegated: true, admitsFailure: 'sentence' }),
      clause('Two is done.', { previous: sentence, admitsFailure: 'answer' }),
    ])
    expect(splitClauses('One fails.')).toEqual([
      clause('One fails.', { isNegated: true, admitsFailure: 'answer' }),
    ])
  })

  it('reads 256 KiB of an answer and 2,000 characters of a sentence', () => {
    const length = (size: number) => splitClauses('x'.repeat(size))[0]?.sentence.length
    expect([1999, 2000, 2001].map(length)).toEqual([1999, 2000, 2000])
    const answer = (size: number) => texts(`${'\n'.repeat(size - 4)}done`)
    expect([256 * 1024, 256 * 1024 + 1].map(answer)).toEqual([['done'], ['don']])
  })
})
