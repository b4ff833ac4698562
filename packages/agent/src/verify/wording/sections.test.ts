import { expect, it } from 'vitest'
import { listVerbOf, opensPlans } from './sections.ts'

it.each([
  ...['Next step', '## Next steps', '**To-dos**', 'Todo', 'Remaining', 'Left to do', "What's left"],
  ...['Whats next', 'Follow-ups', 'Suggestions', '- **Recommendations**', 'Plan', 'Test plan'],
  ...['Proposed', 'Open questions', 'Open issues', 'Open points', 'How to run', 'To verify: npm'],
  ...['To try it', 'Usage', 'You can', 'If you', 'Not done', 'Not tested', 'Still failing'],
  ...['Still to do', 'Known issues', 'Known failures', 'Caveat', 'Limitations', 'Before'],
  ...['Before this change', 'Previously', 'Definition of done', 'Acceptance criteria', 'Goals'],
  ...['Prerequisites', 'Checklist', 'Expected', 'Expected result', 'Idea', 'Possible fixes'],
  ...['Options', 'Alternatives', 'Out of scope', `Usage ${'x'.repeat(59)}`],
])('%j opens a list of things that were not done', (line) => {
  expect(opensPlans(line)).toBe(true)
})

it.each(['Changes', 'Done', 'Results', 'A new plan', 'Usages', `Usage ${'x'.repeat(60)}`])(
  '%j opens no list of things that were not done',
  (line) => {
    expect(opensPlans(line)).toBe(false)
  },
)

it.each<[line: string, verb: string | undefined]>([
  ...[
    ...['changed', 'modified', 'edited', 'updated', 'touched', 'added', 'created', 'deleted'],
    'removed',
  ].flatMap((verb): [string, string][] => [
    [`Files ${verb}:`, verb],
    [`## 3 files ${verb}`, verb],
    [`**${verb} files**`, verb],
    [`**${verb}:**`, verb],
    [`${verb}`, verb],
  ]),
  ['New files:', 'created'],
  ['New', 'created'],
  ['All files changed', 'changed'],
  ['Changes', 'edited'],
  ['## The changes made:', 'edited'],
  ['Key modifications', 'edited'],
  ['Code edits', 'edited'],
  ['What I changed', 'edited'],
  ['What changed:', 'edited'],
  ['**Summary of the changes**', 'edited'],
  ['Commands run', 'ran'],
  ['Commands I ran:', 'ran'],
  ['**Command executed**', 'ran'],
  ['Commands used', 'ran'],
  ['Files', undefined],
  ['Changes in the loader', undefined],
  ['Files changed `a.ts`', undefined],
  ['Commands', undefined],
  [`Files changed ${'x'.repeat(19)}`, 'changed'],
  [`Files changed ${'x'.repeat(20)}`, undefined],
])('the verb of the list below %j is %j', (line, verb) => {
  expect(listVerbOf(line)).toBe(verb)
})
