// Decides whether a word starts at a position of the text, so that `task-` is not taken for `sk-`.

/**
 * Whether a word starts at `index`. The last letter of an escape (`\n`, `%3D`, a colour code) belongs
 * to the escape. A run of 24 or more letters (base64, filler) does not count as a word.
 */
export function startsWord(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - maxWordLength), index)
  return !/[A-Za-z0-9]$/.test(before) || endsOutsideWord.test(before)
}

const maxWordLength = 24
const endsOutsideWord = new RegExp(
  [
    String.raw`\\[nrtbfv]$`,
    String.raw`\\u[0-9A-Fa-f]{4}$`,
    String.raw`\\x[0-9A-Fa-f]{2}$`,
    '%[0-9A-Fa-f]{2}$',
    String.raw`(?:\u001b|\\u001b|\\x1b|\\e|\\033)\[[0-9;]{0,12}m$`,
    `[A-Za-z0-9]{${maxWordLength}}$`,
  ].join('|'),
  'i',
)
