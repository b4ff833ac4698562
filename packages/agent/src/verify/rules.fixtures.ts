// Sentences that each rule must and must not find a claim in.

export interface RuleExamples {
  positive: readonly string[]
  negative: readonly string[]
}

export const ruleExamples: Readonly<Record<string, RuleExamples>> = {
  'tests pass': {
    positive: [
      'All tests pass.',
      'All 12 tests pass now.',
      'The test suite is green.',
      'I fixed the bug and the tests are passing again.',
      'Test results: 12 passed, 0 failed.',
      '12/12 tests passing.',
      '✅ Tests: 48 passed',
      'The full suite passes with no failures.',
      '`price.test.mjs` passes.',
      'The previously failing test now passes.',
      'There are no failing tests.',
      'Every spec succeeds.',
    ],
    negative: [
      'The tests should pass now.',
      'If all tests pass, merge it.',
      'Run the tests to see whether they pass.',
      'I have not run the tests.',
      'Two tests still fail.',
      '3 of the tests are failing.',
      'You can check that all tests pass with `npm test`.',
      'Do all tests pass?',
      'The function passes the options to the test helper.',
      'All tests passed before my change.',
      'Tests do not pass yet.',
      'The tests will pass once the server is up.',
      'I added tests for the parser.',
    ],
  },
  'a fix with its test': {
    positive: [
      'Fixed the rounding bug, verified by `price.test.mjs`.',
      'The crash is fixed and covered by the test "handles an empty cart".',
      'I fixed it; the fix is confirmed by `test_rounding` (fixed).',
    ],
    negative: [
      'Fixed the rounding bug.',
      'The bug should be fixed, as `price.test.mjs` will show.',
      'I did not fix the bug that `price.test.mjs` covers.',
    ],
  },
  'the build passes': {
    positive: [
      'The build succeeds.',
      'The build is green again.',
      'The project compiles without errors.',
      'Everything builds cleanly.',
      'There are no compile errors.',
      'The crate builds fine.',
      'Build: ✅',
    ],
    negative: [
      'The build should succeed.',
      'The build fails.',
      'Run the build to check.',
      'I changed the build script.',
      'The build did not succeed.',
      'The module builds a tree of nodes.',
    ],
  },
  'types check': {
    positive: [
      'The type check passes.',
      'tsc reports no errors.',
      'There are no type errors.',
      'Typecheck is clean.',
      'Types check.',
    ],
    negative: [
      'The type checker complains about two lines.',
      'tsc should be clean now.',
      'I added types to the module.',
      'tsc fails.',
    ],
  },
  'lint passes': {
    positive: [
      'Lint is clean.',
      'ESLint reports no errors.',
      'The linter passes.',
      'There are no lint warnings.',
      'Lint: ok',
    ],
    negative: [
      'Lint still fails.',
      'I did not run the linter.',
      'The linter should pass.',
      'I configured ESLint.',
      'Please run eslint and fix the errors.',
    ],
  },
  'everything passes': {
    positive: [
      'Everything passes.',
      'All checks pass.',
      'Everything is green.',
      'All green.',
      'CI is green.',
    ],
    negative: [
      'Everything should pass.',
      'Not everything passes.',
      'Everything you need is in the README.',
      'CI is red.',
      'Once everything passes, tag the release.',
    ],
  },
  'a command was run': {
    positive: [
      'I ran `npm test`.',
      'I re-ran the tests.',
      'Verified with `node --test`.',
      'I executed `make lint` twice.',
      'Running `cargo test` shows no problems.',
      'I ran the linter and the build.',
      'Checked by running `tsc --noEmit`.',
    ],
    negative: [
      'Run `npm test` to verify.',
      'You can run `npm test`.',
      "I'll run `npm test` next.",
      'I did not run `npm test`.',
      'To check, run `make test`.',
      'I could not run the tests.',
      'Have you run the tests?',
    ],
  },
  'a command succeeded': {
    positive: [
      '`npm run build` succeeds.',
      '`make test` passes.',
      '`tsc --noEmit` is clean.',
      '`npm run lint` reports no problems.',
      '`node cli.js --help` works.',
    ],
    negative: [
      '`npm run build` should succeed.',
      '`make test` fails.',
      '`npm test` runs the tests.',
      '`src/a.ts` works.',
    ],
  },
  'a file was changed': {
    positive: [
      'I created `src/new.ts`.',
      'Created a new file src/util/format.ts.',
      'Updated `src/a.ts` and `src/b.ts`.',
      "I've edited src/a.ts to round prices.",
      'Deleted `src/old.ts`.',
      'Removed the unused import from `src/a.ts`.',
      'Renamed `a.ts` to `b.ts`.',
      '`src/a.ts` was updated.',
      '- `src/a.ts`: fixed the rounding',
      'Added a test to `test/a.test.ts`.',
      'Fixed the bug in `src/price.mjs`.',
      'This change updates `package.json`.',
      'The file `notes.md` has been deleted.',
      'I added `README.md`.',
    ],
    negative: [
      'I would update `src/a.ts`.',
      'I did not change `src/a.ts`.',
      'You should create `src/new.ts`.',
      'The bug is in `src/a.ts`.',
      '`src/a.ts` exports `price`.',
      'Create `src/new.ts` next.',
      'I read `src/a.ts`.',
      'If you deleted `src/old.ts`, restore it.',
      'Delete `tmp.txt` when you are done.',
      'I updated the docs.',
      'See `src/a.ts` for details.',
    ],
  },
  'no other uses': {
    positive: [
      'There are no other usages of `oldName`.',
      '`legacyParse` is not used anywhere else.',
      'Nothing else calls `parse`.',
      'No remaining references to `foo`.',
      '`foo` was the only caller of `bar`.',
    ],
    negative: [
      'There are other usages of `oldName`.',
      '`legacyParse` is used in three places.',
      'There should be no other usages of `x`.',
      'Check that there are no other usages of `x`?',
    ],
  },
}
