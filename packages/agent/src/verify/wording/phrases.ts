// Compiles a table of phrases to one pattern. A phrase is a few words, with the syntax of regular expressions
// for endings: `fail(s|ed)?`. `{name}` stands for a word list, `{..40}` for at most 40 characters in between.

export type WordLists = Readonly<Record<string, readonly string[]>>

/** Matches a text that contains a phrase, as whole words. */
export function containing(phrases: readonly string[], lists: WordLists = {}): RegExp {
  return new RegExp(String.raw`(?<!\w)(?:${sourceOf(phrases, lists)})(?!\w)`, 'i')
}

/** Matches a text that starts with a phrase, after marks such as `- ` or `**`. */
export function startingWith(phrases: readonly string[], lists: WordLists = {}): RegExp {
  return new RegExp(String.raw`^\W*(?:${sourceOf(phrases, lists)})(?!\w)`, 'i')
}

/** Matches every occurrence of a phrase, to remove it. */
export function every(phrases: readonly string[], lists: WordLists = {}): RegExp {
  return new RegExp(containing(phrases, lists).source, 'gi')
}

/** The phrases as alternatives, for a pattern of the caller. */
export function sourceOf(phrases: readonly string[], lists: WordLists = {}): string {
  return phrases.map((phrase) => expand(phrase, lists)).join('|')
}

function expand(phrase: string, lists: WordLists): string {
  return phrase
    .replace(/\{\.\.(\d+)\}/g, (_all, limit) => gap(Number(limit)))
    .replace(/\{([a-zA-Z]+)\}/g, (_all, name: string) => {
      const words = lists[name]
      if (words === undefined) throw new Error(`no word list ${name}`)
      return `(?:${sourceOf(words, lists)})`
    })
}

/** A period within a word or before a small letter, as in `a.ts` or `./... passes`, ends no sentence. */
function gap(limit: number): string {
  return String.raw`(?!\w)(?:[^.]|\.(?=\S|\s[a-z])){0,${limit}}?(?<!\w)`
}
