import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RecordedSession } from './recorded-session.fixtures.ts'
import { makeRecordedSession } from './recorded-session.fixtures.ts'
import { sessionDiff } from './session-diff.ts'
import { makeRepository } from './snapshots/repository.fixtures.ts'
import { stateAt } from './snapshots/snapshots.ts'

let recorded: RecordedSession
beforeEach(() => {
  recorded = makeRecordedSession()
  for (let index = 2; index < 12; index++) {
    const name = index % 2 === 0 ? 'edit' : 'bash'
    recorded.record({ type: 'tool_use', id: `c${index}`, name, input: {} })
  }
})
afterEach(() => recorded.remove())

const diff = () => sessionDiff(recorded.paths, recorded.root)

/** An edit by the call of this event. */
const edit = (
  event: number,
  name: string,
  before: string | Buffer | null,
  after: string | Buffer,
) => ({
  call_id: `c${event}`,
  tool: 'edit',
  path: recorded.file(name),
  before: before === null ? null : recorded.keep(before).hash,
  after: recorded.keep(after).hash,
  kept: true,
})

/** Changes of the shell commands of the call of this event; the snapshot is line `line` of the log. */
function shell(line: number, event: number, changes: Record<string, [unknown, unknown]>) {
  return [
    { type: 'snapshot', name: `s${line}`, call_id: `c${event}` },
    ...Object.entries(changes).map(([name, [before, after]]) => ({
      type: 'shell_change',
      snapshot: line,
      path: recorded.raw(name),
      before,
      after,
    })),
    { type: 'snapshot_closed', snapshot: line },
  ]
}

it('is empty without changes', async () => {
  expect(await diff()).toBe('')
})

it('shows each path from its first to its last state, with the events of its changes', async () => {
  recorded.log(
    edit(4, 'a', 'two\n', 'three\n'),
    edit(2, 'd/ü', null, 'new\n'),
    edit(6, 'a', 'three\n', 'four'),
    { ...edit(8, 'a', 'x\n', 'y\n'), path: '/outside' },
  )
  expect(await diff()).toBe(
    `diff a (event 4, 6)
--- a/a
+++ b/a
@@ -1 +1 @@
-two
+four
\\ No newline at end of file
diff d/ü (event 2)
--- /dev/null
+++ b/d/ü
@@ -0,0 +1 @@
+new
diff outside (event 8)
--- a/outside
+++ b/outside
@@ -1 +1 @@
-x
+y
`,
  )
})

it('sorts events, and takes the first of changes that were opened or closed together', async () => {
  recorded.log(
    edit(10, 'a', 'one\n', 'two\n'),
    edit(2, 'a', 'two\n', 'three\n'),
    ...shell(3, 3, { b: [recorded.keep('1\n'), recorded.keep('2\n')] }),
  )
  expect(await diff()).toBe(`diff a (event 2, 10)
--- a/a
+++ b/a
@@ -1 +1 @@
-one
+three
diff b (event 3)
--- a/b
+++ b/b
@@ -1 +1 @@
-1
+2
`)
})

it('shows the edits of a turn once, unless a shell command changed the file as well', async () => {
  const [one, three] = [recorded.keep('1\n'), recorded.keep('3\n')]
  recorded.log(
    { type: 'snapshot', name: 's', call_id: 'c3' },
    edit(4, 'edited', '1\n', '2\n'),
    edit(6, 'edited', '2\n', '3\n'),
    edit(8, 'both', '1\n', '2\n'),
    edit(10, 'before', '2\n', '3\n'),
    edit(2, 'made', null, '3\n'),
    ...['edited', 'both', 'before'].map((name) => ({
      type: 'shell_change',
      snapshot: 1,
      path: recorded.raw(name),
      before: one,
      after: three,
    })),
    { type: 'shell_change', snapshot: 1, path: recorded.raw('made'), after: three },
    { type: 'snapshot_closed', snapshot: 1 },
  )
  const heads = (await diff()).split('\n').filter((line) => line.startsWith('diff '))
  expect(heads).toEqual([
    'diff edited (event 4, 6)',
    'diff both (event 3, 8)',
    'diff before (event 3, 10)',
    'diff made (event 2)',
  ])
})

