import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../session/session.ts'
import { type ChangeEvent, readTimeline } from './timeline.ts'

const numbered = (records: readonly object[]): SessionEvent[] =>
  records.map((record, index) => ({ event: index + 1, record: record as never }))

const use = (name: string, input: object, id = 'a') => ({ type: 'tool_use', id, name, input })
const result = (output: object, id = 'a') => ({ type: 'tool_result', tool_use_id: id, output })
const done = (data: object) => result({ ok: true, data })
const failed = (message: string) => result({ ok: false, error: { code: 'x', message } })

const timelineOf = (name: string, input: object, output: object) =>
  readTimeline(numbered([use(name, input), output]))

const change = (kind: ChangeEvent['kind'], path: string, rest: object = {}) => ({
  event: 1,
  kind,
  path,
  byShell: false,
  ...rest,
})

describe('the commands of a timeline', () => {
  it.each([
    ...['bash', 'Bash', 'shell', 'local_shell', 'exec_command', 'run_shell_command'],
    ...['run_terminal_cmd', 'execute_bash', 'terminal', 'run_command', 'container.exec'],
  ])('contain those of the tool %s', (tool) => {
    const { commands, changes } = timelineOf(tool, { command: 'ls' }, done({ stdout: 'a' }))
    expect(changes).toEqual([])
    expect(commands).toEqual([
      {
        event: 1,
        command: 'ls',
        exitCode: 0,
        isTimedOut: false,
        output: 'a\n',
        runs: [],
        reports: expect.any(Function),
        mayChangeFiles: false,
      },
    ])
  })

  it.each([
    ['search', { pattern: 'x' }, 'grep x'],
    ['grep', { query: 'x' }, 'grep x'],
    ['Glob', { regex: 'x' }, 'grep x'],
    ['ripgrep', {}, 'grep '],
    ['search_files', { pattern: 'x', query: 'y' }, 'grep x'],
    ['codebase_search', { query: 'x', regex: 'y' }, 'grep x'],
    ['grep_search', { pattern: 3 }, 'grep '],
  ])('contain the search of %s with %j as %j', (tool, input, command) => {
    const found = timelineOf(tool, input, done({ matches: ['a'], path: 'p', text: 't', no: null }))
    expect(found.commands).toMatchObject([{ command, exitCode: 0, output: '["a"]\nt\n' }])
    const none = timelineOf(tool, input, failed('no match'))
    expect(none.commands).toMatchObject([{ command, exitCode: 1, output: 'no match' }])
  })

  it.each<[input: object, command: string]>([
    [{ command: 'ls', cmd: 'x' }, 'ls'],
    [{ cmd: 'ls', script: 'x' }, 'ls'],
    [{ script: 'ls' }, 'ls'],
    [{}, ''],
    [{ command: ['ls', '-l', 3] }, 'ls -l 3'],
    [{ command: ['bash', '-lc', 'ls -l'] }, 'ls -l'],
    [{ command: ['/bin/sh', '-c', 'ls -l'] }, 'ls -l'],
    [{ command: ['zsh', '-c'] }, ''],
    [{ command: ['bash', '-x', 'a.sh'] }, 'bash -x a.sh'],
    [{ command: ['fish', '-c', 'ls'] }, 'fish -c ls'],
    [{ command: [] }, ''],
  ])('have the line of %j', (input, command) => {
    expect(timelineOf('bash', input, done({})).commands).toMatchObject([{ command }])
  })

  it.each<[data: object, expected: object]>([
    [{ exit_code: 2, exitCode: 3 }, { exitCode: 2 }],
    [{ exitCode: 3 }, { exitCode: 3 }],
    [{ exit_code: null, output: 'Exit code: 4' }, { exitCode: 4 }],
    [{ output: 'exit code 4' }, { exitCode: 4 }],
    [{ output: 'a\nProcess exited with code 5\n' }, { exitCode: 5 }],
    [{ output: 'the exit code 4' }, { exitCode: 0 }],
    [
      { exit_code: 0, timed_out: true },
      { exitCode: undefined, isTimedOut: true },
    ],
    [
      { exit_code: 0, timed_out: 'yes' },
      { exitCode: 0, isTimedOut: false },
    ],
    [{ stdout: 'a', stderr: 'b', exit_code: 0 }, { output: 'a\nb' }],
    [{ stdout: 'a', stderr: null }, { output: 'a\n' }],
    [{ stderr: 'b', path: 'p', n: 1 }, { output: 'b\n1' }],
  ])('have the outcome of %j', (data, expected) => {
    expect(timelineOf('bash', { command: 'x' }, done(data)).commands).toMatchObject([expected])
  })

  it.each<[message: string, exitCode: number | undefined]>([
    ['exit code 3', 3],
    ['failed with Exit status: 4', 4],
    ['killed', undefined],
  ])('have the exit code of the error %j: %j', (message, exitCode) => {
    const { commands } = timelineOf('bash', { command: 'x' }, failed(message))
    expect(commands).toMatchObject([{ exitCode, isTimedOut: false, output: message }])
  })

  it.each<[command: string, mayChangeFiles: boolean]>([
    ['ls; ./codemod', true],
    ['ls; cat a', false],
  ])('know whether %j may change files: %s', (command, mayChangeFiles) => {
    const { commands } = timelineOf('bash', { command }, done({}))
    expect(commands).toMatchObject([{ mayChangeFiles }])
  })
})

