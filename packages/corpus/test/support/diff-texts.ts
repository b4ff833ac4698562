// Pairs of texts for tests of the diff, the same in every run.

export interface TextPair {
  name: string
  before: string
  after: string
}

/** A small generator, so that a failure can be repeated. */
function seededNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
}

type Pick = (limit: number) => number

const flat = ['a', 'b', 'c', '}', '']
const code = [
  ...[
    '',
    '',
    'if x',
    '  if x',
    '  y',
    '    y',
    '  }',
    '}',
    '\tz',
    '\t\tz',
    ' \tz',
    '  \f',
    ' \v \r',
  ],
  ...['        eight', 'end', ' one', '   three', '     five', '         '],
]

/** Edited copies: deletions, insertions and repeated blocks, so that groups of changes can slide. */
function edited(pick: Pick, words: readonly string[], length: number, edits: number): TextPair {
  const line = (): string => words[pick(words.length)] as string
  const before = Array.from({ length }, line)
  const after = [...before]
  for (let edit = 0; edit < edits; edit++) {
    const at = pick(after.length + 1)
    const copied = after.slice(at, at + pick(6))
    if (pick(2) === 0) after.splice(at, 0, ...copied)
    else after.splice(at, pick(3), ...Array.from({ length: pick(3) }, line))
  }
  const end = pick(3) === 0 ? '' : '\n'
  const text = (lines: string[]): string => lines.join('\n') + end
  const [one, two] = [text(before), text(after)]
  return pick(2) === 0 ? named(one, two) : named(two, one)
}

function named(before: string, after: string): TextPair {
  return { name: '', before, after }
}

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')
}

/** A block, and then the same block twice: the copy can slide through the other one. */
function copiedBlock(block: string[], before = '', after = ''): TextPair {
  const text = block.map((line) => `${line}\n`).join('')
  return named(before + text + after, before + text + text + after)
}

function slides(): TextPair[] {
  const pairs: TextPair[] = []
  for (const blanks of [1, 2, 18, 19, 20, 21, 22, 30]) {
    const gap = Array.from({ length: blanks }, () => '')
    pairs.push(copiedBlock(['  a', ...gap, 'b'], 'x\n', 'x\n'))
    pairs.push(copiedBlock(['a', ...gap, '    b', ...gap, '  c'], '      x\n', '  x\n'))
    pairs.push(copiedBlock([...gap, 'a', '  b'], '', '    x\n'))
    pairs.push(copiedBlock(['    a', ' b', ...gap], '  x\n'))
    pairs.push(copiedBlock(['b', ...gap, '  c']), copiedBlock([...gap, '  c', 'd']))
  }
  for (const indent of [1, 7, 8, 9, 198, 199, 200, 201, 202, 260]) {
    const deep = ' '.repeat(indent)
    pairs.push(copiedBlock([`${deep}a`, `${deep} b`, `${deep}c`], `${deep}  x\n`, `${deep}y\n`))
    pairs.push(
      copiedBlock([`${' '.repeat(200)}a`, `${deep}b`, `${' '.repeat(199)}c`], 'x\n', 'y\n'),
    )
    pairs.push(copiedBlock(['\ta', `${deep}b`, ' \tc', '\td'], '\t x\n', ' y\n'))
    pairs.push(copiedBlock([deep, `${deep}b`, 'c'], `${deep}x\n`))
  }
  for (const count of [97, 98, 99, 100, 101, 102, 103, 130]) {
    for (const at of [0, 1, 50, 98, 99]) {
      const block = Array.from({ length: count }, (_, line) => (line === at ? 'top' : `  ${line}`))
      pairs.push(copiedBlock(block, '  x\n', '  x\n'))
      pairs.push(
        named(
          lines(count + 5, () => 'same'),
          lines(count * 2 + at, () => 'same'),
        ),
      )
    }
  }
  return pairs
}

function tails(): TextPair[] {
  const pairs: TextPair[] = []
  for (const length of [1023, 1024, 1025, 2047, 2048, 3000]) {
    for (const line of ['same\n', `${'long'.repeat(300)}\n`, '0123456789abcdef\n']) {
      const tail = line.repeat(Math.ceil(length / line.length)).slice(-length)
      pairs.push(named(tail, `same\n${tail}`), named(`b\n${tail}`, `a\n${tail}`))
      pairs.push(named(`same\nb\n${tail}`, `same\nsame\n${tail}`), named(`b${tail}`, `a${tail}`))
      pairs.push(named(`x\nx\n${tail}`, `x\nx\nx\n${tail}`), named(`x\n${tail}`, tail))
      pairs.push(named(`q${tail.slice(1)}`, tail), named(`${tail}q`, tail))
    }
  }
  return pairs
}

