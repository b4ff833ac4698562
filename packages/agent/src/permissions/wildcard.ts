// Matches the patterns of permission rules. In a command `*` matches any characters. In a path `*` and
// `?` stay inside a name and `**` crosses folders. Both run in O(pattern × text).

/** Whether `text` matches `pattern`, in which `*` stands for any characters. */
export function matchesCommand(pattern: string, text: string): boolean {
  return matchesWildcard(pattern, text, false)
}

/** Whether a relative or absolute path matches the pattern, name by name. */
export function matchesPath(pattern: string, path: string): boolean {
  const names = path.split('/')
  // `reached[i]`: the pattern so far matches the first i names.
  let reached = names.map((_name, index) => index === 0)
  reached.push(false)
  const steps = (pattern.endsWith('/') ? `${pattern}**` : pattern).split('/')
  for (const step of steps) {
    const next = reached.map(() => false)
    let isOpen = false
    for (let index = 0; index < reached.length; index++) {
      if (step === '**') {
        isOpen ||= reached[index] === true
        next[index] = isOpen
      } else if (index > 0 && reached[index - 1] === true) {
        next[index] = matchesWildcard(step, names[index - 1] ?? '', true)
      }
    }
    reached = next
  }
  return reached.at(-1) === true
}

/** Greedy with one backtrack point, which suffices because only the last `*` can grow. */
function matchesWildcard(pattern: string, text: string, hasSingle: boolean): boolean {
  let [at, position] = [0, 0]
  let [star, mark] = [-1, 0]
  while (position < text.length) {
    const symbol = pattern[at]
    if (symbol === '*') {
      star = at++
      mark = position
    } else if (symbol === text[position] || (hasSingle && symbol === '?')) {
      at++
      position++
    } else if (star !== -1) {
      at = star + 1
      position = ++mark
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
