import { describe, expect, it } from 'vitest'
import type { Claim } from '../claims.ts'
import { splitClauses } from '../clauses.ts'
import { fileClaims } from './file-claims.ts'

/** `kind path`, with a question mark for a file that may be gone. */
const shown = (claim: Claim) => {
  if (claim.kind === 'moved') return `moved ${claim.from} ${claim.to}`
  if (!('path' in claim)) return claim.kind
  return `${claim.kind} ${claim.path}${claim.mayBeGone === true ? '?' : ''}`
}
const claimsOf = (sentence: string) =>
  splitClauses(sentence).flatMap((clause) => fileClaims(clause.text, clause).map(shown))

const past = {
  created: ['created', 'newly created', 'generated', 'introduced', 'set up', 'scaffolded'],
  written: ['added', 'wrote', 'put', 'placed', 'saved', 'stored'],
  deleted: [
    ...['deleted', 'removed', 'dropped', 'got rid of', 'took out', 'stripped', 'stripped out'],
    ...['purged', 'erased', 'trashed'],
  ],
  edited: [
    ...['edited', 'updated', 'modified', 'changed', 'refactored', 'rewrote', 'adjusted'],
    ...['patched', 'fixed', 'extended', 'corrected', 'replaced', 'simplified', 'cleaned up'],
    ...['touched up', 'touched', 'tweaked', 'amended', 'reworked', 'implemented', 'converted'],
    ...['migrated', 'switched', 'documented', 'inlined', 'extracted', 'formatted', 'reformatted'],
    ...['bumped', 'split', 'factored out', 'pulled out', 'ported', 'wired', 'wrapped', 'made'],
    ...['restructured', 'reorganised', 'tidied up', 'hardened', 'improved', 'optimized'],
    ...['configured', 'enabled', 'disabled', 'annotated', 'merged', 'consolidated', 'pinned'],
    ...['upgraded', 'downgraded', 'swapped', 'inserted', 'appended', 'prepended', 'registered'],
    ...['exported', 'translated', 'rearranged', 'hooked up', 'applied'],
  ],
}
const verbs = Object.entries(past).flatMap(([kind, list]) => list.map((verb) => [kind, verb]))

const edited = 'edited src/a.ts'

