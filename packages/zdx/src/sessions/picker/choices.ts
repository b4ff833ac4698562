// The state of the session picker: the filter, the matching sessions and the selected one. Pure
// functions, so that tests need no terminal.

export interface Choice {
  id: string
  /** Shown after the time; may be empty. */
  title: string
  /** `2026-11-16 06:30` */
  time: string
  /** The text of the session in lower case, as far as it has been read. */
  text: string
}

export interface PickerState {
  choices: readonly Choice[]
  filter: string
  /** Position in the list of matches. */
  selected: number
}

/** What a key does: changes the state, or ends the picker. */
export type PickerStep =
  | { state: PickerState }
  | { chosen: string | undefined }
  | { interrupted: true }

/** Choices whose id, title or text contains every word of the filter. */
export function matchesOf({ choices, filter }: PickerState): Choice[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return choices.filter(({ id, title, text }) => {
    const head = `${id} ${title}`.toLowerCase()
    return words.every((word) => head.includes(word) || text.includes(word))
  })
}

export function isEnter(key: string): boolean {
  return key === '\r' || key === '\n'
}

export function applyKey(state: PickerState, key: string): PickerStep {
  const matches = matchesOf(state)
  switch (key) {
    case '\u0003':
      return { interrupted: true }
    case '\u001b':
    case '\u0004':
      return { chosen: undefined }
    case '\r':
    case '\n': {
      const chosen = matches[state.selected]
      return chosen === undefined ? { state } : { chosen: chosen.id }
    }
    case '\u001b[A':
    case '\u001bOA':
    case '\u0010':
      return { state: { ...state, selected: Math.max(0, state.selected - 1) } }
    case '\u001b[B':
    case '\u001bOB':
    case '\u000e':
      return {
        state: {
          ...state,
          selected: Math.max(0, Math.min(matches.length - 1, state.selected + 1)),
        },
      }
    case '\u007f':
    case '\b':
      return { state: withFilter(state, [...state.filter].slice(0, -1).join('')) }
    case '\u0015':
      return { state: withFilter(state, '') }
    default:
      return { state: isText(key) ? withFilter(state, state.filter + key) : state }
  }
}

function withFilter(state: PickerState, filter: string): PickerState {
  return { ...state, filter, selected: 0 }
}

function isText(key: string): boolean {
  return !/[\u0000-\u001f\u007f-\u009f]/.test(key)
}

/** Splits terminal input into keys. An incomplete escape sequence stays in `rest`. */
export function splitKeys(input: string): { keys: string[]; rest: string } {
  const keys: string[] = []
  let rest = input
  while (rest !== '') {
    if (/^\u001b(\[[0-9;]*|O)?$/.test(rest)) break
    const [key = ''] = /^\u001b\[[0-9;]*[@-~]|^\u001bO[\s\S]|^\u001b|^[\s\S]/u.exec(rest) ?? []
    keys.push(key)
    rest = rest.slice(key.length)
  }
  return { keys, rest }
}
