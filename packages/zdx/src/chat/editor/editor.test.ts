import { describe, expect, it } from 'vitest'
import type { Key } from '../../terminal/terminal.ts'
import type { EditorRequest } from './editor.ts'
import { Editor } from './editor.ts'

const sources = {
  root: '/nonexistent',
  commandNames: () => ['help', 'handoff', 'resume'],
  sessionIds: () => ['abc-1', 'abd-2'],
}

function openEditor(history: string[] = []) {
  const editor = new Editor(history, sources)
  const press = (...names: string[]): EditorRequest | undefined => {
    let request: EditorRequest | undefined
    for (const name of names) request = editor.handle({ type: 'key', name })
    return request
  }
  const type = (text: string) => editor.handle({ type: 'text', text })
  const paste = (text: string) => editor.handle({ type: 'paste', text } satisfies Key)
  const rows = (columns = 40) => editor.view('you> ', columns, 20)
  return { editor, press, type, paste, rows }
}

describe('the editor of a chat', () => {
  it('sends the text with Enter and is empty afterwards', () => {
    const { type, press, editor } = openEditor()
    type('hello')
    expect(press('enter')).toEqual({ type: 'submit', text: 'hello', shown: 'hello' })
    expect(editor.isEmpty()).toBe(true)
  })

  it('adds a line with Alt+Enter and with a backslash at the end', () => {
    const { type, press, rows } = openEditor()
    type('one')
    press('alt+enter')
    type('two\\')
    expect(press('enter')).toBeUndefined()
    type('three')
    expect(rows()).toEqual({
      rows: ['you> one', '   > two', '   > three'],
      cursor: { row: 2, column: 10 },
    })
    expect(press('enter')).toMatchObject({ text: 'one\ntwo\nthree' })
  })

  it('sends two backslashes at the end as they are', () => {
    const { type, press } = openEditor()
    type('a\\\\')
    expect(press('enter')).toMatchObject({ text: 'a\\\\' })
  })

  it('shows a paste of more than 10 lines as one word and sends it whole', () => {
    const { type, paste, press, rows, editor } = openEditor()
    const pasted = Array.from({ length: 300 }, (_none, index) => `line ${index}`).join('\n')
    type('see ')
    paste(pasted)
    type(' ok')
    expect(rows().rows).toEqual(['you> see [pasted 300 lines] ok'])
    press('left', 'left', 'left')
    press('backspace')
    expect(editor.text).toBe('see  ok')
    paste(pasted)
    expect(press('enter')).toEqual({
      type: 'submit',
      text: `see ${pasted} ok`,
      shown: 'see [pasted 300 lines] ok',
    })
  })

  it('shows a paste of ten lines as it is', () => {
    const { paste, rows } = openEditor()
    paste(`${'x\n'.repeat(9)}x`)
    expect(rows().rows).toHaveLength(10)
  })

  it('clears the text with Ctrl+C, and requests an interrupt without text', () => {
    const { type, press, editor } = openEditor()
    type('x')
    expect(press('ctrl+c')).toBeUndefined()
    expect(editor.isEmpty()).toBe(true)
    expect(press('ctrl+c')).toEqual({ type: 'interrupt' })
    expect(press('ctrl+d')).toEqual({ type: 'end' })
    expect(press('ctrl+z')).toEqual({ type: 'suspend' })
  })

  it('moves and deletes by characters, words and lines', () => {
    const { type, press, editor } = openEditor()
    type('one two 👩‍👩‍👧x')
    press('left', 'backspace')
    expect(editor.text).toBe('one two x')
    press('ctrl+w')
    expect(editor.text).toBe('one x')
    press('ctrl+a', 'delete', 'ctrl+e', 'ctrl+u')
    expect(editor.text).toBe('')
    press('ctrl+y')
    expect(editor.text).toBe('ne x')
  })

  it('recalls the history with Up and Down and keeps the typed text', () => {
    const { type, press, editor } = openEditor(['newest', 'older'])
    type('draft')
    press('up', 'up')
    expect(editor.text).toBe('older')
    press('up', 'down', 'down')
    expect(editor.text).toBe('draft')
  })

  it('shows a line of the history without its control characters and sends it whole', () => {
    const { editor, press, rows } = openEditor(['a\u001b[2J\u202eb'])
    press('ctrl+r')
    editor.handle({ type: 'text', text: 'b' })
    expect(rows().rows).toEqual([String.raw`(search) b: a[2J\u202eb`])
    press('ctrl+g', 'up')
    expect(rows()).toEqual({
      rows: [String.raw`you> a[2J\u202eb`],
      cursor: { row: 0, column: 16 },
    })
    expect(press('enter')).toMatchObject({ text: 'a\u001b[2J\u202eb' })
  })

  it('searches the history with Ctrl+R; Enter sends the match', () => {
    const { type, press, rows } = openEditor(['fix the test', 'run it', 'fix the build'])
    press('ctrl+r')
    type('fix')
    expect(rows().rows[0]).toBe('(search) fix: fix the test')
    press('ctrl+r')
    expect(rows().rows[0]).toBe('(search) fix: fix the build')
    expect(press('enter')).toMatchObject({ text: 'fix the build' })
  })

  it('puts the match into the editor with Esc and forgets it with Ctrl+C', () => {
    const { type, press, editor } = openEditor(['fix the test'])
    press('ctrl+r')
    type('test')
    press('escape')
    expect(editor.text).toBe('fix the test')
    press('ctrl+u', 'ctrl+r')
    type('nothing')
    press('ctrl+c')
    expect(editor.text).toBe('')
  })

  it('completes commands and session ids with Tab', () => {
    const { type, press, editor, rows } = openEditor()
    type(':h')
    press('tab')
    expect(rows().rows).toEqual(['you> :h', ':help  :handoff'])
    type('e')
    press('tab')
    expect(editor.text).toBe(':help ')
    press('ctrl+u')
    type(':resume ab')
    press('tab')
    expect(rows().rows[1]).toBe('abc-1  abd-2')
    type('c')
    press('tab')
    expect(editor.text).toBe(':resume abc-1 ')
  })

  it('wraps a long line and shows only rows around the cursor if there are too many', () => {
    const { type, editor } = openEditor()
    type('x'.repeat(100))
    expect(editor.view('you> ', 41, 20)).toEqual({
      rows: [`you> ${'x'.repeat(35)}`, 'x'.repeat(40), 'x'.repeat(25)],
      cursor: { row: 2, column: 25 },
    })
    expect(editor.view('you> ', 41, 2).rows).toHaveLength(2)
  })

  it('puts queued lines before the typed text', () => {
    const { type, editor } = openEditor()
    type('typed')
    editor.prepend('queued')
    expect(editor.text).toBe('queued\ntyped')
  })
})