describe('a verb', () => {
  it.each(verbs)('claims that a file was %s: I %s it', (kind, verb) => {
    expect(claimsOf(`I ${verb} \`src/a.ts\`.`)).toEqual([`${kind} src/a.ts`])
    expect(claimsOf(`We've also ${verb} the new file \`src/a.ts\`.`)).toEqual([`${kind} src/a.ts`])
  })

  it.each([
    ...verbs,
    ['written', 'written'],
    ['deleted', 'gotten rid of'],
    ['deleted', 'taken out'],
    ['edited', 'rewritten'],
  ])('claims that a file was %s: it has been %s', (kind, verb) => {
    expect(claimsOf(`\`src/a.ts\` has been ${verb}.`)).toEqual([`${kind} src/a.ts`])
  })

  it.each([
    ['created', 'creates'],
    ['created', 'introduces'],
    ['written', 'adds'],
    ['written', 'writes'],
    ['deleted', 'deletes'],
    ['deleted', 'removes'],
    ['deleted', 'drops'],
    ...['edits', 'updates', 'modifies', 'changes', 'fixes', 'refactors', 'rewrites'].map((verb) => [
      'edited',
      verb,
    ]),
    ...['adjusts', 'extends', 'replaces'].map((verb) => ['edited', verb]),
  ])('claims that a file is %s: this change %s it', (kind, verb) => {
    expect(claimsOf(`This change ${verb} \`src/a.ts\`.`)).toEqual([`${kind} src/a.ts`])
    expect(claimsOf(`The loader ${verb} \`src/a.ts\`.`)).toEqual([])
  })

  it.each(['moved', 'renamed', 'relocated'])('claims a new place: %s', (verb) => {
    const claims = ['moved src/a.ts lib/b.ts']
    expect(claimsOf(`I ${verb} \`src/a.ts\` to \`lib/b.ts\`.`)).toEqual(claims)
    expect(claimsOf(`\`src/a.ts\` was ${verb} to \`lib/b.ts\`.`)).toEqual(claims)
  })

  it.each(['moves', 'renames'])('claims a new place in the present: %s', (verb) => {
    expect(claimsOf(`This patch ${verb} \`src/a.ts\` to \`lib/b.ts\`.`)).toEqual([
      'moved src/a.ts lib/b.ts',
    ])
  })

  it.each(['streamlined', 'modernized', 'adapted'])('may be any other in the past: %s', (verb) => {
    const sentences = [`I ${verb} \`src/a.ts\`.`, `\`src/a.ts\` has been ${verb}.`]
    expect(sentences.map(claimsOf)).toEqual([[edited], [edited]])
  })

  it.each([
    ...['unchanged', 'used', 'called', 'imported', 'based', 'needed', 'related', 'required'],
    ...['involved', 'deprecated', 'expected', 'affected', 'supposed', 'intended', 'shared'],
    ...['located', 'defined', 'referenced', 'mentioned', 'covered', 'tested', 'reviewed'],
    ...['checked', 'verified', 'inspected', 'looked', 'ignored', 'skipped', 'limited', 'nested'],
    ...['loaded', 'owned', 'considered', 'passed', 'allowed', 'executed', 'committed', 'examined'],
    ...['exposed', 'contained', 'provided', 'supported', 'named', 'typed', 'sorted', 'closed'],
    ...['analyzed', 'opened', 'searched', 'scanned', 'explored', 'studied', 'noticed'],
    ...['confirmed', 'listed', 'printed', 'traced', 'compared', 'wanted', 'tried', 'preserved'],
    ...['identified', 'grepped', 'browsed', 'parsed', 'asked', 'viewed', 'validated', 'fetched'],
    ...['missed', 'planned', 'proposed', 'suggested', 'recommended', 'spotted', 'discussed'],
    ...['explained', 'debugged', 'profiled', 'measured', 'walked', 'started', 'stopped'],
    ...['pushed', 'staged', 'linted', 'type-checked', 'compiled', 'benchmarked', 'attempted'],
    ...['hoped', 'decided', 'managed', 'happened', 'stayed', 'remained', 'copied', 'downloaded'],
    ...['attached', 'cloned', 'consulted', 'followed'],
  ])('that only describes claims nothing: %s', (verb) => {
    const sentences = [`I ${verb} \`src/a.ts\`.`, `- \`src/a.ts\`: ${verb} the old parser`]
    expect(sentences.map(claimsOf)).toEqual([[], []])
  })

  it.each([
    ...['also', 'then', 'just', 'now', 'finally', 'successfully', 'carefully', 'manually'],
    ...['safely', 'simply', 'completely', 'quickly', 'further', 'first'],
  ])('may follow an adverb: %s', (adverb) => {
    expect(claimsOf(`I ${adverb} updated \`src/a.ts\`.`)).toEqual([edited])
    expect(claimsOf(`\`src/a.ts\` was ${adverb} updated.`)).toEqual([edited])
  })

  it.each([
    ...['I', 'We', "I've", "We've", 'I have', 'Also', 'Then', 'Finally', 'Now', 'Next', 'First'],
    ...[
      'And',
      'So I',
      'Done:',
      'Done',
      'Summary:',
      'What I',
      'What changed:',
      '✅',
      '✓',
      '✔',
      '**',
    ],
  ])('may follow the subject %s', (subject) => {
    expect(claimsOf(`${subject} updated \`src/a.ts\`.`)).toEqual([edited])
  })

  it.each(['Ada', 'The loader', 'You', 'Robots'])(
    'of another subject claims nothing: %s',
    (name) => {
      expect(claimsOf(`${name} updated \`src/a.ts\`.`)).toEqual([])
    },
  )
})