/** Texts that cost so much to compare that the search stops early. */
function costly(pick: Pick): TextPair[] {
  const shuffled = (count: number, kinds: number): string => lines(count, () => `${pick(kinds)}`)
  const pairs = [200, 700, 1400].flatMap((count) =>
    [40, 200, 600, count].map((kinds) => named(shuffled(count, kinds), shuffled(count, kinds))),
  )
  for (const run of [19, 20, 21, 22, 40]) {
    for (const share of [0, 1]) {
      // Long equal runs between parts that have nothing in common but the classes of their lines.
      const noise = (count: number): string => shuffled(count, 300)
      const same = (part: number): string => lines(run, (at) => `${part} ${at}`)
      let [before, after] = ['', '']
      for (let part = 0; part < 6; part++) {
        before += noise(share === 0 || part > 3 ? 350 : 60) + same(part)
        after += noise(share === 0 || part < 2 ? 350 : 90) + same(part)
      }
      pairs.push(named(before, after), named(after, before))
    }
  }
  return pairs
}

/**
 * Texts of more than 65,536 lines in total, for which git also splits after a long run of equal lines: the runs follow
 * lines that cost about as much as the first check of that rule.
 */
export function longPairs(): TextPair[] {
  const pick = seededNumbers(11)
  const noise = (count: number): string => lines(count, () => `${pick(300)}`)
  const pairs: TextPair[] = []
  for (const [run, ...sizes] of [
    [6000, 320, 5000, 5000],
    [6000, 5000, 5000, 320],
    [6000, 330, 5000, 340],
    [20, 400, 400, 400],
    [21, 400, 400, 400],
    [300, 290, 290, 290],
  ] as const) {
    let [before, after] = ['', '']
    const same = lines(36_000, (at) => `middle ${at}`)
    for (const [part, size] of sizes.entries()) {
      const equal = lines(run, (at) => `${part} ${at}`)
      // The lines of the middle lie on other diagonals than those of the runs.
      before += noise(size) + equal + noise(size) + (part === 1 ? same : '')
      after += noise(size + 7) + equal + noise(size - 3) + (part === 1 ? same : '')
    }
    pairs.push(named(before + noise(400), after + noise(380)))
    pairs.push(named(after, before))
  }
  pairs.push(...shortRunPairs(noise))
  return pairs.map((pair, at) => ({ ...pair, name: `${at}` }))
}

/** A run of 20 lines between the middle and a part that costs much, near either end: too short to split after. */
function shortRunPairs(noise: (count: number) => string): TextPair[] {
  const run = (word: string, count: number): string => lines(count, (at) => `${word} ${at}`)
  return [
    [2933, 69, 72, 106, 287],
    [1695, 62, 75, 123, 119],
    [3200, 106, 79, 128, 141],
  ].flatMap(([length = 0, ...[one = 0, two = 0, three = 0, four = 0]]) => {
    const parts = [run('long', length), run('short', 20), run('middle', 36_000)] as const
    const start = (sizes: readonly number[]): string[] => [
      ...[noise(sizes[0] ?? 0), parts[0], noise(sizes[1] ?? 0), parts[1]],
      ...[noise(400), parts[2], noise(400)],
    ]
    const [before, after] = [start([one, three]), start([two, four])]
    const turned = named(before.toReversed().join(''), after.toReversed().join(''))
    return [named(before.join(''), after.join('')), turned]
  })
}

/** Lines without a partner, and lines with many partners among them. */
function discards(pick: Pick): TextPair[] {
  const pairs: TextPair[] = []
  for (const count of [3, 4, 15, 16, 17, 63, 64, 65, 255, 256, 300, 1023, 1024, 1025]) {
    for (const often of [3, 4, 7, 8, 9, 16, 31, 32, 33]) {
      const odd = (side: string): string =>
        lines(count, (at) => {
          const kind = pick(9)
          return kind < often / 4 ? '}' : kind === 7 ? 'both' : `${side} ${at}`
        })
      pairs.push(named(`${odd('a')}${'}\n'.repeat(often)}`, `${odd('b')}${'}\n'.repeat(often)}`))
    }
  }
  for (const window of [97, 98, 99, 100, 101, 102, 103, 104]) {
    for (const many of [1, 2, 20, 24, 25, 26, 33, 34, 35]) {
      const text = (side: string): string =>
        `${side}\n${'}\n'.repeat(many)}${lines(window - many, (at) => `${side} ${at}`)}` +
        `}\n${lines(window - many, (at) => `${side} b ${at}`)}${'}\n'.repeat(many)}${side} end\n`
      pairs.push(named(`x\n${text('a')}y\n`, `x\n${text('b')}y\n`))
    }
  }
  return pairs
}

export function textPairs(): TextPair[] {
  const pick = seededNumbers(7)
  const pairs = [
    named('', ''),
    named('', 'a\n'),
    named('a', ''),
    named('a\n', 'a'),
    ...Array.from({ length: 150 }, () => edited(pick, flat, pick(12), 1 + pick(3))),
    ...Array.from({ length: 450 }, () => edited(pick, code, 3 + pick(25), 1 + pick(4))),
    ...Array.from({ length: 30 }, () => edited(pick, code, 100 + pick(200), 20 + pick(60))),
    ...slides(),
    ...tails(),
    ...costly(pick),
    ...discards(pick),
  ]
  return pairs.map((pair, at) => ({ ...pair, name: `${at}` }))
}