it('joins a deleted and a created file with the same contents', async () => {
  const [same, empty, other] = ['same\n', '', 'other\n'].map((text) => recorded.keep(text))
  const link = { kind: 'link', target: 'x' }
  recorded.log(
    ...shell(1, 3, {
      old: [same, null],
      'new 1': [null, same],
      'new 2': [null, same],
      gone: [empty, null],
      made: [null, empty],
      changed: [other, same],
      link: [link, null],
      x: [recorded.keep('x'), null],
      'x 2': [null, recorded.keep('x')],
    }),
  )
  expect(await diff()).toBe(`diff new 1 (event 3)
rename from old
rename to new 1
diff new 2 (event 3)
--- /dev/null
+++ b/new 2
@@ -0,0 +1 @@
+same
diff gone (event 3)
deleted file
--- a/gone
+++ /dev/null
diff made (event 3)
--- /dev/null
+++ b/made
diff changed (event 3)
--- a/changed
+++ b/changed
@@ -1 +1 @@
-other
+same
diff link (event 3)
deleted link
-link to x
diff x 2 (event 3)
rename from x
rename to x 2
`)
})

it('shows modes and links, and leaves out folders', async () => {
  const text = recorded.keep('text\n', 0o644)
  const link = (target: string) => ({ kind: 'link', target })
  const folder = { kind: 'folder', mode: 0o755 }
  recorded.log(
    ...shell(1, 3, {
      mode: [text, { ...text, mode: 0o4755 }],
      unknown: [text, { ...text, mode: -1 }],
      known: [{ ...text, mode: -1 }, text],
      moved: [link('\xc3\xbc'), link('b')],
      'to link': [text, link('b')],
      'from link': [link('a'), text],
      made: [null, folder],
      removed: [folder, null],
      chmod: [folder, { kind: 'folder', mode: 0o700 }],
      'to file': [folder, text],
      'to folder': [text, folder],
    }),
  )
  expect(await diff()).toBe(`diff mode (event 3)
old mode 644
new mode 4755
diff unknown (event 3)
diff known (event 3)
diff moved (event 3)
-link to ü
+link to b
diff to link (event 3)
+link to b
--- a/to link
+++ /dev/null
@@ -1 +0,0 @@
-text
diff from link (event 3)
-link to a
--- /dev/null
+++ b/from link
@@ -0,0 +1 @@
+text
diff to file (event 3)
--- /dev/null
+++ b/to file
@@ -0,0 +1 @@
+text
diff to folder (event 3)
--- a/to folder
+++ /dev/null
@@ -1 +0,0 @@
-text
`)
})

it('says why contents are not shown', async () => {
  const text = recorded.keep('text\n')
  recorded.put('present', 'now\n')
  recorded.put('later', 'now\n')
  const present = stateAt(recorded.raw('present'))
  const later = stateAt(recorded.raw('later'))
  recorded.put('later', 'after\n')
  recorded.log(
    ...shell(1, 3, {
      present: [text, present],
      later: [text, later],
      missing: [{ ...text, copy: { file: 'none', offset: 0 } }, text],
      damaged: [text, { ...text, hash: 'x' }],
      binary: [text, recorded.keep(Buffer.from([0xff]))],
    }),
    { ...edit(4, 'large', 'a', 'b'), kept: false },
  )
  expect(await diff()).toBe(`diff present (event 3)
--- a/present
+++ b/present
@@ -1 +1 @@
-text
+now
diff later (event 3)
The file has changed since.
diff missing (event 3)
The kept copy is missing.
diff damaged (event 3)
The kept copy is damaged.
diff binary (event 3)
Binary contents differ.
diff large (event 4)
The contents were too large to store.
`)
})

it('reads a clean file from the repository', async () => {
  const { git, put, top, remove } = makeRepository()
  put('a', 'text\n')
  const blob = git('hash-object', '-w', 'a')
  const before = { kind: 'file', mode: 0o644, size: 5, blob, top }
  recorded.log(...shell(1, 3, { a: [before, null] }))
  expect(await diff()).toBe(`diff a (event 3)
deleted file
--- a/a
+++ /dev/null
@@ -1 +0,0 @@
-text
`)
  rmSync(path.join(top, '.git'), { recursive: true })
  symlinkSync('nowhere', path.join(top, '.git'))
  expect(await diff()).toBe('diff a (event 3)\ndeleted file\nThe kept copy is missing.\n')
  remove()
})