describe('the words between a verb and a file', () => {
  it.each([
    ...['the', 'a', 'an', 'both', 'two', 'three', 'four', 'five', '12', 'following', 'new', 'old'],
    ...['now', 'no', 'longer', 'needed', 'redundant', 'corresponding', 'missing', 'empty'],
    ...['outdated', 'deprecated', 'orphaned', 'small', 'separate', 'dedicated', 'required'],
    ...['whole', 'entire', 'unused', 'obsolete', 'stale', 'dead', 'existing', 'temporary'],
    ...['duplicate', 'legacy', 'well-known', 'file', 'files', 'module', 'script', 'helper'],
    ...['component', 'test', 'tests', 'folder', 'directory', 'config', 'configuration'],
    ...['utility', 'class', 'source', 'sources', 'documentation', 'docs', 'page', 'called'],
    ...['named', 'test file'],
  ])('may be %j', (word) => {
    expect(claimsOf(`I deleted ${word} \`src/a.ts\`.`)).toEqual(['deleted src/a.ts'])
  })

  it.each<[sentence: string, claims: string[]]>([
    ['I deleted the branch in `src/a.ts`.', ['edited src/a.ts?']],
    ['I deleted the branch from `src/a.ts`.', ['edited src/a.ts?']],
    ['I deleted the branch near `src/a.ts`.', []],
    ['I created a helper function in `src/a.ts`.', [edited]],
    ['I created a function from `src/a.ts`.', []],
    ['I deleted the ugly seed file `src/a.ts`.', ['deleted src/a.ts']],
    ['I deleted the ugly old seed thing `src/a.ts`.', []],
    ['I deleted the branch in the existing file `src/a.ts`.', ['edited src/a.ts?']],
    ['I put the branch in the new file `src/a.ts`.', ['created src/a.ts']],
    ['I changed the text on lines 3-9 of `src/a.ts`.', []],
    ['I changed the text in lines 3-9 of `src/a.ts`.', [edited]],
    ['I added a unit test for it (`src/a.ts`).', [edited]],
    ['I added a unit test: `src/a.ts`.', [edited]],
    ['I moved the helper into `src/a.ts`.', [edited]],
    ['I moved the helper from `src/a.ts` to `src/b.ts`.', [edited, 'edited src/b.ts']],
    ['I moved the helper over `src/a.ts`.', []],
  ])('decide what is changed: %s', (sentence, claims) => {
    expect(claimsOf(sentence)).toEqual(claims)
  })

  it.each(['in', 'to', 'into', 'inside', 'within', 'at', 'across', 'under', 'throughout', 'as'])(
    'name a changed file: %s',
    (word) => {
      expect(claimsOf(`I added some small comment ${word} \`src/a.ts\`.`)).toEqual([edited])
    },
  )

  it('are at most 60 characters', () => {
    const claims = [60, 61].map((length) =>
      claimsOf(`I deleted${' the'.repeat(14).padEnd(length)}\`src/a.ts\`.`),
    )
    expect(claims).toEqual([['deleted src/a.ts'], []])
  })
})

