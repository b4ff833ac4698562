// Small pictures of a row: the growth of a context, and the outcomes of attempts.

export function Spark({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2) return null
  const max = Math.max(1, ...values)
  const points = values
    .map((value, at) => `${(at / (values.length - 1)) * 72},${18 - (value / max) * 16}`)
    .join(' ')
  return (
    <svg class="spark" width="72" height="20" role="img" aria-label={label}>
      <polyline points={points} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  )
}

const words: Readonly<Record<string, string>> = { p: 'good', f: 'bad', i: 'warn' }

/** One path per outcome: an element per attempt would cost most of a frame while the list scrolls. */
export function Outcomes({ letters, label }: { letters: string; label: string }) {
  const shown = [...letters].slice(-36)
  const paths = new Map<string, string>()
  shown.forEach((letter, at) => {
    const word = words[letter] ?? 'open'
    paths.set(word, `${paths.get(word) ?? ''}M${at * 4} 0h3v14h-3z`)
  })
  return (
    <svg class="outcomes" width={shown.length * 4} height="14" role="img" aria-label={label}>
      {[...paths].map(([word, path]) => (
        <path key={word} d={path} class={word} />
      ))}
    </svg>
  )
}