describe('the changes of a timeline', () => {
  it.each([
    ...['edit', 'MultiEdit', 'str_replace', 'str_replace_editor', 'replace', 'edit_file'],
    ...['str_replace_based_edit_tool', 'update_file'],
  ])('contain the edit of %s', (tool) => {
    expect(timelineOf(tool, { path: 'a', new: 'x' }, done({})).changes).toEqual([
      change('edited', 'a', { text: 'x' }),
    ])
    expect(timelineOf(tool, { path: 'a', new: 'x' }, failed('no')).changes).toEqual([
      change('failed', 'a', { text: 'x' }),
    ])
    expect(
      timelineOf(tool, { path: 'a', command: 'create', file_text: 'x' }, done({})).changes,
    ).toEqual([change('created', 'a', { text: 'x' })])
  })

  it.each(['write', 'Write', 'write_file', 'create_file', 'create', 'save_file'])(
    'contain the file of %s',
    (tool) => {
      const input = { path: 'a', content: 'x' }
      const kinds = [done({}), done({ created: true }), done({ created: false }), failed('no')].map(
        (output) => timelineOf(tool, input, output).changes.map(({ kind, text }) => [kind, text]),
      )
      expect(kinds).toEqual([
        [['created', 'x']],
        [['created', 'x']],
        [['edited', 'x']],
        [['failed', 'x']],
      ])
    },
  )

  it.each(['path', 'file_path', 'filePath', 'filename', 'target_file'])(
    'have the path of the field %s',
    (field) => {
      expect(timelineOf('edit', { [field]: 'a' }, done({})).changes).toEqual([
        change('edited', 'a', { text: undefined }),
      ])
    },
  )

  it.each(['new', 'content', 'new_string', 'new_str', 'file_text'])(
    'have the text of the field %s',
    (field) => {
      expect(timelineOf('edit', { path: 'a', [field]: 'x' }, done({})).changes).toEqual([
        change('edited', 'a', { text: 'x' }),
      ])
    },
  )

  it('contain nothing of other tools and of calls without a path or a result', () => {
    const none = { commands: [], changes: [] }
    expect(timelineOf('read', { path: 'a' }, done({}))).toEqual(none)
    expect(timelineOf('edit', { path: 3 }, done({}))).toEqual(none)
    expect(readTimeline(numbered([use('edit', { path: 'a' })]))).toEqual(none)
    expect(readTimeline(numbered([done({})]))).toEqual(none)
  })

  it('give results to calls of one id in their order', () => {
    const { changes } = readTimeline(
      numbered([
        use('edit', { path: 'a' }),
        use('edit', { path: 'b' }),
        failed('no'),
        done({}),
        done({}),
      ]),
    )
    expect(changes.map(({ event, kind, path }) => [event, kind, path])).toEqual([
      [1, 'failed', 'a'],
      [2, 'edited', 'b'],
    ])
  })

  it('know that a file is new unless the session has written it', () => {
    const { changes } = readTimeline(
      numbered([
        use('write', { path: 'a' }),
        done({}),
        use('write', { path: 'a' }),
        done({}),
        use('bash', { command: 'rm b' }),
        done({}),
        use('write', { path: 'b' }),
        done({}),
      ]),
    )
    expect(changes.map(({ kind, path, byShell }) => [kind, path, byShell])).toEqual([
      ['created', 'a', false],
      ['edited', 'a', false],
      ['deleted', 'b', true],
      ['created', 'b', false],
    ])
  })

  it('contain what undo and redo restore', () => {
    const events = numbered([
      { type: 'undo', files: ['a', 'b'] },
      { type: 'redo', files: ['a'] },
    ])
    expect(readTimeline(events).changes).toEqual([
      change('undone', 'a'),
      change('undone', 'b'),
      change('edited', 'a', { event: 2 }),
    ])
  })

  it.each(['patch', 'input', 'patchText'])('contain the files of a patch in %s', (field) => {
    const text = '*** Add File: a\n+x\n*** Update File: b \n*** Delete File: c\n*** Move File: d'
    expect(timelineOf('apply_patch', { [field]: text }, done({})).changes).toEqual([
      change('created', 'a', { text }),
      change('edited', 'b', { text }),
      change('deleted', 'c', { text }),
    ])
    expect(timelineOf('Apply_Patch', { [field]: text }, failed('no')).changes).toEqual(
      ['a', 'b', 'c'].map((path) => change('failed', path, { text })),
    )
    expect(timelineOf('apply_patch', {}, done({})).changes).toEqual([])
  })

  it.each<[command: string, exitCode: number, changes: string[]]>([
    ['rm a', 0, ['deleted a']],
    ['rm a', 1, []],
    ['rm a; rm b', 0, ['deleted a', 'deleted b']],
    ['rm a; rm b', 1, ['deleted a']],
    [`touch a; node -e "writeFile('b')"`, 0, ['edited a', 'edited b']],
    [`touch a; node -e "writeFile('b')"`, 1, ['edited a']],
  ])('contain those of the line %j with exit code %j', (command, exit_code, changes) => {
    const found = timelineOf('bash', { command }, done({ exit_code })).changes
    expect(found.map(({ kind, path }) => `${kind} ${path}`)).toEqual(changes)
    expect(found.every(({ byShell, event }) => byShell && event === 1)).toBe(true)
  })
})