describe('a list of files', () => {
  it.each([
    ...[',', ' and', ', and', ' as well as', ' plus', ' /', ' &', ' +', ''],
    ...[' and the', ' and also', ' and its', ' and their', ' and a', ' and an', ' and new'],
    ...[' and matching', ' and corresponding', ' and unit', ' and file', ' and module'],
    ...[' and tests', ' and test file', ' and spec', ' and helper'],
  ])('goes on after %j', (gap) => {
    const sentence = `I deleted \`src/a.ts\`${gap} \`src/b.ts\`.`
    expect(fileClaims(sentence, { sentence }).map(shown)).toEqual([
      'deleted src/a.ts',
      'deleted src/b.ts',
    ])
  })

  it.each<[sentence: string, claims: string[]]>([
    ['I updated `a.ts` using `b.ts`.', ['edited a.ts']],
    ['I updated `a.ts` and put the rest in `b.ts`.', ['edited a.ts', 'edited b.ts']],
    ['I created `a.ts` with the words in `b.ts`.', ['created a.ts']],
    ['I deleted `a.ts` with the words in `b.ts`.', ['deleted a.ts']],
    ['I updated `a.ts` using `b.ts`, `c.ts`.', ['edited a.ts']],
    ['`a.ts`, `b.ts` and `c.ts` were deleted.', ['deleted a.ts', 'deleted b.ts', 'deleted c.ts']],
    ['`a.ts` or `b.ts` were deleted.', ['deleted b.ts']],
    ['2 files changed: a.ts, b.ts', ['edited a.ts', 'edited b.ts']],
    ['Updated files: a.ts', ['edited a.ts']],
    ['The fix is in `a.ts` and `b.ts`.', ['edited a.ts', 'edited b.ts']],
    ['The fix is in `a.ts`, called by `b.ts`.', ['edited a.ts']],
    ['In `a.ts`, I replaced the loop.', ['edited a.ts']],
    ['In `a.ts`, Ada replaced the loop.', []],
    ['Near `a.ts`, I replaced the loop.', []],
    ['I found `a.ts`, which I created.', ['created a.ts']],
    ['I found `a.ts`, which Ada created.', []],
    ['I created `a.ts` and removed it again.', []],
    ['`a.ts` was written by Ada.', []],
    ['`a.ts` was written by me.', ['written a.ts']],
    ['I fixed `a.test.ts` passes.', []],
    ['The script reads the list and removed `a.ts`.', []],
    ['The script is old and removed `a.ts`.', ['deleted a.ts']],
    ['I read the list and removed `a.ts`.', ['deleted a.ts']],
  ])('of %s', (sentence, claims) => {
    expect(claimsOf(sentence)).toEqual(claims)
  })
})

describe('a note on a file', () => {
  it.each<[sentence: string, claims: string[]]>([
    ['`a.ts` (new)', ['created a.ts']],
    ['`a.ts` (new file) holds it.', ['created a.ts']],
    ['It is in `a.ts` (created)', ['created a.ts']],
    ['It is in `a.ts` (deleted)', ['deleted a.ts']],
    ['It is in `a.ts` (removed)', ['deleted a.ts']],
    ['It is in `a.ts` (modified)', ['edited a.ts']],
    ['It is in `a.ts` (old)', []],
    ['`a.ts`: new', ['created a.ts']],
    ['`a.ts` - a new helper', ['created a.ts']],
    ['`a.ts`: deleted', ['deleted a.ts']],
    ['`a.ts`: gone', ['deleted a.ts']],
    ['`a.ts`: removed the loop', ['edited a.ts']],
    ['`a.ts`: removed unused code', ['edited a.ts']],
    ['`a.ts`: fixed the rounding', ['edited a.ts']],
    ['`a.ts`: now rounds', ['edited a.ts']],
    ['`a.ts`: uses the helper', ['edited a.ts']],
    ['`a.ts`: gave it a name', ['edited a.ts']],
    ['`a.ts`: streamlined the loop', ['edited a.ts']],
    ['`a.ts`: the loop', []],
    ['see `a.ts`: fixed the rounding', []],
    ['`a.ts` → `b.ts`', []],
    ['`a.ts` → `b.ts` (renamed)', ['moved a.ts b.ts']],
    ['`a.ts` is now `b.ts`.', ['moved a.ts b.ts']],
    ['`a.ts` now lives at `b.ts`.', ['moved a.ts b.ts']],
    ['The helper was moved from `a.ts` to `b.ts`.', ['moved a.ts b.ts']],
    ['The constants now live in `a.ts`.', ['edited a.ts']],
    ['`a.ts` now uses the helper.', ['edited a.ts']],
    ['`a.ts` now passes.', []],
    ['Tests were added in `a.test.ts`.', ['edited a.test.ts']],
    ['The bug in `a.ts` is fixed.', ['edited a.ts']],
  ])('%s', (sentence, claims) => {
    expect(claimsOf(sentence)).toEqual(claims)
  })
})
